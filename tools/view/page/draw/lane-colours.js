// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables with the colours of a lane's pixels: for each set of kinds of events in each row of
 * ticks, and for each share of softirqs and interrupts.
 *
 * Stage: between the page's colours and lanes.js, which draws with these tables.
 */
import { KIND_STYLES, LANE_STYLE, mix, pack } from './colours.js';

const KINDS_ROOM = 8192;	/* sets of 13 kinds */

export class LaneColours {
	#set = {};

	/* The tables for @rows rows of ticks.  They are made again if colours or kinds change. */
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
		/* By row: kinds whose ticks end in this row. */
		const ends = Array.from({ length: rows }, (_, row) => styles.reduce((mixed, style) =>
			style.rows - 1 === row ? mixed | style.bit : mixed, 0));

		for (let row = 0; row < rows; row++) {
			full.push(new Int32Array(KINDS_ROOM));
			dim.push(new Int32Array(KINDS_ROOM));
			for (let mixed = 0; mixed < KINDS_ROOM; mixed++) {
				const style = styles.find(({ bit, rows: high }) => mixed & bit && high > row);

				full[row][mixed] = style ? style.colour : 0;
				dim[row][mixed] = style ? mix(back, style.colour, LANE_STYLE.dim) : 0;
			}
		}
		const ramp = (state) => {
			const colour = pack(colours.state(state));

			return Int32Array.from({ length: 256 }, (_, share) =>
				share ? mix(back, colour, LANE_STYLE.band + (1 - LANE_STYLE.band) * share / 255) : back);
		};

		this.#set = { name, full, dim, ends, irq: ramp('irq'), softirq: ramp('softirq'), mask,
			idle: back | 0, other: signed('other'), softirqFull: signed('softirq'),
			irqFull: signed('irq'), outside: signed('outside'), lost: signed('lost'),
			missing: mix(back, pack(colours.state('outside')), 0.5) | 0 };
		return this.#set;
	}
}
