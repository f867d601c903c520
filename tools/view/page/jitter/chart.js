// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws a chart of curves over bins on a canvas: axes, steps, names of peaks, the cursor.
 *
 * The chart looks as that of jitter/plot/chart.c.  Events report a dragged range and a pressed
 * bin.  It requests nothing.
 */
import { ticks, tickStep } from 'd3-array';
import { sizeCanvas } from '../base/element.js';
import { barsOf, peakBin, placeLabels } from './labels.js';

export const MARGIN = { left: 70, right: 18, top: 26, bottom: 40 };
const LABEL_WIDTH = 80;
const DRAG_LEAST = 4;
const LABEL_ROWS = 5;
const LABEL_LINE = 14;
/* Height of the chart for each row of labels */
const LABEL_SHARE = 70;
/* Opacity of bins that do not stand out, and of those that do but have no name */
const FAINT = 0.3;
const CLEAR = 0.65;

export class JitterChart extends EventTarget {
	chart = null;
	cursor = null;		/* number of the bin under the pointer */
	#canvas;
	#context;
	#width = 1;
	#height = 1;
	#scale = 1;
	#drag = null;
	#top = 1;
	#labels = [];
	#bars = [];

	constructor(canvas)
	{
		super();
		this.#canvas = canvas;
		this.#context = canvas.getContext('2d', { alpha: false });
		canvas.addEventListener('pointerdown', (event) => this.#down(event));
		canvas.addEventListener('pointermove', (event) => this.#move(event));
		canvas.addEventListener('pointerup', (event) => this.#up(event));
		canvas.addEventListener('pointercancel', () => this.#cancel());
		canvas.addEventListener('pointerleave', () => {
			if (!this.#drag)
				this.point(null);
		});
		canvas.addEventListener('dblclick', () => this.dispatchEvent(new Event('fit')));
		canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
	}

	/* For tests */
	get labels()
	{
		return this.#labels.map(({ x, left, right, row, mark }) => ({ x, left, right,
			y: this.#upper - 8 - row * LABEL_LINE, name: mark.name, at: mark.at }));
	}

	/* Width of the plot, CSS pixels */
	get columns()
	{
		return Math.max(Math.floor(this.#width) - MARGIN.left - MARGIN.right, 1);
	}

	/* Top of the plot, below the rows of labels */
	get #upper()
	{
		return MARGIN.top + LABEL_LINE * this.#labels.reduce((rows, { row }) =>
			Math.max(rows, row + 1), 0);
	}

	get #rows()
	{
		return Math.max(this.#height - this.#upper - MARGIN.bottom, 1);
	}

	resize(width, height, scale)
	{
		sizeCanvas(this.#canvas, width, height, scale);
		this.#width = width;
		this.#height = height;
		this.#scale = scale;
	}

	/*
	 * { edges, linear, curves: [{ name, colour, filled, values, clear }], least, unit,
	 * xName, yName, level, marks: [{ at, name, curve }], chosen: [from, to] | null }
	 *
	 * @clear: for each bin, true if it stands out; the other bins are then faint
	 */
	show(chart)
	{
		this.chart = chart;
		this.cursor = null;
		this.#bars = chart ? barsOf(chart) : [];
		const most = Math.max(chart?.level ?? 0, ...(chart?.curves ?? [])
			.flatMap(({ values }) => values.reduce((a, b) => Math.max(a, b), 0)));

		if (chart && chart.least > 0)
			this.#top = 10 ** Math.ceil(Math.log10(Math.max(most, chart.least * 2) * 1.25));
		else
			this.#top = most > 0 ? most * 1.05 : 1;
	}

	/* ---- Places ---- */

	x(at)
	{
		const { edges, linear } = this.chart;
		const from = edges[0], to = edges[edges.length - 1];
		const part = linear ? (at - from) / (to - from) : Math.log(at / from) / Math.log(to / from);

		return MARGIN.left + Math.round(part * this.columns);
	}

	at(x)
	{
		const { edges, linear } = this.chart;
		const from = edges[0], to = edges[edges.length - 1];
		const part = Math.min(Math.max((x - MARGIN.left) / this.columns, 0), 1);

		return linear ? from + part * (to - from) : from * (to / from) ** part;
	}

	y(value)
	{
		const { least } = this.chart;
		const base = this.#upper + this.#rows;

		if (!(value > least))
			return base;
		const part = least > 0 ? Math.log(value / least) / Math.log(this.#top / least) :
			value / this.#top;

		return base - Math.round(Math.min(part, 1) * this.#rows);
	}

	binAt(x)
	{
		const { edges } = this.chart;
		let low = 0, high = edges.length - 1;

		if (x < MARGIN.left || x >= MARGIN.left + this.columns)
			return null;
		while (high - low > 1) {
			const middle = (low + high) >> 1;

			if (x < this.x(edges[middle]))
				high = middle;
			else
				low = middle;
		}
		return low;
	}

	/* ---- Drawing ---- */

	paint(theme)
	{
		const context = this.#context;

		context.setTransform(this.#scale, 0, 0, this.#scale, 0, 0);
		context.fillStyle = theme.panel;
		context.fillRect(0, 0, this.#width, this.#height);
		if (!this.chart)
			return;
		context.font = '11px system-ui, "DejaVu Sans", sans-serif';
		context.textBaseline = 'middle';
		this.#arrange();
		this.#chosen(theme);
		this.#yAxis(theme);
		this.#xAxis(theme);
		for (const curve of this.chart.curves)
			this.#curve(curve);
		if (this.chart.level)
			this.#across(this.y(this.chart.level), theme.text);
		this.#standing();
		this.#names(theme);
		this.#across(this.#upper + this.#rows, theme.text);
		this.#cursorLine(theme);
	}

	#across(y, colour)
	{
		this.#context.fillStyle = colour;
		this.#context.fillRect(MARGIN.left, y, this.columns, 1);
	}

	#upright(x, from, to, colour)
	{
		this.#context.fillStyle = colour;
		this.#context.fillRect(x, from, 1, to - from);
	}

	#label(text, x, y, align, colour)
	{
		this.#context.textAlign = align;
		this.#context.fillStyle = colour;
		this.#context.fillText(text, x, y);
	}

	#yAxis(theme)
	{
		const { least, yName } = this.chart;
		const values = [];

		if (least > 0)
			for (let power = Math.ceil(Math.log10(least)); 10 ** power <= this.#top * 1.001; power++)
				values.push(10 ** power);
		else
			values.push(...ticks(0, this.#top, 5));
		const apart = this.#rows / values.length;

		values.forEach((value, i) => {
			const y = this.y(value);

			this.#across(y, theme.grid);
			if (apart > 13 || i % Math.ceil(13 / apart) === 0)
				this.#label(value.toLocaleString('en-US', { maximumSignificantDigits: 3 }),
					MARGIN.left - 7, y, 'right', theme.text);
		});
		this.#label(yName, 8, 12, 'left', theme.faint);
	}

	/* Even steps if the axis is linear or the range narrow, else digits of powers of ten. */
	#xMarks()
	{
		const { edges, linear } = this.chart;
		const from = edges[0], to = edges[edges.length - 1];
		const wanted = Math.max(this.columns / LABEL_WIDTH, 2);
		const marks = [];

		if (linear || to / from < 8) {
			const step = tickStep(from, to, wanted);

			return ticks(from, to, wanted).map((at) => ({ at, step, named: true }));
		}
		const decade = this.columns / Math.log10(to / from);

		for (let power = 10 ** Math.floor(Math.log10(from)); power <= to; power *= 10)
			for (let digit = 1; digit < 10; digit++) {
				const at = power * digit;

				if (at >= from * 0.999999 && at <= to * 1.000001)
					marks.push({ at, step: power, named: digit === 1 ||
						(decade > 180 && (digit === 2 || digit === 5)) });
			}
		return marks;
	}

	#xAxis(theme)
	{
		const { unit, xName } = this.chart;
		const base = this.#upper + this.#rows;
		let last = -Infinity;

		for (const { at, step, named } of this.#xMarks()) {
			const x = this.x(at);

			this.#upright(x, base, base + (named ? 5 : 3), theme.faint);
			if (!named)
				continue;
			const digits = Math.min(Math.max(Math.ceil(-Math.log10(step / unit) - 1e-9), 0), 9);
			const text = (at / unit).toLocaleString('en-US', { minimumFractionDigits: digits,
				maximumFractionDigits: digits });
			const half = this.#context.measureText(text).width / 2;

			if (x - half < last + 8)
				continue;
			this.#upright(x, this.#upper, base, theme.grid);
			this.#label(text, x, base + 14, 'center', theme.text);
			last = x + half;
		}
		this.#label(xName, MARGIN.left + this.columns, base + 30, 'right', theme.faint);
	}

	#curve({ values, colour, filled, clear })
	{
		const { edges } = this.chart;
		const base = this.#upper + this.#rows;
		let before = base;

		this.#context.globalAlpha = clear ? FAINT : 1;
		this.#context.fillStyle = colour;
		for (let i = 0; i <= values.length; i++) {
			const ends = i === values.length;
			const x = this.x(edges[i]);
			const end = ends ? x : this.x(edges[i + 1]);
			const y = ends ? base : this.y(values[i]);

			if (filled)
				this.#context.fillRect(x, y, end - x, base - y);
			else if (y < base)
				this.#context.fillRect(x, y, end - x, 2);
			if (!filled && before !== y)
				this.#context.fillRect(x - (y > before ? 1 : 0), Math.min(before, y), 1,
					Math.abs(y - before));
			before = y;
		}
		this.#context.globalAlpha = 1;
	}

	/* Places as many names above the plot as there is room for. */
	#arrange()
	{
		const wanted = this.chart.marks.map((mark) => ({ mark,
			bin: peakBin(this.chart, mark), width: this.#context.measureText(mark.name).width }))
			.map((label) => ({ ...label, x: this.x(this.chart.edges[label.bin]) }));

		this.#labels = placeLabels(wanted, MARGIN.left, MARGIN.left + this.columns,
			Math.min(Math.floor(this.#height / LABEL_SHARE), LABEL_ROWS));
	}

	/* Draws the bins that stand out, from the level up. */
	#standing()
	{
		const { curves, edges, level } = this.chart;
		const base = this.y(level);

		for (const { bin, curve, value, named } of this.#bars) {
			const x = this.x(edges[bin]);
			const y = this.y(value);

			this.#context.globalAlpha = named ? 1 : CLEAR;
			this.#context.fillStyle = curves[curve].colour;
			this.#context.fillRect(x, y, Math.max(this.x(edges[bin + 1]) - x, 1),
				Math.max(base - y, 2));
		}
		this.#context.globalAlpha = 1;
	}

	#names(theme)
	{
		const { curves } = this.chart;

		for (const { x, left, row, bin, mark } of this.#labels) {
			const y = this.#upper - 8 - row * LABEL_LINE;

			this.#upright(x, y - 6, this.y(Math.max(...curves.map(({ values }) => values[bin]))) - 1,
				theme.faint);
			this.#label(mark.name, left, y, 'left', theme.strong);
		}
	}

	#chosen(theme)
	{
		const range = this.#drag?.moved ? [this.at(this.#drag.from), this.at(this.#drag.to)]
			.sort((a, b) => a - b) : this.chart.chosen;

		if (!range)
			return;
		const { edges } = this.chart;
		const x = this.x(Math.min(Math.max(range[0], edges[0]), edges[edges.length - 1]));
		const end = this.x(Math.min(Math.max(range[1], edges[0]), edges[edges.length - 1]));

		this.#context.fillStyle = theme.selection;
		this.#context.fillRect(x, this.#upper, Math.max(end - x, 1), this.#rows);
	}

	#cursorLine(theme)
	{
		if (this.cursor === null)
			return;
		const x = this.x(this.chart.edges[this.cursor]);
		const end = this.x(this.chart.edges[this.cursor + 1]);

		this.#context.strokeStyle = theme.accent;
		this.#context.lineWidth = 1;
		this.#context.strokeRect(x - 0.5, this.#upper + 0.5, Math.max(end - x, 1) + 1, this.#rows);
	}

	/* ---- Pointer and keys ---- */

	#place(event)
	{
		const box = this.#canvas.getBoundingClientRect();

		return { x: event.clientX - box.left, y: event.clientY - box.top };
	}

	point(bin)
	{
		if (bin === this.cursor)
			return;
		this.cursor = bin;
		this.dispatchEvent(new Event('point'));
	}

	/* Moves the cursor by @count bins. */
	step(count)
	{
		if (!this.chart)
			return;
		const last = this.chart.edges.length - 2;

		this.point(this.cursor === null ? 0 :
			Math.min(Math.max(this.cursor + count, 0), last));
	}

	#down(event)
	{
		if (!this.chart || event.button !== 0)
			return;
		const { x } = this.#place(event);

		this.#canvas.setPointerCapture(event.pointerId);
		this.#drag = { from: x, to: x, moved: false };
	}

	#move(event)
	{
		if (!this.chart)
			return;
		const { x } = this.#place(event);

		if (this.#drag) {
			this.#drag.to = x;
			this.#drag.moved ||= Math.abs(x - this.#drag.from) >= DRAG_LEAST;
			this.dispatchEvent(new Event('drag'));
		}
		this.point(this.binAt(x));
	}

	#cancel()
	{
		this.#drag = null;
		this.dispatchEvent(new Event('drag'));
	}

	#up(event)
	{
		const drag = this.#drag;

		this.#drag = null;
		if (!drag || !this.chart)
			return;
		if (drag.moved) {
			const [from, to] = [this.at(drag.from), this.at(drag.to)].sort((a, b) => a - b);

			this.dispatchEvent(new CustomEvent('zoom', { detail: { from, to } }));
			return;
		}
		const { x, y } = this.#place(event);
		const bin = this.binAt(x);

		if (bin !== null)
			this.press(bin, y);
	}

	/* @y: chooses the nearest curve; null: the first curve with a value in this bin */
	press(bin, y = null)
	{
		const { curves, edges } = this.chart;
		const here = curves.map((curve, i) => ({ i, value: curve.values[bin] }))
			.filter(({ value }) => value > 0);

		if (y !== null)
			here.sort((a, b) => Math.abs(this.y(a.value) - y) - Math.abs(this.y(b.value) - y));
		this.dispatchEvent(new CustomEvent('press', { detail: {
			curve: here[0]?.i ?? null, from: edges[bin], to: edges[bin + 1] } }));
	}

	#wheel(event)
	{
		if (!this.chart)
			return;
		event.preventDefault();
		this.zoom(event.deltaY < 0 ? 0.7 : 1 / 0.7, this.#place(event).x);
	}

	/* Zooms around @x, by default the middle. */
	zoom(factor, x = MARGIN.left + this.columns / 2)
	{
		this.#range((part, middle) => middle + (part - middle) * factor, x);
	}

	pan(parts)
	{
		this.#range((part) => part + parts, MARGIN.left);
	}

	/* Changes the range.  @moved: converts the ends, 0 and 1, to parts of the current axis */
	#range(moved, x)
	{
		if (!this.chart)
			return;
		const { edges, linear } = this.chart;
		const from = edges[0], to = edges[edges.length - 1];
		const middle = (x - MARGIN.left) / this.columns;
		const value = (part) => linear ? from + part * (to - from) : from * (to / from) ** part;
		const detail = { from: Math.max(value(moved(0, middle)), 0), to: value(moved(1, middle)) };

		this.dispatchEvent(new CustomEvent('zoom', { detail }));
	}
}
