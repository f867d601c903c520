// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The colours of a lane's pixels: of every mix of events in a row of ticks, and of every
 * share of softirqs and interrupts.
 *
 * Stage: between the page's colours and lanes.js, which looks them up.  It draws nothing.
 */
import { KIND_STYLES, mix, pack } from './colours.js';

const KINDS_ROOM = 8192;	/* kinds are 13 bits */

export class LaneColours {
	#set = {};

	/* Colours of all mixes of kinds, by row of the ticks' room; again when they change. */
	of(colours, kinds, mask, rows)
	{
		const name = `${colours.version} ${mask} ${rows}`;

		if (this.#set.name === name)
			return this.#set;
		const back = pack(colours.state('idle'));
		const signed = (state) => pack(colours.state(state)) | 0;
		const styles = kinds.map((kind, i) => ({
			bit: 1 << i, colour: pack(colours.kind(kind)),
			rows: Math.max(Math.round((KIND_STYLES[kind] ?? KIND_STYLES.other).length * rows), 1),
		})).filter(({ bit }) => bit & mask).sort((a, b) => a.rows - b.rows);
		const full = [], dim = [];
		/* By line: kinds whose ticks end with it. */
		const ends = Array.from({ length: rows }, (_, row) => styles.reduce((mixed, style) =>
			style.rows - 1 === row ? mixed | style.bit : mixed, 0));

		for (let row = 0; row < rows; row++) {
			full.push(new Int32Array(KINDS_ROOM));
			dim.push(new Int32Array(KINDS_ROOM));
			for (let mixed = 0; mixed < KINDS_ROOM; mixed++) {
				const style = styles.find(({ bit, rows: high }) => mixed & bit && high > row);

				full[row][mixed] = style ? style.colour : 0;
				dim[row][mixed] = style ? mix(back, style.colour, 0.42) : 0;
			}
		}
		const ramp = (state) => {
			const colour = pack(colours.state(state));

			return Int32Array.from({ length: 256 }, (_, share) =>
				share ? mix(back, colour, 0.4 + 0.6 * share / 255) : back);
		};

		this.#set = { name, full, dim, ends, irq: ramp('irq'), softirq: ramp('softirq'), mask,
			idle: back | 0, other: signed('other'), softirqFull: signed('softirq'),
			irqFull: signed('irq'), outside: signed('outside'), lost: signed('lost'),
			missing: mix(back, pack(colours.state('outside')), 0.5) | 0 };
		return this.#set;
	}
}
