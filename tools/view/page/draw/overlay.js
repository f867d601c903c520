// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws over the lanes: pointer with clock errors, selection, marks, arrows, paths of packets,
 * registered events, counts of lost events, and a frame around the active lane.
 *
 * Stage: drawing only, on a separate canvas, so that a moving pointer does not redraw lanes.
 */
import { count, short } from '../data/times.js';
import { sizeCanvas } from '../base/element.js';

export class Overlay {
	#canvas;
	#context;
	#scale = 1;

	constructor(canvas)
	{
		this.#canvas = canvas;
		this.#context = canvas.getContext('2d');
	}

	resize(width, height, scale)
	{
		sizeCanvas(this.#canvas, width, height, scale);
		this.#scale = scale;
	}

	paint({ view, rows, theme, marks, pointer, pointerHost, arrows, paths, registered, colours,
		losses, bounds })
	{
		const context = this.#context;
		const width = this.#canvas.width / this.#scale;
		const height = this.#canvas.height / this.#scale;
		const x = (t) => (t - view.from) / view.span * width;

		context.setTransform(this.#scale, 0, 0, this.#scale, 0, 0);
		context.clearRect(0, 0, width, height);
		registered.draw(context, { view, rows, colours, x, width });
		if (view.selection)
			this.#selection(view.selection, theme, x, width, height);
		for (const { t } of marks) {
			context.fillStyle = theme.mark;
			context.fillRect(Math.round(x(t)), 0, 1, height);
		}
		this.#losses(losses, rows, theme, x, width);
		arrows.draw(context, view, rows, width, x, theme.name === 'light');
		paths.draw(context, { view, rows, x, width, light: theme.name === 'light' });
		if (view.active !== null) {
			const row = rows.byKey(view.active);

			if (row) {
				context.strokeStyle = theme.accent;
				context.lineWidth = 1;
				context.strokeRect(0.5, rows.top(row) + 0.5, width - 1, row.h - 2);
			}
		}
		if (pointer !== null) {
			this.#bounds(bounds, pointerHost, rows, theme, x, pointer, width);
			context.fillStyle = theme.accent;
			context.fillRect(Math.round(x(pointer)), 0, 1, height);
		}
	}

	#selection({ from, to }, theme, x, width, height)
	{
		const context = this.#context;
		const a = Math.max(x(from), -1), b = Math.min(x(to), width + 1);

		/* Faint, so that the lanes keep the colours of the legend. */
		context.fillStyle = theme.tint;
		context.fillRect(a, 0, Math.max(b - a, 1), height);
		context.fillStyle = theme.accent;
		context.fillRect(Math.round(a), 0, 1, height);
		context.fillRect(Math.round(b), 0, 1, height);
	}

	/* Draws the clock error around the pointer's time on the lanes of other hosts. */
	#bounds(bounds, pointerHost, rows, theme, x, pointer, width)
	{
		const context = this.#context;
		const labelled = new Set();

		if (pointerHost === null)
			return;
		for (const row of rows.visible()) {
			if (row.host === pointerHost || row.type === 'task')
				continue;
			const bound = bounds(pointerHost, row.host);

			if (bound === null)
				continue;
			const a = x(pointer - bound), b = x(pointer + bound);
			const top = Math.max(rows.top(row), rows.pinnedHeight);
			const bottom = rows.top(row) + row.h;

			if (bottom <= top)
				continue;
			context.fillStyle = theme.bound;
			context.fillRect(a, top, Math.max(b - a, 1), bottom - top);
			context.fillStyle = theme.boundEdge;
			context.fillRect(a, top, Math.max(b - a, 1), 2);
			context.fillRect(a, top, 1, bottom - top);
			context.fillRect(b, top, 1, bottom - top);
			if (labelled.has(row.host))
				continue;
			labelled.add(row.host);
			this.#chip(`±${short(bound)}`, Math.min(Math.max(b, 0) + 4, width - 80), top + 2,
				theme);
		}
	}

	#chip(text, x, y, theme)
	{
		const context = this.#context;

		context.font = '10px "DejaVu Sans", system-ui, sans-serif';
		context.textBaseline = 'top';
		const wide = context.measureText(text).width;

		context.fillStyle = theme.chip;
		context.fillRect(x, y, wide + 8, 15);
		context.fillStyle = theme.chipText;
		context.fillText(text, x + 4, y + 3);
	}

	#losses(losses, rows, theme, x, width)
	{
		for (const { lane, from, to, lost } of losses) {
			const row = rows.byLane(lane);

			if (!row || row.type === 'host')
				continue;
			const top = rows.top(row);

			if (top < rows.pinnedHeight || x(to) < 0 || x(from) > width)
				continue;
			const text = lost === null ? 'lost' : `${count(lost)} lost`;
			const right = Math.min(x(to), width);

			this.#context.font = '10px "DejaVu Sans", system-ui, sans-serif';
			const wide = this.#context.measureText(text).width + 8;
			/* Next to the hatching, so as not to hide it. */
			const at = right + 3;

			this.#chip(text, Math.min(Math.max(at, 0), width - wide),
				top + Math.max((row.h - 17) / 2, 0), theme);
		}
	}
}
