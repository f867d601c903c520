// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs of a lane: columns of one slice, from its switch in to its switch out.
 *
 * Interrupts are within a run; a switch ends it, even if the same task has the CPU again in the
 * next column.
 */
import { UNKNOWN } from '../data/names.js';

/* Of 255: that much of a column a task has where it begins to be seen as running. */
const MOST = 230;

export class Runs {
	/*
	 * { id, from, to, colour, edge, end, joined }: from its switch at @edge to that at @end;
	 * in [from, to) it is seen to run; @joined: nothing idle before it
	 */
	list = [];
	#own = false;
	#id = -1;
	#from = 0;
	#to = 0;		/* where it was last seen */
	#open = false;		/* the column before was the run's */
	#colour = 0;
	#joined = false;
	#edge = 0;		/* of the last switch */
	#start = 0;		/* of the switch before the run */
	#idle = true;

	/* @own: the lane is a task's, whose ids are of CPUs */
	start(own)
	{
		this.list = [];
		this.#own = own;
		this.#id = -1;
		this.#open = false;
		this.#edge = this.#start = 0;
		this.#idle = true;
	}

	/*
	 * A column; those that are left out are as the one before, without events.  @switched: a
	 * switch is in it.
	 */
	take(x, id, share, load, gone, switched, colour)
	{
		if (this.#open)
			this.#to = x;
		const same = id === this.#id && share > 0;
		/* Nobody's time but interrupts': the slice may go on behind them. */
		const within = this.#id >= 0 && (this.#own ? id === UNKNOWN : id === 0 && load > 0);

		if (switched)
			this.#edge = x;
		if (switched || gone || !(same || within))
			this.#close(x);
		this.#open = this.#id >= 0 && same;
		if (this.#own ? id === UNKNOWN : !load || gone)
			this.#idle = true;
		if (this.#id < 0 && share > MOST && (id !== 0 || this.#own) && id !== UNKNOWN) {
			this.#id = id;
			this.#from = x;
			this.#colour = colour;
			this.#start = this.#edge;
			this.#joined = !this.#idle;
			this.#idle = false;
			this.#open = true;
		}
	}

	#close(end)
	{
		if (this.#id >= 0 && this.#to > this.#from)
			this.list.push({ id: this.#id, from: this.#from, to: this.#to,
				colour: this.#colour, edge: this.#start,
				end, joined: this.#joined });
		this.#id = -1;
	}

	end(width)
	{
		if (this.#open)
			this.#to = width;
		this.#close(width);
	}

	/*
	 * Where a line divides two of @least columns each, from switch to switch: interrupts
	 * may be in most of them.
	 */
	lines(least)
	{
		const found = [];
		let before = null, joined = true;

		for (const run of this.list) {
			joined &&= run.joined;
			if (run.end - run.edge < least)
				continue;
			if (before && joined)
				found.push(Math.min(Math.max(run.edge, before.to), run.from));
			before = run;
			joined = true;
		}
		return found;
	}
}
