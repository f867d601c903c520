// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * speedscope.js FILE OUT - opens FILE in speedscope's page, as with "Browse", and saves its result
 * to OUT, as with "Export".
 *
 * Stage: between evtlog profile report and speedscope.py, which gives the verdict.
 */
'use strict';

const assert = require('assert');
const path = require('path');
const { load } = require('../view/build');
const { openPage, startBrowser } = require('../view/browser');

async function main(file, out) {
	const top = path.dirname(load.resolve('speedscope/package.json'));
	const browser = await startBrowser();
	const { page, strays, errors } = await openPage(browser, 'file://');

	await page.goto(`file://${top}/dist/release/index.html`);
	await page.setInputFiles('input[type=file]', file);
	// The title contains the file's name when the page shows the file.
	await page.waitForFunction((name) => document.title.startsWith(name), path.basename(file));
	const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
	await saved.saveAs(out);
	await browser.close();
	assert.deepStrictEqual(strays, [], 'requests to another origin');
	assert.deepStrictEqual(errors, [], "the page's errors");
}

main(...process.argv.slice(2)).catch((error) => {
	console.log(error.stack);
	process.exit(1);
});
