// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures the time from opening the viewer's URL to the first lanes drawn, and the frames per
 * second while the view moves.
 */
'use strict';

const { openPage } = require('./browser');
const { settled } = require('./page');

/** Returns the ms from the start of the navigation until lanes with all their data are drawn. */
async function firstPaint(browser, server, options = {}) {
	const view = await openPage(browser, server.origin, options);
	const { page } = view;

	try {
		await page.goto(server.url, { waitUntil: 'commit' });
		await page.waitForFunction(() =>
			performance.getEntriesByName('evtlog.lanes').length, null, { polling: 'raf' });
		// The page's clock begins with the navigation
		return await page.evaluate(() => performance.getEntriesByName('evtlog.lanes')[0].startTime);
	} finally {
		await view.close();
	}
}

/*
 * Runs in the page: moves by @kind for @ms, a step per frame, with the events of a pointer.
 * Returns the intervals between frames.
 */
function move({ kind, ms }) {
	const stage = document.getElementById('stage');
	const box = stage.getBoundingClientRect();
	const x0 = box.left + box.width / 2;
	const y0 = box.top + box.height / 2;
	const pointer = (type, x) => stage.dispatchEvent(new PointerEvent(type, {
		bubbles: true, cancelable: true, pointerId: 1, button: 0, buttons: 1,
		clientX: x, clientY: y0,
	}));
	const wheel = (deltaY, altKey = false) => stage.dispatchEvent(new WheelEvent('wheel', {
		bubbles: true, cancelable: true, deltaY, altKey, clientX: x0, clientY: y0,
	}));
	const steps = {
		pan: (n) => pointer('pointermove', x0 + box.width * 0.45 * Math.sin(n / 40)),
		zoom: (n) => wheel(Math.sin(n / 40) > 0 ? -60 : 60),
		scroll: (n) => wheel(Math.sin(n / 40) > 0 ? 40 : -40, true),
	};

	stage.setPointerCapture = () => {};
	if (kind === 'pan')
		pointer('pointerdown', x0);
	return new Promise((resolve) => {
		const intervals = [];
		const start = performance.now();
		let last = null;
		let n = 0;

		function frame(now) {
			if (last !== null)
				intervals.push(now - last);
			last = now;
			if (now - start > ms) {
				if (kind === 'pan')
					pointer('pointerup', x0);
				resolve(intervals);
				return;
			}
			steps[kind](n++);
			requestAnimationFrame(frame);
		}
		requestAnimationFrame(frame);
	});
}

/** Frames per second while moving, { median, p95 }, and the numbers { frames, painted }. */
async function frames(page, kind, ms = 4000) {
	await settled(page);
	const before = await page.evaluate(() => window.evtlog.frames);
	const intervals = (await page.evaluate(move, { kind, ms })).sort((a, b) => a - b);
	const after = await page.evaluate(() => window.evtlog.frames);
	const at = (part) => 1000 / intervals[Math.floor(intervals.length * part)];

	await settled(page);
	return { median: at(0.5), p95: at(0.95), frames: intervals.length, painted: after - before };
}

module.exports = { firstPaint, frames };
