// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Snapping: the edge of a slice or the event nearest to a time on one lane.
 *
 * Stage: between dragging on the ruler and the exact times of the log.
 */

const NEAR_PIXELS = 8;

export class Snap {
	#source;
	#busy = false;

	constructor(source)
	{
		this.#source = source;
	}

	/* The snapped time, or @t itself where nothing is near. */
	async to(lane, t, nsPerPixel)
	{
		const near = Math.max(nsPerPixel * NEAR_PIXELS, 1);
		let at;

		if (lane === null)
			return t;
		try {
			at = await this.#source.at(lane, t, near);
		} catch {
			return t;
		}
		const candidates = [at.begin, at.end, at.event?.t]
			.filter((c) => Number.isFinite(c) && Math.abs(c - t) <= near);

		return candidates.reduce((best, c) => best === null ||
			Math.abs(c - t) < Math.abs(best - t) ? c : best, null) ?? t;
	}

	/* While dragging: one question at a time; null when one is under way. */
	async hint(lane, t, nsPerPixel)
	{
		if (this.#busy)
			return null;
		this.#busy = true;
		try {
			return await this.to(lane, t, nsPerPixel);
		} finally {
			this.#busy = false;
		}
	}
}
