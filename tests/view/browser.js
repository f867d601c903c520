// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens the viewer in a chromium without a window, and records each request's origin and each error
 * of a script.  It is chromium-headless-shell: chromium --headless makes a browser's window for
 * each context, which takes as much CPU again.
 */
'use strict';

const fs = require('fs');
const { load } = require('./build');
const { chromium } = load('playwright-core');
const { watchPage } = require('./page');

const WAIT_MS = 60000;
const SIZE = { width: 1280, height: 800 };

async function startBrowser() {
	const executablePath = process.env.CHROMIUM || '/usr/bin/chromium-headless-shell';

	if (!fs.existsSync(executablePath))
		throw new Error(`${executablePath}: not installed; run tests/depend check`);
	return chromium.launch({
		executablePath,
		headless: true,
		// As root, chromium needs --no-sandbox. Fonts and colours must be the same on all
		// machines.
		args: ['--no-sandbox', '--process-per-site', '--font-render-hinting=none', '--disable-lcd-text',
		       '--force-color-profile=srgb'],
	});
}

const openContext = (browser, { size = SIZE, scheme = 'dark' } = {}) => browser.newContext({
	viewport: size, colorScheme: scheme, deviceScaleFactor: 1, reducedMotion: 'reduce',
});

/** A page in @options.context or in its own context: { page, strays, errors, close() }. */
async function openPage(browser, origin, options = {}) {
	const context = options.context || await openContext(browser, options);
	const page = await context.newPage();
	const strays = [];
	const errors = [];

	await watchPage(page);
	page.setDefaultTimeout(WAIT_MS);
	page.on('request', (request) => {
		const url = request.url();

		if (!url.startsWith(`${origin}/`) && !/^(data|blob|about):/.test(url))
			strays.push(url);
	});
	page.on('pageerror', (error) => errors.push(`${error.stack || error}`));
	page.on('console', (message) => {
		if (message.type() === 'error')
			errors.push(`${message.text()} ${message.location().url || ''}`);
	});
	return { page, strays, errors, close: () => (options.context ? page : context).close() };
}

module.exports = { SIZE, WAIT_MS, openContext, openPage, startBrowser };
