// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Exposes state of the page to tests, as window.evtlog.  The page has no other global names.
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
		/* Positions of the lanes on the stage, CSS pixels. */
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
		/* The answer with the counters of a host. */
		counters(host) {
			const answer = counters.answer(host);

			return answer && { ...answer, lanes: [...answer.lanes.keys()] };
		},
		get jitter() {
			return jitter.shown;
		},
	}) });
}
