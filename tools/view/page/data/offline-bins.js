// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bins of an exported page.  The page contains bins of some levels, of 2^level ns each.  Finer
 * bins are computed from events and slices; a slice is what a CPU does from a time on.
 *
 * Stage: between the data in the page and offline.js.  The format is that of the server's tiles.
 */
import { BEHIND_END, IN_SOFTIRQ, IN_TASK, NOT_KNOWN } from './offline-file.js';
import { UNKNOWN } from './names.js';

const TILE = 256;
const BIN_BYTES = 12;
const HEAD_BYTES = 32;
const APPROXIMATE = 0x1;
const OUTSIDE = 0x2;

/* A share of @width, 0 to 255: at least 1 if not zero, at most 254 if not all. */
function share(ns, width)
{
	if (ns <= 0)
		return 0;
	if (ns >= width)
		return 255;
	return Math.min(Math.max(Math.round(ns / width * 255), 1), 254);
}

/* A buffer with the header of the server's answers, followed by room for the bins. */
function answerOf(lanes, bins)
{
	const buffer = new ArrayBuffer(HEAD_BYTES + lanes * bins * BIN_BYTES);
	const out = new DataView(buffer);

	out.setUint32(0, 0x45565442);
	out.setUint32(4, 1, true);
	out.setUint32(8, lanes, true);
	out.setUint32(12, bins, true);
	return out;
}

export class OfflineBins {
	#file;

	constructor(file)
	{
		this.#file = file;
	}

	/* Stores a lane's bins [first, first + count) of a level in @out, from byte @at on. */
	#laneBins(lane, level, first, count, out, at)
	{
		const { levels, slices } = this.#file.data;
		const found = levels.find((one) => one.level === level);

		if (found)
			this.#copy(lane, found, first, count, out, at);
		else if (level < levels[0].level && slices)
			this.#count(lane, level, first, count, out, at);
		else if (level < levels[0].level)
			this.#stretch(lane, level, first, count, out, at);
		else
			for (let i = 0; i < count; i++)
				out.setUint8(at + i * BIN_BYTES + 9, OUTSIDE);
	}

	#copy(lane, { first: begin, bins, offset }, first, count, out, at)
	{
		for (let i = 0; i < count; i++, at += BIN_BYTES) {
			const bin = first + i - begin;

			if (bin < 0 || bin >= bins) {
				out.setUint8(at + 9, OUTSIDE);
				continue;
			}
			const from = this.#file.base + offset + (lane * bins + bin) * BIN_BYTES;

			for (let k = 0; k < BIN_BYTES; k += 4)
				out.setUint32(at + k, this.#file.view.getUint32(from + k, true), true);
		}
	}

	/* Approximate bins from the finest level, if there are no slices. */
	#stretch(lane, level, first, count, out, at)
	{
		const finest = this.#file.data.levels[0];
		const size = 2 ** (finest.level - level);

		for (let i = 0; i < count; i++, at += BIN_BYTES) {
			this.#copy(lane, finest, Math.floor((first + i) / size), 1, out, at);
			out.setUint8(at + 9, out.getUint8(at + 9) | APPROXIMATE);
			out.setUint16(at + 10, 0, true);
		}
	}

	/* Exact bins from slices and events. */
	#count(lane, level, first, count, out, at)
	{
		const width = 2 ** level;
		const from = first * width, to = from + count * width;
		const bins = Array.from({ length: count }, () => null);

		this.#file.walk(lane, from, to, (begin, end, slice) => {
			for (let bin = Math.floor(begin / width) - first; bin < count; bin++) {
				const a = (first + bin) * width;
				const ns = Math.min(end, a + width) - Math.max(begin, a);

				if (ns <= 0)
					break;
				this.#add(bins[bin] ??= { tasks: new Map(), busy: 0, irq: 0, softirq: 0,
					lost: 0, known: 0 }, slice, ns);
			}
		});
		for (let i = 0; i < count; i++)
			this.#put(bins[i], width, out, at + i * BIN_BYTES);
		for (const { t, kind } of this.#file.eventsIn(lane, from, to)) {
			const bin = at + (Math.floor(t / width) - first) * BIN_BYTES;

			out.setUint16(bin + 10, out.getUint16(bin + 10, true) |
				1 << this.#file.data.log.kinds.indexOf(kind), true);
		}
	}

	#add(bin, { task, context }, ns)
	{
		if (context === BEHIND_END)
			return;
		bin.known += ns;
		if (context === NOT_KNOWN || (context === IN_TASK && task === UNKNOWN)) {
			bin.lost += ns;
			return;
		}
		if (context === IN_SOFTIRQ)
			bin.softirq += ns;
		else if (context !== IN_TASK)
			bin.irq += ns;
		else if (task !== 0)
			bin.tasks.set(task, (bin.tasks.get(task) ?? 0) + ns);
		if (context !== IN_TASK || task !== 0)
			bin.busy += ns;
	}

	#put(bin, width, out, at)
	{
		let task = 0, most = 0;

		if (!bin?.known) {
			out.setUint8(at + 9, OUTSIDE);
			return;
		}
		for (const [id, ns] of bin.tasks)
			if (ns > most)
				[task, most] = [id, ns];
		out.setUint32(at, !most && bin.lost >= width ? UNKNOWN : task, true);
		out.setUint8(at + 4, share(most, width));
		out.setUint8(at + 5, share(bin.busy, width));
		out.setUint8(at + 6, share(bin.irq, width));
		out.setUint8(at + 7, share(bin.softirq, width));
		out.setUint8(at + 8, share(bin.lost, width));
		out.setUint8(at + 9, bin.known < width ? OUTSIDE : 0);
	}

	/* Bins of a task on all CPUs.  The task field of a bin has the CPU where it ran most. */
	#taskBins(host, id, level, first, count, out, at)
	{
		const width = 2 ** level;
		const from = first * width, to = from + count * width;
		const { data } = this.#file;
		const { cpus } = data.log.hosts[host];
		const sums = new Float64Array(count), best = new Float64Array(count);

		for (let i = 0; i < count; i++)
			out.setUint32(at + i * BIN_BYTES, UNKNOWN, true);
		for (const { cpu, lane } of cpus) {
			const own = new Float64Array(count);

			this.#runs(lane, id, level, first, count, (begin, end) => {
				for (let bin = Math.max(Math.floor(begin / width) - first, 0); bin < count;
				     bin++) {
					const a = (first + bin) * width;
					const ns = Math.min(end, a + width, to) - Math.max(begin, a, from);

					if (ns <= 0)
						break;
					own[bin] += ns;
				}
			});
			for (let i = 0; i < count; i++) {
				sums[i] += own[i];
				if (own[i] > best[i]) {
					best[i] = own[i];
					out.setUint32(at + i * BIN_BYTES, cpu, true);
				}
			}
		}
		for (let i = 0; i < count; i++) {
			out.setUint8(at + i * BIN_BYTES + 4, share(sums[i], width));
			out.setUint8(at + i * BIN_BYTES + 5, share(sums[i], width));
			if (from + (i + 1) * width <= data.from || from + i * width >= data.to)
				out.setUint8(at + i * BIN_BYTES + 9, OUTSIDE);
			else if (!data.slices)
				out.setUint8(at + i * BIN_BYTES + 9, APPROXIMATE);
		}
	}

	/* Calls visit(begin, end) for each run of a task on a lane; from bins if without slices. */
	#runs(lane, id, level, first, count, visit)
	{
		const width = 2 ** level;

		if (this.#file.data.slices) {
			this.#file.walk(lane, first * width, (first + count) * width, (begin, end, slice) => {
				if (slice.context === IN_TASK && slice.task === id)
					visit(begin, end);
			});
			return;
		}
		const bins = new DataView(new ArrayBuffer(count * BIN_BYTES));

		this.#laneBins(lane, level, first, count, bins, 0);
		for (let i = 0; i < count; i++)
			if (bins.getUint32(i * BIN_BYTES, true) === id) {
				const begin = (first + i) * width;

				visit(begin, begin + width * bins.getUint8(i * BIN_BYTES + 4) / 255);
			}
	}

	/* @keys: numbers of lanes, or { host, id } for lanes of tasks */
	tiles(level, first, count, keys)
	{
		const bins = count * TILE;
		const out = answerOf(keys.length, bins);

		out.setUint32(16, level, true);
		out.setFloat64(24, first * TILE * 2 ** level, true);
		keys.forEach((key, i) => {
			const at = HEAD_BYTES + i * bins * BIN_BYTES;

			if (typeof key === 'number')
				this.#laneBins(key, level, first * TILE, bins, out, at);
			else
				this.#taskBins(key.host, key.id, level, first * TILE, bins, out, at);
		});
		return out.buffer;
	}

	/* The mean over all lanes, for the whole run; 0 where this page has no data. */
	overview(bins)
	{
		const out = answerOf(1, bins);
		const { levels, log: { end, lanes } } = this.#file.data;
		const width = end / bins;
		const level = levels.findLast((one) => 2 ** one.level <= width) ?? levels[0];

		out.setFloat64(24, width, true);
		for (let i = 0; i < bins; i++) {
			const at = HEAD_BYTES + i * BIN_BYTES;

			out.setUint32(at, UNKNOWN, true);
			this.#mean(level, i * width / 2 ** level.level, (i + 1) * width / 2 ** level.level,
				lanes, out, at);
		}
		return out.buffer;
	}

	/* The mean shares of bins [from, to) of a level; the ends can be within a bin. */
	#mean({ first, bins, offset }, from, to, lanes, out, at)
	{
		const sums = [0, 0, 0, 0];

		for (let bin = Math.max(Math.floor(from), first); bin < Math.min(Math.ceil(to),
			first + bins); bin++) {
			const part = Math.min(to, bin + 1) - Math.max(from, bin);

			for (let lane = 0; lane < lanes; lane++) {
				const word = this.#file.base + offset +
					(lane * bins + bin - first) * BIN_BYTES + 5;

				for (let k = 0; k < 4; k++)
					sums[k] += this.#file.view.getUint8(word + k) * part;
			}
		}
		sums.forEach((sum, k) => out.setUint8(at + 5 + k,
			sum ? Math.max(Math.round(sum / lanes / (to - from)), 1) : 0));
	}
}
