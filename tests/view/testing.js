// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a test's claims one after the other with one viewer and one browser.  Waits for conditions,
 * never for time to pass.
 */
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { out } = require('./build');
const { openContext, openPage, startBrowser, WAIT_MS } = require('./browser');
const { startServer } = require('./server');
const { settled } = require('./page');

// Until all claims are tried: a test that forgets run(), or waits for ever, has failed.
process.exitCode = 1;

const claims = [];
/*
 * Claims with the same size and scheme share a context, in which each finds no cookie and nothing
 * stored.  A claim's page is closed when the next one is open: the browser's process ends without
 * a page.
 */
const contexts = new Map();
let last;

/**
 * Adds a claim.  @check gets a fresh page, ready: of the viewer of all claims, of a separate viewer
 * that shows @options.files() with the options @options.options, or the exported page that
 * @options.file() wrote.
 */
function claim(name, check, options = {}) {
	claims.push({ name, check, options });
}

/** Waits until @condition returns something true, and resolves to it. */
async function until(what, condition, limit_ms = WAIT_MS) {
	const late = Date.now() + limit_ms;

	for (;;) {
		const result = await condition();

		if (result)
			return result;
		if (Date.now() > late)
			throw new Error(`waited ${limit_ms} ms for: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

/** Runs all claims; the viewer shows @files, with @options. */
async function run({ files, options = [] }) {
	const name = path.basename(process.argv[1], '.test');
	const only = process.argv[2];
	let tried = 0;
	let failed = 0;
	let server;
	let browser;

	try {
		server = await startServer(files, options);
		browser = await startBrowser();
		for (const { name: text, check, options: own } of claims) {
			if (only && !text.includes(only))
				continue;
			tried++;
			failed += await one({ name, text, check, own, server, browser });
		}
	} catch (error) {
		console.log(error.stack);
		failed++;
	}
	if (browser)
		await browser.close();
	if (server)
		await server.stop();
	process.exitCode = tried && !failed ? 0 : 1;
}

async function one({ name, text, check, own, server, browser }) {
	const start = Date.now();
	const key = JSON.stringify([own.size, own.scheme]);
	const context = contexts.get(key) ?? await openContext(browser, own);
	const file = own.file?.();
	const viewer = own.files ? await startServer(own.files(), own.options) : server;
	const view = await openPage(browser, file ? `file://${path.dirname(file)}` : viewer.origin, { context });
	let problem;

	contexts.set(key, context);
	await context.clearCookies();

	try {
		if (!own.unopened) {
			await view.page.goto(file ? `file://${file}` : viewer.url);
			await settled(view.page);
		}
		await last?.close();
		last = view;
		await check({ ...view, server: viewer, browser });
		assert.deepStrictEqual(view.strays, [], 'requests to another origin');
		if (!own.errors)
			assert.deepStrictEqual(view.errors, [], "the page's errors");
		if (view.page.url() !== 'about:blank')
			await view.page.evaluate(() => localStorage.clear());
	} catch (error) {
		problem = error;
	}
	console.log(`${problem ? 'FAILED' : 'ok    '}  ${text} (${Date.now() - start} ms)`);
	if (problem) {
		const shot = `${out}/failed/${name}-${text.replace(/[^a-z0-9]+/gi, '-').slice(0, 60)}.png`;

		fs.mkdirSync(path.dirname(shot), { recursive: true });
		await view.page.screenshot({ path: shot }).catch(() => {});
		console.log(problem.stack.replace(/^/gm, '    '));
		console.log(`    the page's errors: ${view.errors.join('\n') || 'none'}`);
		console.log(`    its picture: ${shot}`);
	}
	if (viewer !== server)
		await viewer.stop();
	return problem ? 1 : 0;
}

module.exports = { assert, claim, run, until };
