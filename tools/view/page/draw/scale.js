// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ruler's scale: positions and labels of its steps.
 *
 * Zoomed in far from the start of a log, labels are relative to an anchor, a round time before
 * the view, so that they stay short and exact.
 */
import { seconds, unitOf } from '../data/times.js';

const LABEL_WIDTH = 110;
const SECONDS_LEAST = 1e5;	/* ns of a step: four decimals */

export function axisOf(from, to, width)
{
	const step = stepOf((to - from) / Math.max(Math.floor(width / LABEL_WIDTH), 2));
	/* Seconds, as on the command line, if labels stay short. */
	const [unit, name] = step >= SECONDS_LEAST ? [1e9, 's'] : unitOf(step);
	const frame = unit * 1000;
	const anchored = unit < 1e9 && from >= frame && to - from < frame * 100;
	const anchor = anchored ? Math.floor(from / frame) * frame : 0;
	const decimals = unit === 1e9 ? Math.max(Math.ceil(9 - Math.log10(step) - 1e-9), 0) : 0;
	const sign = anchored ? '+' : '';

	return {
		anchor: anchored ? seconds(anchor) : '',
		marks: multiples(step, from, to).map((t) => ({
			t, label: `${sign}${((t - anchor) / unit).toLocaleString('en-US',
				{ minimumFractionDigits: decimals, maximumFractionDigits: decimals })} ${name}`,
		})),
		/* Smaller steps in between, without labels. */
		minor: minor(from, to, step),
	};
}

/* 1, 2 or 5 times a power of ten, at least 1: the nearest to @span by ratio */
function stepOf(span)
{
	const power = 10 ** Math.floor(Math.log10(span)), ratio = span / power;

	return Math.max(power * (ratio >= 50 ** 0.5 ? 10 : ratio >= 10 ** 0.5 ? 5 : ratio >= 2 ** 0.5 ? 2 : 1), 1);
}

function multiples(step, from, to)
{
	const times = [];

	/* Not -0, which a label would show */
	for (let i = Math.ceil(from / step) || 0; i * step <= to; i++)
		times.push(i * step);
	return times;
}

function minor(from, to, step)
{
	const part = step >= 10 || step === 5 ? step / 5 : step / 2;

	return part < 1 || (to - from) / part > 400 ? [] : multiples(part, from, to);
}
