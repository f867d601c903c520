// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ruler's scale: positions and labels of its steps.
 *
 * Zoomed in far from the start of a log, labels are relative to an anchor, a round time before
 * the view, so that they stay short and exact.
 */
import { ticks, tickIncrement } from 'd3-array';
import { seconds, unitOf } from '../data/times.js';

const LABEL_WIDTH = 110;
const SECONDS_LEAST = 1e5;	/* ns of a step: four decimals */

export function axisOf(from, to, width)
{
	const wanted = Math.max(Math.floor(width / LABEL_WIDTH), 2);
	const increment = tickIncrement(from, to, wanted);
	const step = Math.max(increment < 0 ? -1 / increment : increment, 1);
	/* Seconds, as on the command line, if labels stay short. */
	const [unit, name] = step >= SECONDS_LEAST ? [1e9, 's'] : unitOf(step);
	const frame = unit * 1000;
	const anchored = unit < 1e9 && from >= frame && to - from < frame * 100;
	const anchor = anchored ? Math.floor(from / frame) * frame : 0;
	const decimals = unit === 1e9 ? Math.max(Math.ceil(9 - Math.log10(step) - 1e-9), 0) : 0;
	const times = step === 1 ? whole(from, to) : ticks(from, to, wanted);
	const sign = anchored ? '+' : '';

	return {
		step, anchor: anchored ? seconds(anchor) : '',
		marks: times.map((t) => ({
			t, label: `${sign}${((t - anchor) / unit).toLocaleString('en-US',
				{ minimumFractionDigits: decimals, maximumFractionDigits: decimals })} ${name}`,
		})),
		/* Smaller steps in between, without labels. */
		minor: minor(from, to, step),
	};
}

function whole(from, to)
{
	const times = [];

	for (let t = Math.ceil(from); t <= to; t++)
		times.push(t);
	return times;
}

function minor(from, to, step)
{
	const part = step >= 10 || step === 5 ? step / 5 : step / 2;
	const times = [];

	if (part < 1 || (to - from) / part > 400)
		return times;
	for (let i = Math.ceil(from / part); i * part <= to; i++)
		times.push(i * part);
	return times;
}
