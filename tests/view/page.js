// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The viewer's page as its users know it: its controls by name, its lanes by place.
 *
 * Stage: between the browser and the claims.  It reads what is shown, not what the
 * page's scripts hold.
 */
'use strict';

const { look } = require('./pixels');

const LIMIT_MS = 60000;
/*
 * The page asks for more when the view has been still for a quarter of a second, by its own
 * timers: one of its own that is set later and takes longer is over after them, however late
 * a busy machine lets them be.
 */
const STILL_MS = 300;
/* What the server has no room for is asked again after 0.7 s. */
const RETRY_MS = 1000;

/** Counts what a page's requests are doing; once per page, before it is opened. */
function watchNetwork(page) {
	const network = { flying: new Set(), changes: 0, turnedAway: false };
	const over = (request) => {
		network.flying.delete(request);
		network.changes++;
	};

	page.on('request', (request) => {
		network.flying.add(request);
		network.changes++;
	});
	page.on('response', (response) => {
		network.turnedAway = [429, 503].includes(response.status());
	});
	page.on('requestfinished', over);
	page.on('requestfailed', over);
	page.network = network;
}

/** Two frames have been drawn, @ms of the page's own time later. */
async function drawn(page, ms = 0) {
	await page.evaluate((wait) => new Promise((resolve) => {
		const frames = () => requestAnimationFrame(() => requestAnimationFrame(resolve));

		if (wait)
			setTimeout(frames, wait);
		else
			frames();
	}), ms);
}

/** The page shows lanes, asks for nothing more and has drawn what it got. */
async function settled(page) {
	const late = Date.now() + LIMIT_MS;
	const { network } = page;

	await drawn(page);
	for (;;) {
		const { changes } = network;

		await drawn(page, network.turnedAway ? RETRY_MS : STILL_MS);
		const said = await page.locator('#status').textContent().catch(() => '');

		if (/^From /.test(said) && !network.flying.size && network.changes === changes)
			return;
		if (Date.now() > late) {
			const what = [...network.flying].map((request) => request.url());

			throw new Error(`the page is not still: "${said}", requests: ${what}`);
		}
	}
}

/** { from, to } in ns, as the status tells to all digits. */
async function span(page) {
	const said = await page.locator('#status').textContent();
	const [, from, to] = /^From ([\d.]+) s to ([\d.]+) s/.exec(said);
	const ns = (seconds) => {
		const [whole, rest] = seconds.split('.');

		return Number(whole) * 1e9 + Number(rest);
	};

	return { from: ns(from), to: ns(to) };
}

/** Where on the screen a lane's drawing is: { x, y, width, height }. */
async function laneBox(page, testId) {
	const row = page.getByTestId(testId).locator('xpath=ancestor::*[contains(@class, "row")][1]');
	const label = await row.boundingBox();
	const stage = await page.locator('#lanes').boundingBox();

	return { x: stage.x, y: label.y, width: stage.width, height: label.height };
}

/** A lane's picture alone, the pointer out of the way. */
async function lanePicture(page, testId) {
	const box = await laneBox(page, testId);

	return look(page, { x: Math.round(box.x), y: Math.round(box.y),
			    width: Math.floor(box.width), height: Math.floor(box.height) });
}

/** Puts the view at a span by its address, as a deep link does. */
async function show(page, view) {
	const text = Object.entries(view).map(([name, value]) => `${name}=${value}`).join('&');

	await page.evaluate((fragment) => {
		history.pushState(null, '', `#${fragment}`);
		dispatchEvent(new PopStateEvent('popstate', { state: null }));
	}, text);
	await settled(page);
}

/** The x of a time on the screen. */
async function xOf(page, t) {
	const { from, to } = await span(page);
	const stage = await page.locator('#lanes').boundingBox();

	return stage.x + (t - from) / (to - from) * stage.width;
}

/** Opens one of the panels: start, selection, legend, marks. */
async function panel(page, name) {
	const tab = page.locator(`#tab-${name}`);

	if (await tab.getAttribute('aria-selected') !== 'true')
		await tab.click();
	await page.locator(`#panel-${name}`).waitFor({ state: 'visible' });
	await settled(page);
}

/** What the page's own origin answers, asked with the page's rights. */
async function ask(page, path) {
	return page.evaluate(async (url) => (await fetch(url)).json(), path);
}

const lengthOf = ({ from, to }) => Math.abs(to.t - from.t);

/** All arrows of a kind of the first four lanes, the shortest first. */
async function arrowsOf(page, kind) {
	const { end } = await ask(page, '/log.json');
	const step = end / 40;
	const found = [];

	for (let i = 0; i < 40; i++) {
		const { arrows } = await ask(page, `/arrows?from=${Math.floor(i * step)}&to=${
			Math.floor((i + 1) * step)}&lanes=0-3&kinds=${kind}&limit=5000`);

		found.push(...(arrows || []));
	}
	return found.sort((a, b) => lengthOf(a) - lengthOf(b));
}

module.exports = { arrowsOf, ask, drawn, laneBox, lanePicture, lengthOf, panel, settled, show, span,
	watchNetwork, xOf };
