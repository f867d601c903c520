// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws the ruler above the lanes: scale, selection with its length, marks.
 *
 * Zoomed in far from the start of a log, labels are relative to an anchor, a round time before
 * the view, so that they stay short and exact.
 *
 * Stage: drawing only; pointer.js moves the selection, marks.js keeps the marks.
 */
import { clean } from '../data/names.js';
import { exact, seconds, short, unitOf } from '../data/times.js';
import { sizeCanvas } from '../base/element.js';

const RULER_HEIGHT = 40;
const LABEL_WIDTH = 110;
const SECONDS_LEAST = 1e5;	/* ns of a step: four decimals */

/* ---- Positions and labels of the steps ---- */

function axisOf(from, to, width)
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

/* ---- The ruler ---- */

export class Ruler {
	#canvas;
	#context;
	#scale = 1;
	anchor = '';

	constructor(canvas)
	{
		this.#canvas = canvas;
		this.#context = canvas.getContext('2d', { alpha: false });
	}

	resize(width, scale)
	{
		sizeCanvas(this.#canvas, width, RULER_HEIGHT, scale);
		this.#scale = scale;
	}

	paint({ view, theme, marks, pointer })
	{
		const context = this.#context;
		const width = this.#canvas.width / this.#scale;
		const x = (t) => (t - view.from) / view.span * width;
		const axis = axisOf(view.from, view.to, width);

		context.setTransform(this.#scale, 0, 0, this.#scale, 0, 0);
		context.fillStyle = theme.panel;
		context.fillRect(0, 0, width, RULER_HEIGHT);
		context.fillStyle = theme.faint;
		for (const t of axis.minor)
			context.fillRect(Math.round(x(t)), RULER_HEIGHT - 5, 1, 5);
		context.font = '11px "DejaVu Sans", system-ui, sans-serif';
		context.textBaseline = 'alphabetic';
		context.fillStyle = theme.text;
		let end = -Infinity;

		for (const { t, label } of axis.marks) {
			const at = Math.round(x(t));
			const wide = context.measureText(label).width;

			context.fillRect(at, RULER_HEIGHT - 10, 1, 10);
			if (at + 4 < end || at + 4 + wide > width)
				continue;
			context.fillText(label, at + 4, RULER_HEIGHT - 8);
			end = at + wide + 14;
		}
		this.anchor = axis.anchor;
		this.#marks(marks, theme, x, width, this.#selection(view, theme, x, width));
		if (pointer !== null) {
			context.fillStyle = theme.accent;
			context.fillRect(Math.round(x(pointer)), 0, 1, RULER_HEIGHT);
		}
	}

	/* Returns the range of the selection's text, [from, to]; marks are not named there. */
	#selection({ selection }, theme, x, width)
	{
		if (!selection)
			return [0, 0];
		const context = this.#context;
		const a = x(selection.from), b = x(selection.to);
		const left = Math.max(a, 0), right = Math.min(b, width);

		if (right < 0 || left > width)
			return [0, 0];
		context.fillStyle = theme.selection;
		context.fillRect(left, 0, Math.max(right - left, 1), RULER_HEIGHT);
		context.fillStyle = theme.accent;
		context.fillRect(left, 0, Math.max(right - left, 1), 2);
		const span = selection.to - selection.from;
		const long = span >= 1000 ? `${exact(span)} (${short(span)})` : exact(span);

		context.font = 'bold 11px "DejaVu Sans", system-ui, sans-serif';
		const wide = context.measureText(long).width;
		const middle = Math.min(Math.max((left + right) / 2 - wide / 2, 4), width - wide - 4);

		context.fillStyle = theme.panel;
		context.fillRect(middle - 3, 3, wide + 6, 14);
		context.fillStyle = theme.strong;
		context.fillText(long, middle, 14);
		return [middle - 6, middle + wide + 6];
	}

	#marks(marks, theme, x, width, [taken, free])
	{
		const context = this.#context;
		let end = -Infinity;

		context.font = '10px "DejaVu Sans", system-ui, sans-serif';
		for (const { t, text } of marks) {
			const at = Math.round(x(t));

			if (at < -200 || at > width)
				continue;
			context.fillStyle = theme.mark;
			context.fillRect(at, 0, 1, RULER_HEIGHT);
			context.beginPath();
			context.moveTo(at, 2);
			context.lineTo(at + 8, 6);
			context.lineTo(at, 10);
			context.fill();
			const shown = clean(text.length > 24 ? `${text.slice(0, 23)}…` : text);
			const stop = at + 11 + context.measureText(shown).width;

			if (at < end || (stop > taken && at < free))
				continue;
			context.fillText(shown, at + 11, 10);
			end = stop + 6;
		}
	}
}
