// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marks on the lanes for registered events, those of probes and modules, by name.
 *
 * Stage: requested when the view rests, drawn over the lanes.  In bins, all registered events
 * are one kind.  If there are too many events for marks, the ticks of this kind are drawn.
 */
import { kindBit } from '../data/event-text.js';
import { partsOf } from './lane-text.js';

const MOST = 4000;	/* marks; more would be closer than a pixel */
const THIN_MOST = 20000;	/* marks, if a mark represents several events of its name */
const THIN = [2048, 256];	/* places for such marks, for each lane and name */
const BESIDE = 1;	/* spans of the view requested on each side, so that it can be moved */
const HEADS_MOST = 300;	/* with more visible marks, marks have no heads */
const HEAD = 5;

export class Registered extends EventTarget {
	#source;
	#bit;
	#any;
	#stop = null;
	#asked = '';
	#span = null;		/* { from, to, lanes } of the marks */
	#names = [];		/* { name, id, count } */
	#marks = [];		/* [lane, t, number of the name] */
	#step = 0;		/* ns that a mark represents; 0: each mark is one event */
	note = '';

	constructor(source, log)
	{
		super();
		this.#source = source;
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
				`More than ${MOST} own events and probes: zoom in to see them`;
		} catch (error) {
			if (error.name === 'AbortError')
				return;
			this.#span = null;
		}
		this.dispatchEvent(new Event('change'));
	}

	/* True: the marks are of a much wider span than the view, and are requested again. */
	#coarse(view)
	{
		return this.#span.to - this.#span.from > view.span * 64 && this.#marks.length > HEADS_MOST;
	}

	/* Returns true if all marks of the view are loaded; then ticks are not needed. */
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

	/* { name, id, count } of the visible events, the most frequent first. */
	inSight(view)
	{
		const counts = new Map();

		/* Marks represent several events; the answer has the counts for the whole view. */
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
