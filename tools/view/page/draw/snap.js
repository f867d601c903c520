// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Snapping: finds the edge of a slice, or the event, that is nearest to a time on a lane.
 *
 * Stage: between the pointer, which selects a span, and the exact times of the log.
 */

const NEAR_PIXELS = 8;

export class Snap {
	#source;
	#busy = false;

	constructor(source)
	{
		this.#source = source;
	}

	/* Returns the snapped time, or @t if nothing is near. */
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

	/* As to(), for use while dragging.  Returns null if another request is under way. */
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
