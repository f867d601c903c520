// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Uses the viewer's page as users do: its controls by name, its lanes by place.  Reads what is
 * shown, not what the page's scripts hold.
 */
'use strict';

const { look } = require('./pixels');

const LIMIT_MS = 60000;
/* Timers up to soon ms run at once; timers up to late ms, which ask again, are waited for. */
const TIMERS_MS = { soon: 300, late: 1000 };

/*
 * Runs in a page before its own scripts, and follows its timers and requests: so it is known that
 * the page is still, without waiting for time to pass.
 */
function watch({ soon, late }) {
	const { clearTimeout: clear, fetch: get, setTimeout: set } = window;
	const timers = new Map();	/* by number: { ms, due, run } */
	const flying = new Set();
	const track = (promise, name) => {
		const one = { name };
		const over = () => flying.delete(one);

		flying.add(one);
		promise.then(over, over);
		return promise;
	};

	window.setTimeout = (what, ms = 0, ...rest) => {
		const run = () => {
			window.clearTimeout(number);
			what(...rest);
		};
		const number = set(run, ms);

		timers.set(number, { ms, due: performance.now() + ms, run });
		return number;
	};
	window.clearTimeout = (number) => {
		timers.delete(number);
		clear(number);
	};
	window.fetch = (url, ...rest) => track(get(url, ...rest), url);
	for (const name of ['arrayBuffer', 'json', 'text']) {
		const read = Response.prototype[name];

		Response.prototype[name] = function () {
			return track(read.call(this), this.url);
		};
	}
	for (const name of ['back', 'forward']) {
		const go = history[name];

		history[name] = () => {
			track(new Promise((resolve) => addEventListener('popstate', resolve, { once: true })), name);
			go.call(history);
		};
	}

	/* Resolves two frames after the page shows lanes and nothing is left to wait for. */
	window.still = async (limit_ms) => {
		const end = performance.now() + limit_ms;

		for (let frames = 0; ; frames++) {
			const said = document.getElementById('status')?.textContent;
			const next = [...timers.values()].filter(({ ms }) => ms <= late)
				.sort((a, b) => a.due - b.due)[0];

			if (next || flying.size || !/^From /.test(said))
				frames = 0;
			else if (frames === 2)
				return;
			if (next?.ms <= soon && !flying.size)
				next.run();
			if (performance.now() > end)
				throw new Error(`the page is not still: "${said}", timer: ${next?.ms}, requests: ${
					[...flying].map(({ name }) => name)}`);
			await new Promise((resolve) => requestAnimationFrame(() => set(resolve)));
		}
	};
}

/** Call once per page, before it is opened. */
const watchPage = (page) => page.addInitScript(watch, TIMERS_MS);

/** Waits until the page shows lanes, requests nothing more, and has drawn all answers. */
const settled = (page) => page.evaluate((limit_ms) => window.still(limit_ms), LIMIT_MS);

/** Returns { from, to } in ns, from the status, which has all digits. */
async function span(page) {
	const said = await page.locator('#status').textContent();
	const [, from, to] = /^From ([\d.]+) s to ([\d.]+) s/.exec(said);
	const ns = (seconds) => {
		const [whole, rest] = seconds.split('.');

		return Number(whole) * 1e9 + Number(rest);
	};

	return { from: ns(from), to: ns(to) };
}

/** Where a lane's drawing is on the screen: { x, y, width, height } */
const laneBox = (page, testId) => page.evaluate((id) => {
	const label = document.querySelector(`[data-testid="${id}"]`).parentElement;
	const { x, width } = document.getElementById('lanes').getBoundingClientRect();
	const { y, height } = label.closest('[class*=row]').getBoundingClientRect();

	return { x, y, width, height };
}, testId);

/** The picture of a lane alone */
async function lanePicture(page, testId) {
	const box = await laneBox(page, testId);

	return look(page, { x: Math.round(box.x), y: Math.round(box.y),
			    width: Math.floor(box.width), height: Math.floor(box.height) });
}

/** Sets the address's fragment, as a deep link does. */
const setFragment = (page, text) => page.evaluate((fragment) => {
	history.pushState(null, '', `#${fragment}`);
	dispatchEvent(new PopStateEvent('popstate', { state: null }));
}, text);

/** Sets the view by its address. */
async function show(page, view) {
	await setFragment(page, Object.entries(view).map(([name, value]) => `${name}=${value}`).join('&'));
	await settled(page);
}

/** The x of a time on the screen. */
async function xOf(page, t) {
	const { from, to } = await span(page);
	const { x, width } = await page.evaluate(() => document.getElementById('lanes').getBoundingClientRect());

	return x + (t - from) / (to - from) * width;
}

/** Opens one of the panels: start, selection, legend, marks. */
async function panel(page, name) {
	const tab = page.locator(`#tab-${name}`);

	if (await tab.getAttribute('aria-selected') !== 'true')
		await tab.click();
	await page.locator(`#panel-${name}`).waitFor({ state: 'visible' });
	await settled(page);
}

/** Returns the answers of the page's own origin, requested with the page's rights. */
async function askAll(page, paths) {
	const texts = await page.evaluate((urls) => Promise.all(urls.map(async (url) =>
		(await fetch(url)).text())), paths);

	return texts.map((text) => JSON.parse(text));
}

const ask = async (page, path) => (await askAll(page, [path]))[0];

/** The page's counters of a host: { level, first, count, series: [{ lane, states, mean, ... }] } */
const answered = async (page, host = 0) => JSON.parse(await page.evaluate((number) =>
	JSON.stringify(window.evtlog.counters(number)), host));

const lengthOf = ({ from, to }) => Math.abs(to.t - from.t);

/** All arrows of a kind of the first four lanes, the shortest first. */
async function arrowsOf(page, kind) {
	const { end } = await ask(page, '/log.json');
	const step = end / 40;
	const answers = await askAll(page, Array.from({ length: 40 }, (_, i) => `/arrows?from=${
		Math.floor(i * step)}&to=${Math.floor((i + 1) * step)}&lanes=0-3&kinds=${kind}&limit=5000`));

	return answers.flatMap(({ arrows }) => arrows || []).sort((a, b) => lengthOf(a) - lengthOf(b));
}

module.exports = { answered, arrowsOf, ask, askAll, laneBox, lanePicture, lengthOf, panel, setFragment, settled, show, span,
	watchPage, xOf };
