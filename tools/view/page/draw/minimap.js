// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The minimap above the lanes: the load over the whole run, and the visible window.
 *
 * Stage: draws /overview once for each size.  Dragging the window moves the view, dragging an
 * edge zooms, and a press elsewhere moves the view there.
 */
import { pack, css } from './colours.js';
import { FLAG_OUTSIDE } from '../data/tiles.js';
import { seconds } from '../data/times.js';
import { sizeCanvas } from '../base/element.js';

const BINS = 800;
const EDGE = 6;

export class Minimap extends EventTarget {
	#canvas;
	#context;
	#bins = null;
	#image = null;
	#width = 1;
	#height = 1;
	#scale = 1;
	#drag = null;

	constructor(canvas, view)
	{
		super();
		this.#canvas = canvas;
		this.#context = canvas.getContext('2d', { alpha: false });
		canvas.addEventListener('pointerdown', (event) => this.#down(event, view));
		canvas.addEventListener('pointermove', (event) => this.#move(event, view));
		canvas.addEventListener('pointerup', () => { this.#drag = null; });
		canvas.addEventListener('pointercancel', () => { this.#drag = null; });
	}

	async load(source)
	{
		const body = await source.overview(BINS);
		const head = new DataView(body);

		this.#bins = {
			count: head.getUint32(12, true), width: head.getFloat64(24, true),
			bytes: new Uint8Array(body, 32),
		};
		this.dispatchEvent(new Event('change'));
	}

	resize(width, height, scale)
	{
		sizeCanvas(this.#canvas, width, height, scale);
		this.#width = width;
		this.#height = height;
		this.#scale = scale;
	}

	paint({ view, theme, colours, marks })
	{
		const context = this.#context;
		const width = this.#width, height = this.#height;
		const x = (t) => t / view.end * width;

		context.setTransform(this.#scale, 0, 0, this.#scale, 0, 0);
		context.fillStyle = css(pack(colours.state('idle')));
		context.fillRect(0, 0, width, height);
		if (this.#bins)
			context.drawImage(this.#loadOf(view, theme, colours), 0, 0, width, height);
		const a = x(view.from), b = Math.max(x(view.to), a + 2);

		context.fillStyle = theme.shade;
		context.fillRect(0, 0, a, height);
		context.fillRect(b, 0, width - b, height);
		if (view.selection) {
			const left = x(view.selection.from);

			context.fillStyle = theme.selection;
			context.fillRect(left, 0, Math.max(x(view.selection.to) - left, 1), height);
		}
		context.fillStyle = theme.mark;
		for (const { t } of marks)
			context.fillRect(Math.round(x(t)), 0, 1, height);
		context.strokeStyle = theme.accent;
		context.lineWidth = 1.5;
		context.strokeRect(Math.max(a, 0) + 0.75, 0.75, Math.max(b - a - 1.5, 1), height - 1.5);
		context.fillStyle = theme.accent;
		for (const edge of [a, b])
			if (b - a > 14)
				context.fillRect(edge - (edge === a ? 0 : 3), height / 2 - 7, 3, 14);
	}

	/* The image of the load; it is drawn again if the size or the colours change. */
	#loadOf(view, theme, colours)
	{
		const name = `${this.#canvas.width} ${this.#canvas.height} ${theme.name} ${
			['idle', 'irq', 'softirq', 'lost', 'outside'].map((state) => colours.state(state))}`;

		if (this.#image?.name !== name) {
			const canvas = document.createElement('canvas');

			canvas.width = this.#canvas.width;
			canvas.height = this.#canvas.height;
			this.#draw(canvas, view, theme, colours);
			this.#image = { name, canvas };
		}
		return this.#image.canvas;
	}

	/* Draws a column for each device pixel; fractional bars would have visible seams. */
	#draw(canvas, view, theme, colours)
	{
		const context = canvas.getContext('2d');
		const { count, width: bin, bytes } = this.#bins;
		const { width, height } = canvas;
		const kinds = [[5, theme.load], [7, colours.state('softirq')], [6, colours.state('irq')]];

		for (let x = 0; x < width; x++) {
			const i = Math.min(Math.floor((x + 0.5) / width * view.end / bin), count - 1);
			let base = height;

			if (bytes[i * 12 + 9] & FLAG_OUTSIDE) {
				context.fillStyle = colours.state('outside');
				/* From the top, as high as the share of lanes not recorded. */
				context.fillRect(x, 0, 1,
					Math.ceil(bytes[i * 12 + 4] / 255 * height));
			}
			for (const [byte, colour] of kinds) {
				const high = Math.ceil(bytes[i * 12 + byte] / 255 * height);

				context.fillStyle = colour;
				/* Softirqs and interrupts are part of the load, at its bottom. */
				context.fillRect(x, base - high, 1, high);
				if (byte !== 5)
					base -= high;
			}
			if (bytes[i * 12 + 8]) {
				context.fillStyle = colours.state('lost');
				for (let y = -(x % 8); y < height; y += 8)
					context.fillRect(x, y, 1, 4);
			}
		}
	}

	#time(event, view)
	{
		const box = this.#canvas.getBoundingClientRect();

		return (event.clientX - box.left) / box.width * view.end;
	}

	#part(event, view)
	{
		const near = EDGE / this.#width * view.end;
		const t = this.#time(event, view);
		const wide = (view.to - view.from) / view.end * this.#width > 4 * EDGE;

		if (wide && Math.abs(t - view.from) < near)
			return 'from';
		if (wide && Math.abs(t - view.to) < near)
			return 'to';
		return 'window';
	}

	#down(event, view)
	{
		if (event.button !== 0)
			return;
		const t = this.#time(event, view);
		const part = this.#part(event, view);

		this.#canvas.setPointerCapture(event.pointerId);
		if (part === 'window' && (t < view.from || t > view.to))
			view.show(t - view.span / 2, t + view.span / 2);
		this.#drag = { part, offset: t - view.from };
	}

	#move(event, view)
	{
		const t = this.#time(event, view);

		this.#canvas.title = seconds(Math.min(Math.max(t, 0), view.end));
		if (!this.#drag) {
			this.#canvas.style.cursor = this.#part(event, view) === 'window' ? 'grab' :
				'ew-resize';
			return;
		}
		const { part, offset } = this.#drag;

		if (part === 'from')
			view.show(Math.min(t, view.to - 1), view.to);
		else if (part === 'to')
			view.show(view.from, Math.max(t, view.from + 1));
		else
			view.show(t - offset, t - offset + view.span);
	}
}
