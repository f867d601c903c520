// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start times of slices, requested one by one and kept.
 *
 * Stage: between the source and lane-text.js, which names slices.  Bins show where a slice is
 * visible, but not its start, which can be before the view.
 */

const FLYING_MOST = 4;
const KEPT_MOST = 5000;

export class SliceBegins extends EventTarget {
	#source;
	#known = new Map();	/* by task: slices { lane, begin, end } */
	#count = 0;
	#missed = new Set();	/* requests without a result: the bins may be of a coarser level */
	#failed = false;	/* the source has no slices */
	#flying = new Set();

	constructor(source)
	{
		super();
		this.#source = source;
	}

	/* Start of a task's slice on a lane at @t.  null: unknown so far; undefined: no slices */
	of(host, id, lane, t)
	{
		const task = `${host}.${id}`;
		const slice = this.#known.get(task)?.find((one) => one.lane === lane && one.begin <= t && t < one.end);

		if (slice)
			return slice.begin;
		if (this.#failed)
			return undefined;
		if (!this.#flying.has(task) && this.#flying.size < FLYING_MOST &&
		    !this.#missed.has(`${task} ${lane} ${t}`))
			this.#ask(task, host, id, lane, t);
		return null;
	}

	async #ask(task, host, id, lane, t)
	{
		this.#flying.add(task);
		try {
			const slice = await this.#source.find(host, id, { before: Math.ceil(t) });

			if (slice?.lane !== lane || !(slice.begin <= t && t < slice.end))
				this.#missed.add(`${task} ${lane} ${t}`);
			else
				this.#keep(task, slice);
		} catch (error) {
			/* 404: exported page, long span.  Other errors are reported elsewhere. */
			this.#failed = error.status === 404;
			this.#missed.add(`${task} ${lane} ${t}`);
		}
		if (this.#missed.size > KEPT_MOST)
			this.#missed.clear();
		this.#flying.delete(task);
		this.dispatchEvent(new Event('change'));
	}

	#keep(task, slice)
	{
		if (++this.#count > KEPT_MOST) {
			this.#known.clear();
			this.#count = 1;
		}
		this.#known.set(task, [...this.#known.get(task) ?? [], slice]);
	}
}
