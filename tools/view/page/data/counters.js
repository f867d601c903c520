// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters of hosts and their CPUs, in bins of one to two pixels of the view.
 *
 * Stage: between the source and the tracks.  Requests counters when the view rests, and keeps
 * the last answer for each host.  It draws nothing.
 */
import { listOf } from '../base/lists.js';

const LEVEL_MOST = 50;
const BESIDE = 0.5;	/* spans of the view requested on each side, so that it can be moved */
const BINS_MOST = 8192;	/* in an answer */

export const OUTSIDE = 'o', UNKNOWN = 'u', AT_LEAST = 'l';

/*
 * The counters that the user can choose, with keys of series in the answer.
 * full, faint: drawn in full colour and faint; above: drawn faint on top of full
 * states: of the bins: known, unknown or not recorded; rows: shown in the tooltip
 */
export const COUNTERS = {
	runnable: { title: 'Runnable tasks', about: 'that run or wait for a CPU', full: 'mean', faint: 'most',
		states: 'states', rows: ['mean', 'most'] },
	switches: { title: 'Switches', about: 'of a CPU to another task', full: 'switches',
		states: 'count_states', rows: ['switches'] },
	migrations: { title: 'Migrations', about: 'of tasks: to a CPU in full colour, from it in faint colour', full: 'migrations_in',
		above: 'migrations_out', states: 'migration_states', rows: ['migrations_in', 'migrations_out'] },
	forks: { title: 'Forks', about: 'and new threads', full: 'forks', states: 'count_states', rows: ['forks'] },
	exits: { title: 'Exits', about: 'of tasks', full: 'exits', states: 'count_states', rows: ['exits'] },
};

/* The finest level whose bins are at least a pixel wide. */
function levelFor(nsPerPixel)
{
	return Math.min(Math.max(Math.ceil(Math.log2(nsPerPixel)), 0), LEVEL_MOST);
}

export class Counters extends EventTarget {
	#source;
	#hosts = new Map();	/* number -> { level, first, count, series, tracks, lanes: Map } */
	#stop = null;
	#asked = '';

	constructor(source)
	{
		super();
		this.#source = source;
	}

	/* The last bins of a counter; null if unknown.  @lane: null for the whole host */
	of(host, lane, counter)
	{
		const answer = this.#hosts.get(host);
		const series = answer?.lanes.get(lane);
		const { full, faint, above, states } = COUNTERS[counter];

		if (!series || !series[states])
			return null;
		return { level: answer.level, first: answer.first, count: answer.count,
			/* Without the series, the log does not have the events of this counter. */
			states: series[full] ? series[states] : OUTSIDE.repeat(answer.count),
			full: series[full] ?? null, faint: series[faint ?? full] ?? null,
			above: above ? series[above] ?? null : null, series };
	}

	/* The unchanged answer for a host, for tests. */
	answer(host)
	{
		return this.#hosts.get(host) ?? null;
	}

	/* @rows: the visible tracks; @width: of the view, in pixels */
	async want(view, rows, width)
	{
		const wanted = new Map();

		for (const { host, lane } of rows)
			wanted.set(host, [...(wanted.get(host) ?? []), ...(lane === null ? [] : [lane])]);
		const tracks = [...view.tracks].join(',');
		const { from, to } = view;
		const lanesOf = (host) => [...new Set(wanted.get(host))].sort((a, b) => a - b);
		const name = `${tracks} ${from} ${to} ${width} ${[...wanted.keys()].map((host) =>
			`${host}:${lanesOf(host)}`)}`;

		if (!this.#source.counters || !wanted.size || name === this.#asked)
			return;
		this.#asked = name;
		this.#stop?.abort();
		const stop = this.#stop = new AbortController();
		const level = levelFor(view.span / width);

		try {
			/* One after the other, as the first request for a host reads its log. */
			for (const host of wanted.keys()) {
				const lanes = lanesOf(host);

				if (this.#covers(host, { level, from, to, tracks, lanes }))
					continue;
				const answer = await this.#ask({ host, level, view, tracks, lanes, signal: stop.signal });

				this.#hosts.set(host, { ...answer, tracks,
					lanes: new Map(answer.series.map((series) => [series.lane, series])) });
				this.dispatchEvent(new Event('change'));
			}
		} catch (error) {
			if (error.name === 'AbortError')
				return;
			this.#asked = '';
			this.dispatchEvent(new CustomEvent('error', { detail: error }));
		}
	}

	#ask({ host, level, view: { from, to, span, end }, tracks, lanes, signal })
	{
		const bin = 2 ** level;
		const first = Math.floor(Math.max(from - span * BESIDE, 0) / bin);
		const last = Math.floor(Math.min(to + span * BESIDE, end) / bin);

		return this.#source.counters({ host, level, first,
			count: Math.min(last - first + 1, BINS_MOST), tracks,
			lanes: listOf(new Set(lanes)) }, signal);
	}

	#covers(host, { level, from, to, tracks, lanes })
	{
		const answer = this.#hosts.get(host);

		return answer !== undefined && answer.level === level && answer.tracks === tracks &&
			lanes.every((lane) => answer.lanes.has(lane)) && answer.first * 2 ** level <= from &&
			(answer.first + answer.count) * 2 ** level >= to;
	}

	/* The bin at a time, { from, to, state, values }; null if it is not loaded. */
	at(host, lane, counter, t)
	{
		const bins = this.of(host, lane, counter);
		const i = bins ? Math.floor(t / 2 ** bins.level) - bins.first : -1;

		if (i < 0 || i >= bins.count)
			return null;
		return { from: (bins.first + i) * 2 ** bins.level,
			to: (bins.first + i + 1) * 2 ** bins.level, state: bins.states[i],
			values: COUNTERS[counter].rows.map((key) => [key, bins.series[key]?.[i] ?? null]) };
	}
}
