// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Visible losses: the number of lost events in each hatched stretch.
 *
 * Stage: when the view rests, requests the counts for the hatched stretches of the last frame;
 * the overlay writes them.  The record of a loss is at the end of its stretch, where recording
 * continues, which can be after the view.
 */

const STRETCHES_MOST = 40;
const EVENTS_MOST = 200;

export class Losses extends EventTarget {
	#source;
	#kinds;
	#stop = null;
	#asked = '';
	list = [];	/* { lane, from, to, lost }; lost is null if unknown */

	constructor(source, log)
	{
		super();
		this.#source = source;
		this.#kinds = 1 << log.kinds.indexOf('other');
	}

	/* @stretches: { lane, from, to } as drawn; @ns: length of a pixel, their precision */
	async want(stretches, ns)
	{
		const asked = JSON.stringify(stretches);

		if (asked === this.#asked)
			return;
		this.#asked = asked;
		this.#stop?.abort();
		const stop = this.#stop = new AbortController();

		try {
			this.list = await Promise.all(stretches.slice(0, STRETCHES_MOST).map(
				(stretch) => this.#counted(stretch, ns, stop.signal)));
		} catch (error) {
			if (error.name === 'AbortError')
				return;
			this.list = [];
		}
		this.dispatchEvent(new Event('change'));
	}

	async #counted({ lane, from, to }, ns, signal)
	{
		const { events } = await this.#source.events(String(lane), Math.max(from - ns, 0),
			to + ns + 1, EVENTS_MOST, this.#kinds, signal);
		let found = events.filter(({ type }) => type === 'lost');

		if (!found.length) {
			const { event } = await this.#source.next(lane, { after: Math.round(to) }, { kinds: this.#kinds });

			if (event?.type === 'lost')
				found = [event];
		}
		return { lane, from, to, lost: found.length ? found.reduce((sum, { fields }) =>
			sum + Number(fields?.count ?? 0), 0) : null };
	}
}
