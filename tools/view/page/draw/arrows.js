// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arrows between lanes: wake-ups, migrations, and packets between hosts with the clock error.
 *
 * Stage: requested when the view rests, drawn over the lanes.
 */
import { ARROW_STYLES } from './colours.js';
import { clockError } from './clock-error.js';

const MOST = 500;
const BESIDE = 1;	/* spans of the view on each side where arrows can begin or end */
const HEAD = 5;

export class Arrows extends EventTarget {
	#source;
	#stop = null;
	#asked = '';
	#texts = [];	/* places of clock errors written in this frame */
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
		if (!lanes || ![...view.arrows].some((kind) => kind !== 'path')) {
			this.list = [];
			this.dispatchEvent(new Event('change'));
			return;
		}
		const stop = this.#stop = new AbortController();

		try {
			/* paths.js draws the paths of packets. */
			const kinds = [...view.arrows].filter((kind) => kind !== 'path');
			const { from, to } = view;
			const ask = (a, b, most) => this.#source.arrows(lanes, a, b, most, kinds, stop.signal);
			const beside = (to - from) * BESIDE;
			/* With arrows that begin before or end after the view, unless too many. */
			const wide = await ask(Math.max(from - beside, 0), to + beside, MOST * 3);
			const answer = wide.more || wide.too_many ? await ask(from, to, MOST) : wide;

			/* If too many, draw none: the first ones are all at the view's start. */
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
			clockError(context, { bound: arrow.bound_ns, a: { x: x1, y: y1 }, b: { x: x2, y: y2 },
				ns: nsPerPixel, light, texts: this.#texts });
	}
}
