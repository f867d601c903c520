// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Uses the jitter view as users do, and reads the report of the same samples.
 */
'use strict';

const { execFileSync } = require('child_process');
const assert = require('assert');
const { build } = require('./build');
const { setFragment } = require('./page');
const { until } = require('./testing');

const SERIES = ['user', 'interruption', 'part'];
const COLUMN = { user: 'noise_ns', interruption: 'length_ns', part: 'own_ns' };

/** Rows of one of the report's tables, as objects of texts. */
function table(directory, name) {
	const text = execFileSync(`${build}/tools/evtlog`,
				  ['jitter', 'report', `--csv=${name}`, directory], { maxBuffer: 1 << 28 });
	const [head, ...lines] = text.toString('latin1').trimEnd().split('\n');
	const names = head.split(',');

	return lines.map((line) => {
		const cells = !line.includes('"') ? line.split(',') : line.match(/("([^"]|"")*"|[^,]*)(,|$)/g)
			.map((cell) => cell.replace(/,$/, '').replace(/^"(.*)"$/, '$1').replace(/""/g, '"'));

		return Object.fromEntries(names.map((one, i) => [one, cells[i]]));
	});
}

/** { tables, lengths } by series, without excluded rows */
function report(directory) {
	const counted = (name) => table(directory, name).filter(({ excluded }) => excluded === '0');
	const tables = { user: counted('samples'), interruption: counted('interruptions'),
			 part: counted('parts') };
	const lengths = Object.fromEntries(Object.entries(tables).map(([series, rows]) =>
		[series, rows.map((row) => Number(row[COLUMN[series]]))]));

	return { tables, lengths };
}

const within = (values, from, to) => values.filter((ns) => ns >= from && ns < to);

async function ready(page) {
	return until('the chart', async () => {
		// A page that has just been loaded shows nothing at first.
		const shown = await page.evaluate(() => {
			const { jitter } = window.evtlog ?? {};

			return jitter && !jitter.busy && jitter.edges && JSON.stringify(jitter);
		});

		return shown && JSON.parse(shown);
	});
}

async function open(page, words = 'histogram') {
	await setFragment(page, `jitter=${encodeURIComponent(words)}`);
	return ready(page);
}

/** The view's bars count these lengths. */
function agrees(shown, lengths) {
	shown.curves.forEach(({ values }, i) => {
		const own = lengths[SERIES[i]];

		values.forEach((value, bin) => assert.strictEqual(value,
			within(own, shown.edges[bin], shown.edges[bin + 1]).length,
			`series ${i}, ${shown.edges[bin]} to ${shown.edges[bin + 1]} ns`));
	});
}

/** A place on the chart, in pixels of the screen. */
async function place(page, x, y) {
	const box = await page.locator('#jitter-chart').boundingBox();

	return [box.x + x, box.y + y];
}

/**
 * Rows of the list as texts by column: time, CPU, for parts the part's own time, user, kernel,
 * crossing, residual, and the parts.
 */
async function listed(page) {
	await page.locator('#jitter-list tbody').waitFor();
	return page.locator('#jitter-list tbody tr').evaluateAll((rows) =>
		rows.map((row) => [...row.cells].map((cell) => cell.innerText)));
}

/* The column of a list's row that decides in which bar of a series it is */
const BY = { user: 2, interruption: 3, part: 2 };

const near = (ns, shown) => Math.abs(ns - shown) <= 0.501;
const micro = (text) => Number(text.replace(/,/g, '')) * 1000;

/** The middle and the bin of a bar that is not empty */
function bar(shown, series, least = 1, most = Infinity) {
	const bin = shown.curves[series].values.findIndex((value, i) => value >= least &&
		value <= most && shown.places[i + 1] - shown.places[i] >= 3);

	assert(bin >= 0, 'no such bar: this test tests nothing');
	return { bin, x: (shown.places[bin] + shown.places[bin + 1]) / 2,
		 y: shown.heights[series][bin], from: shown.edges[bin], to: shown.edges[bin + 1] };
}

module.exports = { BY, COLUMN, agrees, bar, listed, micro, near, open, place, ready, report, table,
		   within };
