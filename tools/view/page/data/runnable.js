// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runnable tasks of hosts, in bins of about a pixel of what is seen.
 *
 * Stage: between the source and the tracks; asked for when the view rests.  Of each host it
 * keeps the last answer.  It draws nothing.
 */

const LEVEL_MOST = 50;
const BESIDE = 0.5;	/* of the view, on either side: it can be moved before more is asked */
const BINS_MOST = 8192;	/* of an answer */

export const OUTSIDE = 'o', UNKNOWN = 'u', AT_LEAST = 'l';

/* No bin is narrower than a pixel. */
function levelFor(nsPerPixel)
{
	return Math.min(Math.max(Math.ceil(Math.log2(nsPerPixel)), 0), LEVEL_MOST);
}

export class Runnable extends EventTarget {
	#source;
	#hosts = new Map();	/* number -> { level, first, mean, most, states } */
	#stop = null;
	#asked = '';

	constructor(source)
	{
		super();
		this.#source = source;
	}

	/* The last answer of a host, or null. */
	of(host)
	{
		return this.#hosts.get(host) ?? null;
	}

	/* @hosts: numbers of those whose tracks are in sight; @width: of the view, in pixels */
	async want(view, hosts, width)
	{
		const { from, to } = view;
		const name = `${view.runnable} ${from} ${to} ${width} ${hosts.join(',')}`;

		if (!this.#source.runnable || !hosts.length || name === this.#asked)
			return;
		this.#asked = name;
		this.#stop?.abort();
		const stop = this.#stop = new AbortController();
		const level = levelFor(view.span / width);

		try {
			/* One after the other: the first one asked of a host reads its log. */
			for (const host of hosts) {
				if (this.#covers(host, level, from, to))
					continue;
				this.#hosts.set(host, await this.#ask(host, level, view, stop.signal));
				this.dispatchEvent(new Event('change'));
			}
		} catch (error) {
			if (error.name === 'AbortError')
				return;
			this.#asked = '';
			this.dispatchEvent(new CustomEvent('error', { detail: error }));
		}
	}

	#ask(host, level, { from, to, span, end }, signal)
	{
		const bin = 2 ** level;
		const first = Math.floor(Math.max(from - span * BESIDE, 0) / bin);
		const last = Math.floor(Math.min(to + span * BESIDE, end) / bin);

		return this.#source.runnable(host, level, first,
			Math.min(last - first + 1, BINS_MOST), signal);
	}

	#covers(host, level, from, to)
	{
		const bins = this.of(host);

		return bins !== null && bins.level === level && bins.first * 2 ** level <= from &&
			(bins.first + bins.mean.length) * 2 ** level >= to;
	}

	/* The bin at a time: { from, to, mean, most, state }; null: it is not there yet. */
	at(host, t)
	{
		const bins = this.of(host);
		const i = bins ? Math.floor(t / 2 ** bins.level) - bins.first : -1;

		if (i < 0 || i >= bins.mean.length)
			return null;
		return { from: (bins.first + i) * 2 ** bins.level,
			to: (bins.first + i + 1) * 2 ** bins.level,
			mean: bins.mean[i], most: bins.most[i], state: bins.states[i] };
	}
}
