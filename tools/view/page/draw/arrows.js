// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arrows between lanes: from waker to woken, migrations, packets with their clock bound.
 *
 * Stage: asked for when the view rests, drawn over the lanes.
 */
import { ARROW_STYLES } from './colours.js';
import { short } from '../data/times.js';

const MOST = 500;
const BESIDE = 1;	/* of the view, on either side: where arrows begin and end */
const HEAD = 5;

export class Arrows extends EventTarget {
	#source;
	#stop = null;
	#asked = '';
	#texts = [];	/* where bounds are written in this frame */
	list = [];
	note = '';

	constructor(source)
	{
		super();
		this.#source = source;
	}

	async want(view, lanes)
	{
		const name = `${view.from} ${view.to} ${lanes} ${[...view.arrows]}`;

		if (name === this.#asked)
			return;
		this.#asked = name;
		this.#stop?.abort();
		this.note = '';
		if (!lanes || !view.arrows.size) {
			this.list = [];
			this.dispatchEvent(new Event('change'));
			return;
		}
		const stop = this.#stop = new AbortController();

		try {
			const kinds = [...view.arrows];
			const { from, to } = view;
			const ask = (a, b, most) => this.#source.arrows(lanes, a, b, most, kinds, stop.signal);
			const beside = (to - from) * BESIDE;
			/* Those that begin before the view or end behind it; unless they are too many. */
			const wide = await ask(Math.max(from - beside, 0), to + beside, MOST * 3);
			const answer = wide.more || wide.too_many ? await ask(from, to, MOST) : wide;

			/* The first of too many would only tell where the view begins. */
			this.list = answer.more ? [] : (answer.arrows ?? []).filter((arrow) =>
				arrow.from.t < to && arrow.to.t >= from);
			if (this.list.length > MOST) {
				this.list = [];
				answer.more = true;
			}
			if (answer.too_many || answer.more)
				this.note = `More than ${MOST} arrows: zoom in to see them`;
		} catch (error) {
			if (error.name === 'AbortError')
				return;
			this.list = [];
		}
		this.dispatchEvent(new Event('change'));
	}

	draw(context, view, rows, width, scaleX, light)
	{
		this.#texts = [];
		const visible = (row, y) => row && (row.type === 'task' || y > rows.pinnedHeight);

		for (const arrow of this.list) {
			const a = rows.byLane(arrow.from.lane), b = rows.byLane(arrow.to.lane);

			if (!a || !b || !view.arrows.has(arrow.kind))
				continue;
			const x1 = scaleX(arrow.from.t), x2 = scaleX(arrow.to.t);
			const y1 = rows.top(a) + a.h * 0.6, y2 = rows.top(b) + b.h * 0.6;

			if (Math.max(x1, x2) < 0 || Math.min(x1, x2) > width ||
			    (!visible(a, y1) && !visible(b, y2)))
				continue;
			this.#one(context, arrow, x1, y1, x2, y2, view.span / width, light);
		}
	}

	#one(context, arrow, x1, y1, x2, y2, nsPerPixel, light)
	{
		const style = ARROW_STYLES[arrow.kind] ?? ARROW_STYLES.wake;
		const colour = light ? style.light : style.colour;

		context.strokeStyle = context.fillStyle = colour;
		context.lineWidth = arrow.kind === 'packet' ? 2 : 1.25;
		context.setLineDash(arrow.kind === 'migrate' ? [4, 3] : []);
		context.beginPath();
		context.moveTo(x1, y1);
		let angle;

		if (y1 === y2) {
			const bow = Math.min(Math.abs(x2 - x1) / 3, 12);

			context.quadraticCurveTo((x1 + x2) / 2, y1 - bow, x2, y2);
			angle = Math.atan2(bow, (x2 - x1) / 2);
		} else {
			context.lineTo(x2, y2);
			angle = Math.atan2(y2 - y1, x2 - x1);
		}
		context.stroke();
		context.setLineDash([]);
		context.beginPath();
		context.moveTo(x2, y2);
		context.lineTo(x2 - HEAD * Math.cos(angle - 0.45), y2 - HEAD * Math.sin(angle - 0.45));
		context.lineTo(x2 - HEAD * Math.cos(angle + 0.45), y2 - HEAD * Math.sin(angle + 0.45));
		context.fill();
		if (arrow.bound_ns !== null && arrow.bound_ns !== undefined)
			this.#bound(context, arrow.bound_ns, x1, y1, x2, y2, nsPerPixel, light);
	}

	/* How far the clocks may be wrong, at both ends, and in digits. */
	#bound(context, bound, x1, y1, x2, y2, nsPerPixel, light)
	{
		const half = bound / nsPerPixel;

		context.lineWidth = 1;
		if (half >= 1.5)
			for (const [x, y] of [[x1, y1], [x2, y2]]) {
				context.beginPath();
				context.moveTo(x - half, y);
				context.lineTo(x + half, y);
				context.moveTo(x - half, y - 4);
				context.lineTo(x - half, y + 4);
				context.moveTo(x + half, y - 4);
				context.lineTo(x + half, y + 4);
				context.stroke();
			}
		if (Math.hypot(x2 - x1, y2 - y1) < 60)
			return;
		const text = `±${short(bound)}`;

		context.font = '10px "DejaVu Sans", system-ui, sans-serif';
		context.textBaseline = 'middle';
		const wide = context.measureText(text).width;
		const x = (x1 + x2) / 2 + 6, y = (y1 + y2) / 2;
		const ink = context.fillStyle;

		if (this.#texts.some((text) => Math.abs(text.y - y) < 15 && x < text.x + text.wide + 6 &&
		    text.x < x + wide + 6))
			return;
		this.#texts.push({ x, y, wide });

		context.fillStyle = light ? 'rgb(255 255 255 / 80%)' : 'rgb(0 0 0 / 75%)';
		context.fillRect(x - 2, y - 7, wide + 4, 14);
		context.fillStyle = ink;
		context.fillText(text, x, y);
	}
}
