// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Losses in sight: where they are and how many events are missing, exactly.
 *
 * Stage: asked for when the view rests and a lane in sight has gaps; drawn by the
 * overlay over the hatching, which the tiles give.
 */

const MOST = 200;
const TYPES = new Set(['lost', 'gap', 'LOST', 'GAP']);

export class Losses extends EventTarget {
	#source;
	#log;
	#stop = null;
	#asked = '';
	list = [];

	constructor(source, log)
	{
		super();
		this.#source = source;
		this.#log = log;
	}

	async want(view, rows)
	{
		const lanes = rows.filter(({ type, info }) => type === 'cpu' && (info.lost || info.gaps));
		const names = lanes.map(({ lane }) => lane).join(',');
		const name = `${view.from} ${view.to} ${names}`;

		if (name === this.#asked)
			return;
		this.#asked = name;
		this.#stop?.abort();
		if (!lanes.length) {
			this.list = [];
			return;
		}
		const stop = this.#stop = new AbortController();

		try {
			const kind = this.#log.kinds.indexOf('other');
			const { events } = await this.#source.events(names, view.from, view.to, MOST,
				1 << kind, stop.signal);

			this.list = events.filter(({ type }) => TYPES.has(type)).map((event) => ({
				lane: event.lane, lost: Number(event.fields?.lost ?? event.fields?.count ?? 0),
				from: Number(event.fields?.begin ?? event.t),
				to: Number(event.fields?.end ?? event.t),
			})).filter(({ lost }) => lost);
		} catch (error) {
			if (error.name === 'AbortError')
				return;
			this.list = [];
		}
		this.dispatchEvent(new Event('change'));
	}
}
