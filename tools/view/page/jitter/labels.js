// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stands out on a chart of the jitter: its bars, and where the names of places stand,
 * none over another.
 *
 * It draws nothing.  jitter/plot/labels.c and jitter/plot/chart.c do the same.
 */

/* Pixels from a line to its own name, to another's, and between names of a row */
const BESIDE = 4;
const APART = 3;
const BETWEEN = 10;

/* Of places, before it counts as too crowded */
const TRIES = 5000;
/* Bins from a mark to its peak, at most */
const PEAK_REACH = 40;

function isFree(wanted, labels)
{
	return labels.every((other) => Math.abs(wanted.x - other.x) >= APART &&
		(other.row !== wanted.row || wanted.left >= other.right + BETWEEN ||
			other.left >= wanted.right + BETWEEN) &&
		/* Lines go down from their names. */
		(other.row <= wanted.row || other.x <= wanted.left - APART ||
			other.x >= wanted.right + APART) &&
		(other.row >= wanted.row || wanted.x <= other.left - APART ||
			wanted.x >= other.right + APART));
}

/* From the label @at on, which are all to its left; each as low as the others let it be. */
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
 * Of { x, width, mark }, the first before others, as many as there is room for from @from
 * to @to, with their row from the plot up, left and right.
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

/* The bin where a mark's curve has its peak: there, or near that, as the curve has steps. */
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
 * [{ bin, curve, named }] in the order to draw: what is filled is behind all, and of others
 * the lower ones before the higher ones.
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
