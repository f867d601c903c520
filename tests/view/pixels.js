// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A page's screenshot as colours.
 */
'use strict';

const { load } = require('./build');
const { PNG } = load('pngjs');

class Picture {
	constructor(png) {
		const { width, height, data } = PNG.sync.read(png);

		this.width = width;
		this.height = height;
		this.data = data;
	}

	/** [red, green, blue] at a place. */
	at(x, y) {
		const i = 4 * (Math.floor(y) * this.width + Math.floor(x));

		return [...this.data.subarray(i, i + 3)];
	}

	/** The number of pixels of a box, or of all, that @matches */
	count(matches, box = { x: 0, y: 0, width: this.width, height: this.height }) {
		let n = 0;

		for (let y = Math.floor(box.y); y < Math.min(box.y + box.height, this.height); y++)
			for (let x = Math.floor(box.x); x < Math.min(box.x + box.width, this.width); x++)
				n += matches(this.at(x, y)) ? 1 : 0;
		return n;
	}

	/** The colours of a box with their numbers of pixels, the most frequent first */
	colours(box) {
		const counts = new Map();

		this.count(([red, green, blue]) => {
			const key = red << 16 | green << 8 | blue;

			counts.set(key, (counts.get(key) || 0) + 1);
			return false;
		}, box);
		return [...counts].sort((a, b) => b[1] - a[1])
			.map(([key, n]) => ({ colour: [key >> 16, key >> 8 & 255, key & 255], n }));
	}

	/** The number of pixels that differ by more than @most from another picture of this size */
	differs(other, most = 0) {
		const differ = (i) => Math.abs(this.data[i] - other.data[i]) > most;
		let n = 0;

		if (this.width !== other.width || this.height !== other.height)
			return this.width * this.height;
		for (let i = 0; i < this.data.length; i += 4)
			n += differ(i) || differ(i + 1) || differ(i + 2) ? 1 : 0;
		return n;
	}
}

/**
 * The PNG of a screenshot of the page, or of a box of it.  Page.screenshot() takes twice the CPU
 * time.  Screenshots are taken one after another: each moves what the browser shows to its box.
 */
async function shoot(page, box = { x: 0, y: 0, ...page.viewportSize() }) {
	page.shot = Promise.resolve(page.shot).then(async () => {
		page.devtools ??= await page.context().newCDPSession(page);
		return page.devtools.send('Page.captureScreenshot',
			{ clip: { ...box, scale: 1 }, format: 'png', optimizeForSpeed: true });
	});
	return Buffer.from((await page.shot).data, 'base64');
}

const look = async (page, box) => new Picture(await shoot(page, box));

/** True if two colours are equal up to the screen's rounding. */
function near(a, b, most = 8) {
	return a.every((value, i) => Math.abs(value - b[i]) <= most);
}

/** The three numbers of a CSS colour, as in computed style or #rrggbb */
function colourOf(css) {
	const hex = /^#([0-9a-f]{6})$/i.exec(css.trim());

	if (hex)
		return [0, 2, 4].map((i) => parseInt(hex[1].slice(i, i + 2), 16));
	const numbers = css.match(/[\d.]+/g);

	if (!numbers || numbers.length < 3)
		throw new Error(`no colour: ${css}`);
	return numbers.slice(0, 3).map(Number);
}

module.exports = { Picture, colourOf, look, near, shoot };
