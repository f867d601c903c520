// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the bars that stand out on a chart of the jitter, and places names without overlaps.
 *
 * It draws nothing.  For pictures, jitter/plot/labels.c and jitter/plot/chart.c do the same.
 */

/* Pixels from a line to its own name, from a line to other names, between names of a row */
const BESIDE = 4;
const APART = 3;
const BETWEEN = 10;

/* Tried places before a label is left out */
const TRIES = 5000;
/* Largest distance from a mark to its peak, in bins */
const PEAK_REACH = 40;

function isFree(wanted, labels)
{
	return labels.every((other) => Math.abs(wanted.x - other.x) >= APART &&
		(other.row !== wanted.row || wanted.left >= other.right + BETWEEN ||
			other.left >= wanted.right + BETWEEN) &&
		/* A line goes down from its name. */
		(other.row <= wanted.row || other.x <= wanted.left - APART ||
			other.x >= wanted.right + APART) &&
		(other.row >= wanted.row || wanted.x <= other.left - APART ||
			wanted.x >= other.right + APART));
}

/* Places the labels from @at on, from right to left, each in the lowest free row. */
function place(labels, at, space)
{
	const label = labels[at];

	if (at === labels.length)
		return true;
	for (let way = 0; way < 2 * space.rows && space.tries > 0; way++) {
		space.tries--;
		label.row = way >> 1;
		label.left = way % 2 ? label.x - BESIDE - label.width : label.x + BESIDE;
		label.right = label.left + label.width;
		if (label.left >= space.from && label.right <= space.to &&
			isFree(label, labels.slice(0, at)) && place(labels, at + 1, space))
			return true;
	}
	return false;
}

/*
 * Places as many labels of @wanted, { x, width, mark }, as there is room for from @from to @to.
 * Earlier labels have priority.  Returns them with left, right and row, counted from the plot up.
 */
export function placeLabels(wanted, from, to, rows)
{
	let labels = [];

	for (const one of wanted) {
		const more = [...labels, one].sort((a, b) => b.x - a.x).map((label) => ({ ...label }));

		if (place(more, 0, { from, to, rows, tries: TRIES }))
			labels = more;
	}
	return labels;
}

/* The bin with the peak of a mark's curve: at the mark or near it, as the curve has steps. */
export function peakBin({ edges, curves }, { at, curve: number })
{
	const { clear, values } = curves[number];
	let low = 0, high = edges.length - 1;

	while (high - low > 1) {
		const middle = (low + high) >> 1;

		if (at < edges[middle])
			high = middle;
		else
			low = middle;
	}
	let best = low;

	for (let away = 0; away <= PEAK_REACH; away++) {
		for (const bin of [low - away, low + away])
			if (clear[bin] && (!clear[best] || values[bin] > values[best]))
				best = bin;
		if (away && clear[best])
			break;
	}
	return best;
}

/*
 * [{ bin, curve, value, named }] in the order of drawing: first bars of filled curves, then the
 * others from high to low, so that a low bar is not covered by a higher one.
 */
export function barsOf(chart)
{
	const { curves, marks } = chart;
	const named = new Set(marks.map((mark) => `${mark.curve} ${peakBin(chart, mark)}`));
	const bars = curves.flatMap(({ clear, values, filled }, curve) => (clear ?? [])
		.flatMap((is, bin) => is ? [{ bin, curve, filled, value: values[bin],
			named: named.has(`${curve} ${bin}`) }] : []));

	return bars.sort((a, b) => Number(b.filled) - Number(a.filled) || b.value - a.value);
}
