// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows a chart of curves over bins, which the server draws, with a cursor and the selected range.
 *
 * Events report a dragged range and a pressed bin.  It requests nothing.
 */
import { sizeCanvas } from '../base/element.js';

const DRAG_LEAST = 4;

/* The picture of an answer, an image. */
export async function pictureOf({ svg })
{
	const picture = new Image();

	picture.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
	try {
		await picture.decode();
	} finally {
		URL.revokeObjectURL(picture.src);
	}
	return picture;
}

export class JitterChart extends EventTarget {
	chart = null;
	cursor = null;		/* number of the bin under the pointer */
	#canvas;
	#context;
	#scale = 1;
	#still = null;		/* the picture in device pixels: to draw SVG takes several ms */
	#drag = null;

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

	resize(width, height, scale)
	{
		sizeCanvas(this.#canvas, width, height, scale);
		this.#scale = scale;
		this.#still = null;
	}

	/*
	 * { edges, linear, curves: [{ values }], least, top, picture, width, height, x, y, columns, rows,
	 * chosen: [from, to] | null }
	 *
	 * @picture: of the size @width, @height; the plot is at @x, @y
	 */
	show(chart)
	{
		this.chart = chart;
		this.cursor = null;
		this.#still = null;
	}

	/* ---- Places ---- */

	x(at)
	{
		const { edges, linear, x, columns } = this.chart;
		const from = edges[0], to = edges[edges.length - 1];
		const part = linear ? (at - from) / (to - from) : Math.log(at / from) / Math.log(to / from);

		return x + Math.round(part * columns);
	}

	/* The value at a part of the x axis */
	#value(part)
	{
		const { edges, linear } = this.chart;
		const from = edges[0], to = edges[edges.length - 1];

		return linear ? from + part * (to - from) : from * (to / from) ** part;
	}

	at(place)
	{
		const { x, columns } = this.chart;

		return this.#value(Math.min(Math.max((place - x) / columns, 0), 1));
	}

	y(value)
	{
		const { least, top, y, rows } = this.chart;

		if (!(value > least))
			return y + rows;
		const part = least > 0 ? Math.log(value / least) / Math.log(top / least) : value / top;

		return y + rows - Math.round(Math.min(part, 1) * rows);
	}

	binAt(x)
	{
		const { edges, x: left, columns } = this.chart;
		let low = 0, high = edges.length - 1;

		if (x < left || x >= left + columns)
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

		context.setTransform(1, 0, 0, 1, 0, 0);
		context.fillStyle = theme.panel;
		context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
		if (!this.chart)
			return;
		this.#still ??= this.#drawn();
		context.drawImage(this.#still, 0, 0);
		context.setTransform(this.#scale, 0, 0, this.#scale, 0, 0);
		this.#chosen(theme);
		this.#cursorLine(theme);
	}

	#drawn()
	{
		const { picture, width, height } = this.chart;
		const still = document.createElement('canvas');

		sizeCanvas(still, width, height, this.#scale);
		still.getContext('2d').drawImage(picture, 0, 0, still.width, still.height);
		return still;
	}

	#chosen(theme)
	{
		const range = this.#drag?.moved ? [this.at(this.#drag.from), this.at(this.#drag.to)]
			.sort((a, b) => a - b) : this.chart.chosen;

		if (!range)
			return;
		const { edges, y, rows } = this.chart;
		const [x, end] = range.map((at) =>
			this.x(Math.min(Math.max(at, edges[0]), edges[edges.length - 1])));

		this.#context.fillStyle = theme.selection;
		this.#context.fillRect(x, y, Math.max(end - x, 1), rows);
	}

	#cursorLine(theme)
	{
		if (this.cursor === null)
			return;
		const { edges, y, rows } = this.chart;
		const x = this.x(edges[this.cursor]), end = this.x(edges[this.cursor + 1]);

		this.#context.strokeStyle = theme.accent;
		this.#context.lineWidth = 1;
		this.#context.strokeRect(x - 0.5, y + 0.5, Math.max(end - x, 1) + 1, rows);
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
	zoom(factor, x = null)
	{
		const { x: left = 0, columns = 1 } = this.chart ?? {};
		const middle = x === null ? 0.5 : (x - left) / columns;

		this.#range(middle - middle * factor, middle + (1 - middle) * factor);
	}

	pan(parts)
	{
		this.#range(parts, 1 + parts);
	}

	/* Changes the ends of the range, as parts of the current axis. */
	#range(begin, end)
	{
		if (this.chart)
			this.dispatchEvent(new CustomEvent('zoom', { detail: {
				from: Math.max(this.#value(begin), 0), to: this.#value(end) } }));
	}
}
