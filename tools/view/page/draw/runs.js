// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds runs on a lane: the columns of one slice, from its switch in to its switch out.
 *
 * Interrupts are part of a run.  A context switch ends a run, even if the same task gets the CPU
 * again in the next column.
 */
import { LANE_STYLE } from './colours.js';
import { UNKNOWN } from '../data/names.js';

export class Runs {
	/*
	 * { id, from, to, colour, edge, end, joined }: the slice is from the switch at @edge to the
	 * switch at @end; it is visible in [from, to); @joined: the CPU was not idle before it
	 */
	list = [];
	#own = false;
	#id = -1;
	#from = 0;
	#to = 0;		/* end of the run's last visible column */
	#open = false;		/* true: the previous column belongs to the run */
	#colour = 0;
	#joined = false;
	#edge = 0;		/* column of the last switch */
	#start = 0;		/* column of the last switch before the run */
	#idle = true;

	/* @own: the lane belongs to a task, and ids are CPUs */
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
	 * Adds a column.  The caller may skip columns that are equal to the previous one and have
	 * no events.  @switched: the column contains a context switch
	 */
	take(x, id, share, load, gone, switched, colour)
	{
		if (this.#open)
			this.#to = x;
		const same = id === this.#id && share > 0;
		/* Only interrupts: the slice can continue after them. */
		const within = this.#id >= 0 && (this.#own ? id === UNKNOWN : id === 0 && load > 0);

		if (switched)
			this.#edge = x;
		if (switched || gone || !(same || within))
			this.#close(x);
		this.#open = this.#id >= 0 && same;
		if (this.#own ? id === UNKNOWN : !load || gone)
			this.#idle = true;
		if (this.#id < 0 && share > LANE_STYLE.run && (id !== 0 || this.#own) && id !== UNKNOWN) {
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
	 * Columns of lines between adjacent runs of at least @least columns each, counted from
	 * switch to switch, as interrupts can cover most of a run.
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
