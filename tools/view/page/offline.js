// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The source of all data when `evtlog export --html` made the page: a part of the logs
 * within the page itself.
 *
 * Stage: in the place of the server, whose methods it has.  Inflated once, everything is
 * answered from memory: bins of 2^level ns as the program counted them, finer ones from
 * slices (what a CPU did from when on), and the events, arrows and numbers of the span.
 * What the file has not is said, never made up.
 */
import { Failure } from './server.js';

const BLOCK = 'evtlog-data';
const TILE = 256;
const BIN_BYTES = 12;
const SLICE_BYTES = 16;
const HEAD_BYTES = 32;
const APPROXIMATE = 0x1;
const OUTSIDE = 0x2;
const UNKNOWN = 0xffffffff;
const IN_TASK = 0, IN_SOFTIRQ = 1, NOT_KNOWN = 255, BEHIND_END = 254;

const PLACES = ['task', 'softirq', 'irq', 'vector'];

function bytesOf(text)
{
	const PART = 1 << 20;	/* whole groups of four letters */
	const bytes = new Uint8Array(Math.floor(text.length / 4) * 3);
	let at = 0;

	for (let i = 0; i < text.length; i += PART) {
		const part = atob(text.slice(i, i + PART));

		for (let k = 0; k < part.length; k++)
			bytes[at++] = part.charCodeAt(k);
	}
	return bytes.subarray(0, at);
}

async function inflate(bytes)
{
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));

	return new Response(stream).arrayBuffer();
}

/* A share of 255: what is there at all is at least 1, what is not all at most 254. */
function share(ns, width)
{
	if (ns <= 0)
		return 0;
	if (ns >= width)
		return 255;
	return Math.min(Math.max(Math.round(ns / width * 255), 1), 254);
}

export class Offline {
	offline = true;
	notice = '';
	#data;
	#view;
	#base;

	/* Whether this page is such a file. */
	static get here()
	{
		return document.getElementById(BLOCK) !== null;
	}

	static async open()
	{
		const source = new Offline();
		const buffer = await inflate(bytesOf(document.getElementById(BLOCK).textContent.trim()));
		const head = new DataView(buffer);
		const length = head.getUint32(8, true);

		if (head.getUint32(0) !== 0x4556544f || head.getUint32(4, true) !== 1)
			throw new Failure(0, 'This file is damaged: export it again.');
		source.#data = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 16, length)));
		source.#base = 16 + Math.ceil(length / 8) * 8;
		source.#view = head;
		source.#start();
		return source;
	}

	#start()
	{
		const { from, to, notices } = this.#data;

		this.#data.names = this.#data.names.map((parts) => Object.assign({}, ...parts));

		this.#data.log.notes = { writable: false };
		this.notice = notices.join(' ');
		if (!location.hash)
			location.hash = `#from=${from}&to=${to}`;
	}

	async session() {}

	async log()
	{
		return structuredClone(this.#data.log);
	}

	/* ---- Slices ---- */

	#sliceCount(lane)
	{
		return this.#data.slices ? this.#data.slices[lane].count : 0;
	}

	#slice(lane, i)
	{
		const at = this.#base + this.#data.slices[lane].offset + i * SLICE_BYTES;
		const view = this.#view;

		return { t: view.getFloat64(at, true), task: view.getUint32(at + 8, true),
			number: view.getUint16(at + 12, true), place: view.getUint8(at + 14),
			left: view.getUint8(at + 15) };
	}

	#sliceTime(lane, i)
	{
		return i >= this.#sliceCount(lane) ? this.#data.to :
			this.#view.getFloat64(this.#base + this.#data.slices[lane].offset +
				i * SLICE_BYTES, true);
	}

	/* The last that begins at or before @t; -1 if none does. */
	#sliceAt(lane, t)
	{
		let low = -1, high = this.#sliceCount(lane);

		while (high - low > 1) {
			const middle = (low + high) >> 1;

			if (this.#sliceTime(lane, middle) <= t)
				low = middle;
			else
				high = middle;
		}
		return low;
	}

	/* visit(begin, end, slice) for what there is of a lane in [from, to) */
	#walk(lane, from, to, visit)
	{
		const count = this.#sliceCount(lane);

		for (let i = Math.max(this.#sliceAt(lane, from), 0); i < count; i++) {
			const slice = this.#slice(lane, i);

			if (slice.t >= to)
				break;
			visit(Math.max(slice.t, from), Math.min(this.#sliceTime(lane, i + 1), to), slice);
		}
	}

	/* ---- Bins ---- */

	/* A lane's bins [first, first + count) of a level, into @out from byte @at on. */
	#laneBins(lane, level, first, count, out, at)
	{
		const levels = this.#data.levels;
		const found = levels.find((one) => one.level === level);

		if (found)
			this.#copy(lane, found, first, count, out, at);
		else if (level < levels[0].level && this.#data.slices)
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
			const from = this.#base + offset + (lane * bins + bin) * BIN_BYTES;

			for (let k = 0; k < BIN_BYTES; k += 4)
				out.setUint32(at + k, this.#view.getUint32(from + k, true), true);
		}
	}

	/* From the finest level, for what there are no slices. */
	#stretch(lane, level, first, count, out, at)
	{
		const finest = this.#data.levels[0];
		const size = 2 ** (finest.level - level);

		for (let i = 0; i < count; i++, at += BIN_BYTES) {
			this.#copy(lane, finest, Math.floor((first + i) / size), 1, out, at);
			out.setUint8(at + 9, out.getUint8(at + 9) | APPROXIMATE);
			out.setUint16(at + 10, 0, true);
		}
	}

	/* Exactly, from slices and events. */
	#count(lane, level, first, count, out, at)
	{
		const width = 2 ** level;
		const from = first * width, to = from + count * width;
		const bins = Array.from({ length: count }, () => null);

		this.#walk(lane, from, to, (begin, end, slice) => {
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
		for (const { t, kind } of this.#eventsIn(lane, from, to)) {
			const bin = at + (Math.floor(t / width) - first) * BIN_BYTES;

			out.setUint16(bin + 10, out.getUint16(bin + 10, true) |
				1 << this.#data.log.kinds.indexOf(kind), true);
		}
	}

	#add(bin, { task, place }, ns)
	{
		if (place === BEHIND_END)
			return;
		bin.known += ns;
		if (place === NOT_KNOWN || (place === IN_TASK && task === UNKNOWN)) {
			bin.lost += ns;
			return;
		}
		if (place === IN_SOFTIRQ)
			bin.softirq += ns;
		else if (place !== IN_TASK)
			bin.irq += ns;
		else if (task !== 0)
			bin.tasks.set(task, (bin.tasks.get(task) ?? 0) + ns);
		if (place !== IN_TASK || task !== 0)
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

	/* Of a task wherever it ran: the task of a bin is the CPU it ran on most. */
	#taskBins(host, id, level, first, count, out, at)
	{
		const width = 2 ** level;
		const from = first * width, to = from + count * width;
		const { cpus } = this.#data.log.hosts[host];
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
			if (from + (i + 1) * width <= this.#data.from || from + i * width >= this.#data.to)
				out.setUint8(at + i * BIN_BYTES + 9, OUTSIDE);
			else if (!this.#data.slices)
				out.setUint8(at + i * BIN_BYTES + 9, APPROXIMATE);
		}
	}

	/* visit(begin, end) where a task ran on a lane; by bins where it ran most of them */
	#runs(lane, id, level, first, count, visit)
	{
		const width = 2 ** level;

		if (this.#data.slices) {
			this.#walk(lane, first * width, (first + count) * width, (begin, end, slice) => {
				if (slice.place === IN_TASK && slice.task === id)
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

	async tiles(level, first, count, lanes)
	{
		const keys = this.#keys(lanes);
		const bins = count * TILE;
		const buffer = new ArrayBuffer(HEAD_BYTES + keys.length * bins * BIN_BYTES);
		const out = new DataView(buffer);

		out.setUint32(0, 0x45565442);
		out.setUint32(4, 1, true);
		out.setUint32(8, keys.length, true);
		out.setUint32(12, bins, true);
		out.setUint32(16, level, true);
		out.setFloat64(24, first * TILE * 2 ** level, true);
		keys.forEach((key, i) => {
			const at = HEAD_BYTES + i * bins * BIN_BYTES;

			if (typeof key === 'number')
				this.#laneBins(key, level, first * TILE, bins, out, at);
			else
				this.#taskBins(key.host, key.id, level, first * TILE, bins, out, at);
		});
		return buffer;
	}

	/* "0-15,20,t0.17" */
	#keys(lanes)
	{
		const keys = [];

		for (const part of String(lanes).split(',')) {
			const task = /^t(\d+)\.(\d+)$/.exec(part);
			const range = /^(\d+)(?:-(\d+))?$/.exec(part);

			if (task)
				keys.push({ host: Number(task[1]), id: Number(task[2]) });
			for (let i = Number(range?.[1]); range && i <= Number(range[2] ?? range[1]); i++)
				keys.push(i);
		}
		return keys;
	}

	/* The mean over all lanes, of the whole run: dark where this file has nothing. */
	async overview(bins)
	{
		const buffer = new ArrayBuffer(HEAD_BYTES + bins * BIN_BYTES);
		const out = new DataView(buffer);
		const width = this.#data.log.end / bins;
		const level = this.#data.levels.findLast((one) => 2 ** one.level <= width) ??
			this.#data.levels[0];
		const { lanes } = this.#data.log;

		out.setUint32(0, 0x45565442);
		out.setUint32(4, 1, true);
		out.setUint32(8, 1, true);
		out.setUint32(12, bins, true);
		out.setFloat64(24, width, true);
		for (let i = 0; i < bins; i++) {
			const at = HEAD_BYTES + i * BIN_BYTES;

			out.setUint32(at, UNKNOWN, true);
			this.#mean(level, i * width / 2 ** level.level, (i + 1) * width / 2 ** level.level,
				lanes, out, at);
		}
		return buffer;
	}

	/* Shares of bins [from, to) of a level, parts of bins included */
	#mean({ first, bins, offset }, from, to, lanes, out, at)
	{
		const sums = [0, 0, 0, 0];

		for (let bin = Math.max(Math.floor(from), first); bin < Math.min(Math.ceil(to),
			first + bins); bin++) {
			const part = Math.min(to, bin + 1) - Math.max(from, bin);

			for (let lane = 0; lane < lanes; lane++) {
				const word = this.#base + offset +
					(lane * bins + bin - first) * BIN_BYTES + 5;

				for (let k = 0; k < 4; k++)
					sums[k] += this.#view.getUint8(word + k) * part;
			}
		}
		sums.forEach((sum, k) => out.setUint8(at + 5 + k,
			sum ? Math.max(Math.round(sum / lanes / (to - from)), 1) : 0));
	}

	/* ---- Names ---- */

	async names(host, ids)
	{
		const known = this.#data.names[host];

		return Object.fromEntries(ids.filter((id) => known[id]).map((id) => [id, known[id]]));
	}

	async search(q, limit)
	{
		const wanted = q.toLowerCase();
		const tasks = this.#data.names.flatMap((names, host) => Object.entries(names)
			.filter(([id, { pid, comm }]) => id !== '0' &&
				(comm.toLowerCase().includes(wanted) || String(pid).startsWith(q)))
			.map(([id, task]) => ({ host, id: Number(id), ...task })));

		tasks.sort((a, b) => Number(b.run_ns) - Number(a.run_ns));
		return { tasks: tasks.slice(0, limit) };
	}

	#task(host, id)
	{
		if (id === UNKNOWN)
			return null;
		return { id, pid: 0, comm: '', ...this.#data.names[host][id] };
	}

	#hostOf(lane)
	{
		return this.#data.log.hosts.findIndex(({ cpus }) =>
			cpus.some((cpu) => cpu.lane === lane));
	}

	/* ---- Places and events ---- */

	#wantSlices()
	{
		if (!this.#data.slices)
			throw new Failure(404, 'This file has no slices: too much happens in its span. ' +
				'Export less of the run, or open the log with "evtlog view".');
	}

	/* From the begin of the task's slice to its end, softirqs and interrupts within. */
	#around(lane, at)
	{
		const { task } = this.#slice(lane, at);
		const count = this.#sliceCount(lane);
		const alike = (i) => {
			const one = this.#slice(lane, i);

			return one.task === task && one.place < BEHIND_END;
		};
		let first = at, last = at;

		/* A record that tells why a task left begins another slice, even of the same. */
		while (first > 0 && !this.#slice(lane, first).left && alike(first - 1))
			first--;
		while (last + 1 < count && !this.#slice(lane, last + 1).left && alike(last + 1))
			last++;
		return { first, next: last + 1 };
	}

	async at(key, time, about)
	{
		const t = Math.round(time), near = Math.round(about);

		this.#wantSlices();
		const [wanted] = this.#keys(key);
		const lane = typeof wanted === 'number' ? wanted : this.#laneOfTask(wanted, t);
		const answer = { t, lane: typeof wanted === 'number' ? wanted : null, task: null,
			place: null, place_name: null, place_begin: null, place_end: null,
			begin: null, end: null, ran_ns: null, left: null,
			next: null, event: null, bound_ns: null, bounds: this.#data.bounds, real_ns: this.#real(t) };

		if (lane === undefined)
			return answer;
		const host = this.#hostOf(lane);
		const index = this.#sliceAt(lane, t);

		answer.lane = lane;
		answer.bound_ns = this.#bound(host, t);
		answer.event = this.#nearest(lane, t, near);
		if (index < 0 || t >= this.#data.to)
			return answer;
		const slice = this.#slice(lane, index);
		const { first, next } = this.#around(lane, index);

		if (slice.place >= BEHIND_END)
			return answer;
		answer.task = this.#task(host, slice.task);
		answer.place = PLACES[slice.place];
		answer.place_name = this.#data.places[host]?.[slice.place]?.[slice.number] ?? null;
		answer.begin = this.#sliceTime(lane, first);
		answer.end = this.#sliceTime(lane, next);
		answer.place_begin = this.#sliceTime(lane, index);
		answer.place_end = this.#sliceTime(lane, index + 1);
		answer.ran_ns = 0;
		for (let i = first; i < next; i++)
			if (PLACES[this.#slice(lane, i).place] === 'task')
				answer.ran_ns += this.#sliceTime(lane, i + 1) -
					this.#sliceTime(lane, i);
		if (next < this.#sliceCount(lane)) {
			const after = this.#slice(lane, next);

			/* Idle has no reasons. */
			answer.left = after.place === NOT_KNOWN ? 'events lost' :
				slice.task === 0 ? null : this.#data.left[String.fromCharCode(after.left)] ?? null;
			answer.next = after.place >= BEHIND_END ? null : this.#task(host, after.task);
		}
		return answer;
	}

	/* The greatest of the piece of the span that the time is in */
	#bound(host, t)
	{
		const { bounds, from, to } = this.#data;
		const pieces = bounds[host].length;
		const piece = Math.floor((t - from) / (to - from) * pieces);

		return bounds[host][Math.min(Math.max(piece, 0), pieces - 1)];
	}

	#laneOfTask({ host, id }, t)
	{
		return this.#data.log.hosts[host].cpus.find(({ lane }) => {
			const i = this.#sliceAt(lane, t);

			return i >= 0 && this.#slice(lane, i).task === id;
		})?.lane;
	}

	#real(t)
	{
		return String(BigInt(this.#data.log.base_real_ns) + BigInt(Math.round(t)));
	}

	#eventsIn(lane, from, to)
	{
		return this.#data.events.events.filter((event) => event.lane === lane &&
			event.t >= from && event.t < to);
	}

	#nearest(lane, t, near)
	{
		let best = null;

		/* Of those at one time, the last before it or the first behind it */
		for (const event of this.#eventsIn(lane, t - near, t + near + 1)) {
			if (event.t < t) {
				best = event;
				continue;
			}
			if (!best || event.t - t <= t - best.t)
				best = event;
			break;
		}
		return best;
	}

	#chosen(lanes, kinds)
	{
		const wanted = new Set(this.#keys(lanes));
		const mask = kinds ?? -1;
		const names = this.#data.log.kinds;

		return this.#data.events.events.filter(({ lane, kind }) => wanted.has(lane) &&
			mask & 1 << names.indexOf(kind));
	}

	async events(lanes, from, to, limit, kinds)
	{
		const events = this.#chosen(lanes, kinds).filter(({ t }) => t >= from && t < to);

		return { events: events.slice(0, limit), more: events.length > limit ||
			(this.#data.events.more && to > this.#data.events_to) };
	}

	async step(lane, t, direction, kinds)
	{
		const events = this.#chosen(lane, kinds);

		return { event: (direction === 'prev' ? events.findLast((event) => event.t < t) :
			events.find((event) => event.t > t)) ?? null };
	}

	async arrows(lanes, from, to, limit, kinds)
	{
		const { arrows, too_many: tooMany } = this.#data.arrows;
		const wanted = new Set(this.#keys(lanes));

		if (tooMany)
			return { too_many: tooMany };
		const within = ({ t }) => t >= from && t < to;
		const found = arrows.filter((arrow) => kinds.includes(arrow.kind) &&
			within(arrow.from) && within(arrow.to) && wanted.has(arrow.from.lane) && wanted.has(arrow.to.lane));

		return { arrows: found.slice(0, limit), more: found.length > limit };
	}

	async find(host, id, when)
	{
		this.#wantSlices();
		let best = null;

		for (const { lane } of this.#data.log.hosts[host].cpus)
			this.#walk(lane, this.#data.from, this.#data.to, (begin, end, slice) => {
				if (slice.task !== id || slice.place !== IN_TASK)
					return;
				if ('after' in when ? begin > when.after && (!best || begin < best.begin) :
					begin < when.before && (!best || begin > best.begin))
					best = { lane, begin, end };
			});
		return best;
	}

	/* ---- Numbers and notes ---- */

	async summary(from, to)
	{
		if (Math.round(from) > this.#data.from || Math.round(to) < this.#data.to)
			throw new Failure(404, 'This file has the numbers of its whole span only; ' +
				'"evtlog view" has those of any part of the log.');
		return structuredClone(this.#data.summary);
	}

	async notes()
	{
		return { etag: null, notes: structuredClone(this.#data.marks) };
	}

	async putNotes()
	{
		throw new Failure(403, 'this page is a file of its own.');
	}
}
