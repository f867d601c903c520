// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registered events, those of probes and modules, each by its name: marks on the lanes.
 *
 * Stage: asked for when the view rests, drawn over the lanes.  Bins have one kind for all of
 * them, whose ticks stand where there are too many to be told apart.
 */
import { kindBit } from '../data/event-text.js';
import { partsOf } from './lane-text.js';

const MOST = 4000;	/* marks; more are nearer than pixels */
const THIN_MOST = 20000;	/* of which each stands for those of its name beside it */
const THIN = [2048, 256];	/* how many places a lane has for each name then */
const BESIDE = 1;	/* of the view, on either side: it can be moved before more is asked */
const HEADS_MOST = 300;	/* marks in sight that have a head */
const HEAD = 5;

export class Registered extends EventTarget {
	#source;
	#log;
	#bit;
	#any;
	#stop = null;
	#asked = '';
	#span = null;		/* { from, to, lanes } of the marks */
	#names = [];		/* { name, id, count } */
	#marks = [];		/* [lane, t, number of the name] */
	#step = 0;		/* ns for which a mark stands; 0: each for one event */
	note = '';

	constructor(source, log)
	{
		super();
		this.#source = source;
		this.#log = log;
		this.#bit = kindBit(log, 'put');
		this.#any = log.hosts.some(({ cpus }) => cpus.some(({ counts }) =>
			Number(counts[log.kinds.indexOf('put')])));
	}

	/* @lanes: numbers of CPUs' lanes */
	async want(view, lanes)
	{
		if (!this.#any || !(view.kinds & this.#bit) || !lanes.length) {
			this.note = '';
			return;
		}
		const { from, to } = view;
		const list = lanes.join(',');
		const name = `${from} ${to} ${list}`;

		if (name === this.#asked || (this.covers(view, lanes) && !this.#coarse(view) && !this.#step))
			return;
		this.#asked = name;
		this.#stop?.abort();
		const stop = this.#stop = new AbortController();

		try {
			const beside = (to - from) * BESIDE;
			const ask = async (a, b, step = 0, limit = MOST) => {
				const answer = await this.#source.registered(list, a, b, { step, limit }, stop.signal);

				return { ...answer, from: a, to: b, step,
					whole: !answer.more && answer.too_many === null };
			};
			let answer = await ask(Math.max(from - beside, 0), to + beside);

			if (!answer.whole)
				answer = await ask(from, to);
			for (const places of THIN)
				if (answer.more)
					answer = await ask(from, to, (to - from) / places, THIN_MOST);

			this.#span = answer.whole ? { from: answer.from, to: answer.to, lanes: new Set(lanes) } : null;
			this.#names = answer.whole ? answer.names : [];
			this.#marks = answer.whole ? answer.marks : [];
			this.#step = answer.whole ? answer.step : 0;
			this.note = answer.whole ? '' :
				`More than ${MOST} own events and probes: zoom in to tell them apart`;
		} catch (error) {
			if (error.name === 'AbortError')
				return;
			this.#span = null;
		}
		this.dispatchEvent(new Event('change'));
	}

	/* Of a much wider span; the names in sight are still right. */
	#coarse(view)
	{
		return this.#span.to - this.#span.from > view.span * 64 && this.#marks.length > HEADS_MOST;
	}

	/* Whether all marks of the view are known, so that no ticks need to stand for them. */
	covers(view, lanes)
	{
		const span = this.#span;

		return span !== null && span.from <= view.from && span.to >= Math.min(view.to, view.end) &&
			lanes.every((lane) => span.lanes.has(lane));
	}

	#seen(view)
	{
		return this.#span ? this.#marks.filter(([, t]) => t >= view.from && t < view.to) : [];
	}

	/* { name, id, count } of those in sight, most first. */
	inSight(view)
	{
		const counts = new Map();

		/* Its marks are fewer than its events, of which the whole view is asked. */
		if (this.#step)
			return [...this.#names].sort((a, b) => b.count - a.count || a.id - b.id);
		for (const [, , name] of this.#seen(view))
			counts.set(name, (counts.get(name) ?? 0) + 1);
		return [...counts].map(([name, count]) => ({ ...this.#names[name], count }))
			.sort((a, b) => b.count - a.count || a.id - b.id);
	}

	draw(context, { view, rows, colours, x, width })
	{
		if (!(view.kinds & this.#bit) || !this.#span)
			return;
		const marks = this.#seen(view);
		const heads = marks.length <= HEADS_MOST && !this.#step;
		const wide = this.#step ? Math.max(Math.ceil(x(view.from + this.#step) - x(view.from)), 1) : 1;
		const inks = this.#names.map(({ name, id }) => view.without.has(name) ? null :
			colours.event(name, id));

		for (const [lane, t, name] of marks) {
			const row = rows.byLane(lane), ink = inks[name];

			if (!row || row.type !== 'cpu' || !ink)
				continue;
			const top = rows.top(row), at = Math.round(x(t));
			const { ticks } = partsOf(row.h, 1);

			if (top < rows.pinnedHeight || at < 0 || at > width)
				continue;
			context.fillStyle = ink;
			context.fillRect(at, top, wide, ticks);
			if (heads)
				context.fillRect(at - 2, top, HEAD, Math.min(3, ticks));
		}
	}
}
