// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What tests may read of the page, as window.evtlog; nothing else of it is global.
 */
import { partsOf } from '../draw/lane-text.js';

export function expose({ view, lanes, rows, tiles, marks, jitter, counters })
{
	Object.defineProperty(window, 'evtlog', { value: Object.freeze({
		get view() {
			return { from: view.from, to: view.to, kinds: view.kinds,
				selection: view.selection && { ...view.selection },
				pins: view.pins.map((pin) => ({ ...pin })), active: view.active };
		},
		/* Where lanes are within the stage, in CSS pixels. */
		get lanes() {
			return rows.visibleLanes().map((row) => ({ key: row.key, type: row.type,
				host: row.host, top: rows.top(row), height: row.h,
				...partsOf(row.h, 1) }));
		},
		get frames() {
			return lanes.frames;
		},
		get paintMs() {
			return lanes.paintMs;
		},
		get loading() {
			return tiles.busy;
		},
		get marks() {
			return marks.list.map((mark) => ({ ...mark }));
		},
		/* Of a host's tracks, as they were answered. */
		counters(host) {
			const answer = counters.answer(host);

			return answer && { ...answer, lanes: [...answer.lanes.keys()] };
		},
		get jitter() {
			return jitter.shown;
		},
	}) });
}
