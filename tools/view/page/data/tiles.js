// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tiles: fetches, refines and caches the bins of lanes.  A bin is 2^level ns wide.
 *
 * Stage: between the source, which returns bins, and the lanes, which are drawn from the bins
 * in each frame.  A tile is 256 bins of 3 words (struct evtlog_bin).  If a tile is missing,
 * gather() uses a coarser or a finer tile instead.  Pixels and colours are not handled here.
 */

export const BIN_WORDS = 3;
const FLAG_APPROXIMATE = 0x1;
export const FLAG_OUTSIDE = 0x2;
export const FLAG_MISSING = 0x80;
const TILE = 256;
const HEADER_BYTES = 32;
const LEVEL_MOST = 50;
const BINS_MOST = 1 << 18;	/* in one request, so that the first answers arrive soon */
const TILES_MOST = 64;
const FLYING_MOST = 3;
const KEPT_MOST = 24000;	/* tiles, 3 KiB each */
const COARSER = 12;
const FINER = 2;
const RETRY_MS = 700;

export function levelFor(nsPerPixel)
{
	return Math.min(Math.max(Math.floor(Math.log2(nsPerPixel)), 0), LEVEL_MOST);
}

export class Tiles extends EventTarget {
	#source;
	#lanes = new Map();	/* key -> array by level of Map of tiles */
	#kept = 0;
	#clock = 0;
	#flying = new Set();
	#wanted = null;
	#failed = 0;

	constructor(source)
	{
		super();
		this.#source = source;
	}

	#map(key, level)
	{
		let levels = this.#lanes.get(key);

		if (!levels)
			this.#lanes.set(key, levels = []);
		return levels[level] ??= new Map();
	}

	/*
	 * Fills @into with @count bins of a lane from bin @first on.  Bins that are not loaded
	 * have FLAG_MISSING.
	 */
	gather(key, level, first, count, into)
	{
		const levels = this.#lanes.get(key);
		const last = first + count;
		let whole = true;

		for (let tile = Math.floor(first / TILE); tile * TILE < last; tile++) {
			const a = Math.max(tile * TILE, first);
			const b = Math.min((tile + 1) * TILE, last);
			const found = levels?.[level]?.get(tile);

			if (found) {
				const start = found.start + (a - tile * TILE) * BIN_WORDS;

				found.used = this.#clock;
				into.set(found.words.subarray(start, start + (b - a) * BIN_WORDS),
					(a - first) * BIN_WORDS);
			} else {
				whole = this.#instead(levels, level, a, b, first, into) && whole;
			}
		}
		return whole;
	}

	#instead(levels, level, a, b, first, into)
	{
		let at = (a - first) * BIN_WORDS;

		for (let up = 1; levels && up <= COARSER; up++) {
			const size = 2 ** up;
			const map = levels[level + up];
			const tile = map?.get(Math.floor(a / size / TILE));

			if (!tile)
				continue;
			const start = Math.floor(a / size / TILE) * TILE;

			for (let bin = a; bin < b; bin++) {
				const from = tile.start + (Math.floor(bin / size) - start) * BIN_WORDS;

				into[at++] = tile.words[from];
				into[at++] = tile.words[from + 1];
				/* The place of events within the coarser bin is unknown. */
				into[at++] = tile.words[from + 2] & 0xffff;
			}
			return true;
		}
		for (let down = 1; levels && down <= FINER && down <= level; down++) {
			const map = levels[level - down];

			if (!map?.size)
				continue;
			this.#thin(map, 2 ** down, a, b, at, into);
			return true;
		}
		into.fill(0, at, at + (b - a) * BIN_WORDS);
		for (let bin = a; bin < b; bin++, at += BIN_WORDS)
			into[at + 2] = FLAG_MISSING << 8;
		return false;
	}

	#thin(map, size, a, b, at, into)
	{
		for (let bin = a; bin < b; bin++, at += BIN_WORDS) {
			const fine = bin * size;
			const tile = map.get(Math.floor(fine / TILE));

			if (tile) {
				const from = tile.start + (fine % TILE) * BIN_WORDS;

				into[at] = tile.words[from];
				into[at + 1] = tile.words[from + 1];
				into[at + 2] = tile.words[from + 2];
			} else {
				into[at] = into[at + 1] = 0;
				into[at + 2] = FLAG_MISSING << 8;
			}
		}
	}

	/*
	 * Requests the missing tiles of lanes in [from, to).
	 * @keys: visible lanes, in the server's format
	 * @beyond: lanes next to these, requested after all others
	 */
	want(keys, level, from, to, refine, beyond = [])
	{
		const width = 2 ** level;
		const first = Math.max(Math.floor(from / width / TILE), 0);
		const last = Math.max(Math.ceil(to / width / TILE), first + 1);

		this.#clock++;
		this.#wanted = { keys, beyond, level, first, last, refine };
		for (const request of this.#flying)
			if (request.level !== level || request.first >= last + 2 ||
			    request.first + request.count <= first - 2)
				request.stop.abort();
		this.#pump();
	}

	get busy()
	{
		return this.#flying.size > 0;
	}

	#lacks(key, level, tile, refine)
	{
		const found = this.#map(key, level).get(tile);

		if (found)
			return refine && found.approximate && !found.asked;
		for (const request of this.#flying)
			if (request.level === level && tile >= request.first &&
			    tile < request.first + request.count && request.keySet.has(key) &&
			    (!refine || request.refine))
				return false;
		return true;
	}

	/* The next request, or null.  Lanes that lack the same tiles share a request. */
	#due(keys, level, first, last, refine)
	{
		const groups = new Map();

		for (const key of keys) {
			let begin = -1, end = -1;

			for (let tile = first; tile < last; tile++) {
				if (!this.#lacks(key, level, tile, refine)) {
					if (begin >= 0)
						break;
					continue;
				}
				if (begin < 0)
					begin = tile;
				end = tile + 1;
				if (end - begin === TILES_MOST)
					break;
			}
			if (begin < 0)
				continue;
			const name = `${begin} ${end}`;

			if (!groups.has(name))
				groups.set(name, { first: begin, count: end - begin, keys: [] });
			groups.get(name).keys.push(key);
		}
		const group = groups.values().next().value;

		if (!group)
			return null;
		const most = Math.max(Math.floor(BINS_MOST / (group.count * TILE)), 1);

		group.keys = group.keys.slice(0, most);
		return { ...group, level, refine };
	}

	#pump()
	{
		const wanted = this.#wanted;

		if (!wanted || performance.now() < this.#failed)
			return;
		const { keys, beyond, level, first, last, refine } = wanted;

		while (this.#flying.size < FLYING_MOST) {
			const due = this.#due(keys, level, first, last, false) ??
				(refine ? this.#due(keys, level, first, last, true) : null) ??
				(this.#flying.size ? null :
				 this.#due([...keys, ...beyond], level, Math.max(first - 1, 0), last + 1,
					   false));

			if (!due)
				break;
			this.#fetch(due);
		}
	}

	async #fetch(request)
	{
		request.stop = new AbortController();
		request.keySet = new Set(request.keys);
		this.#flying.add(request);
		try {
			const body = await this.#source.tiles(request.level, request.first, request.count,
				request.keys.join(','), request.refine, request.stop.signal);

			this.#store(request, body);
			this.dispatchEvent(new Event('change'));
		} catch (error) {
			if (error.name !== 'AbortError') {
				this.#failed = performance.now() + RETRY_MS;
				setTimeout(() => this.#pump(), RETRY_MS + 1);
				/* The server would refuse the same request again. */
				if (error.status >= 400 && error.status < 500 && error.status !== 429)
					this.#wanted = null;
				if (error.status !== 429 && error.status !== 503)
					this.dispatchEvent(new CustomEvent('error', { detail: error }));
			}
		} finally {
			this.#flying.delete(request);
		}
		this.#pump();
		if (!this.#flying.size)
			this.dispatchEvent(new Event('idle'));
	}

	#store({ keys, level, first, count, refine }, body)
	{
		const head = new DataView(body);
		const bins = count * TILE;

		if (body.byteLength < HEADER_BYTES || head.getUint32(0) !== 0x45565442 ||
		    head.getUint32(4, true) !== 1)
			throw new Error('The server sends tiles that this page cannot read: ' +
				'reload the page.');
		if (head.getUint32(8, true) !== keys.length || head.getUint32(12, true) !== bins ||
		    body.byteLength < HEADER_BYTES + keys.length * bins * BIN_WORDS * 4)
			throw new Error('The server sent other tiles than requested.');
		const words = new Uint32Array(body, HEADER_BYTES);

		keys.forEach((key, lane) => {
			const map = this.#map(key, level);

			for (let i = 0; i < count; i++) {
				const start = (lane * bins + i * TILE) * BIN_WORDS;
				let approximate = false;

				for (let at = start + 2; at < start + TILE * BIN_WORDS; at += BIN_WORDS)
					if (words[at] & FLAG_APPROXIMATE << 8) {
						approximate = true;
						break;
					}
				const old = map.get(first + i);

				if (old && !old.approximate)
					continue;
				if (!old)
					this.#kept++;
				map.set(first + i, { words, start, approximate, asked: refine,
					used: this.#clock });
			}
		});
		if (this.#kept > KEPT_MOST)
			this.#forget();
	}

	/* Drops the half of the tiles that was not drawn for the longest time. */
	#forget()
	{
		const all = [];

		for (const levels of this.#lanes.values())
			for (const map of levels)
				for (const [tile, found] of map ?? [])
					all.push({ map, tile, used: found.used });
		all.sort((a, b) => a.used - b.used);
		for (const { map, tile } of all.slice(0, all.length >> 1))
			map.delete(tile);
		this.#kept = all.length - (all.length >> 1);
	}
}
