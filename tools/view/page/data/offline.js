// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The source of all data for a page made by `evtlog export --html`, which contains a part of
 * the logs.
 *
 * Stage: replaces the server and has the same methods.  All answers are made from memory:
 * bins by offline-bins.js, events, arrows and statistics here.  If the page lacks the data of
 * a request, the answer is an error or marked as incomplete.
 */
import { BEHIND_END, IN_TASK, NOT_KNOWN, OfflineFile, CONTEXTS } from './offline-file.js';
import { Failure } from './server.js';
import { OfflineBins } from './offline-bins.js';
import { UNKNOWN, fitsTask } from './names.js';

export class Offline {
	offline = true;
	notice = '';
	#file;
	#data;
	#bins;

	constructor(file)
	{
		this.#file = file;
		this.#data = file.data;
		this.#bins = new OfflineBins(file);
	}

	/* True: this page contains a part of logs. */
	static get here()
	{
		return OfflineFile.here;
	}

	static async open()
	{
		const source = new Offline(await OfflineFile.open());

		source.#start();
		return source;
	}

	#start()
	{
		const { from, to, notices } = this.#data;

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

	/* ---- Bins ---- */

	async tiles(level, first, count, lanes)
	{
		return this.#bins.tiles(level, first, count, this.#keys(lanes));
	}

	async overview(bins)
	{
		return this.#bins.overview(bins);
	}

	/* Keys from a list of lanes and tasks: "0-15,20,t0.17". */
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

	/* All bins of the coarsest level up to @level; if there is none, of the finest level. */
	async counters({ host, level })
	{
		const levels = this.#data.counters[host];
		const found = levels.findLast((one) => one.level <= level) ?? levels[0];

		if (!found)
			throw new Failure(422, 'This log has no data per CPU, so it has no counters.');
		return found;
	}

	/* ---- Names ---- */

	async names(host, ids)
	{
		const known = this.#data.names[host];

		return Object.fromEntries(ids.filter((id) => known[id]).map((id) => [id, known[id]]));
	}

	async tasks(host, pids)
	{
		const all = Object.values(this.#data.names[host]).sort((a, b) => Number(a.since) - Number(b.since));

		return Object.fromEntries(pids.map((text) => {
			const [pid, time = Infinity] = text.split('@').map(Number);
			const had = all.filter((task) => task.pid === pid);

			return [text, had.findLast(({ since }) => Number(since) <= time) ?? had[0]];
		}));
	}

	async search(q, limit)
	{
		const tasks = this.#data.names.flatMap((names, host) => Object.entries(names)
			.filter(([id, task]) => id !== '0' && fitsTask(task, q))
			.map(([id, task]) => ({ host, id: Number(id), ...task })));

		tasks.sort((a, b) => Number(b.run_ns) - Number(a.run_ns));
		const names = new Set(this.#data.events.events.map(({ name }) => name)
			.filter((name) => name.toLowerCase().includes(q.toLowerCase())));

		return { tasks: tasks.slice(0, limit), events: [...names].slice(0, limit) };
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

	/* ---- Contexts and events ---- */

	#wantSlices()
	{
		if (!this.#data.slices)
			throw new Failure(404, 'This file has no slices: its time span has too many. ' +
				'Export less of the run, or open the log with "evtlog view".');
	}

	/*
	 * The range [first, next) of entries from the task's switch in to its switch out.
	 * Softirqs and interrupts in between have entries of their own.
	 */
	#around(lane, at)
	{
		const { task } = this.#file.slice(lane, at);
		const count = this.#file.sliceCount(lane);
		const alike = (i) => {
			const one = this.#file.slice(lane, i);

			return one.task === task && one.context < BEHIND_END;
		};
		let first = at, last = at;

		/* An entry after a switch, even to the same task, has the switch's reason. */
		while (first > 0 && !this.#file.slice(lane, first).left && alike(first - 1))
			first--;
		while (last + 1 < count && !this.#file.slice(lane, last + 1).left && alike(last + 1))
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
			context: null, context_name: null, context_begin: null, context_end: null,
			begin: null, end: null, ran_ns: null, left: null,
			next: null, event: null,
			bounds: this.#data.bounds.map((pieces) => this.#bound(pieces, t)) };

		if (lane === undefined)
			return answer;
		const host = this.#hostOf(lane);
		const index = this.#file.sliceAt(lane, t);

		answer.lane = lane;
		answer.event = this.#nearest(lane, t, near);
		if (index < 0 || t >= this.#data.to)
			return answer;
		const slice = this.#file.slice(lane, index);
		const { first, next } = this.#around(lane, index);

		if (slice.context >= BEHIND_END)
			return answer;
		answer.task = this.#task(host, slice.task);
		answer.context = CONTEXTS[slice.context];
		answer.context_name = this.#data.contexts[host]?.[slice.context]?.[slice.number] ?? null;
		answer.begin = this.#file.sliceTime(lane, first);
		answer.end = this.#file.sliceTime(lane, next);
		answer.context_begin = this.#file.sliceTime(lane, index);
		answer.context_end = this.#file.sliceTime(lane, index + 1);
		answer.ran_ns = 0;
		for (let i = first; i < next; i++)
			if (CONTEXTS[this.#file.slice(lane, i).context] === 'task')
				answer.ran_ns += this.#file.sliceTime(lane, i + 1) -
					this.#file.sliceTime(lane, i);
		if (next < this.#file.sliceCount(lane)) {
			const after = this.#file.slice(lane, next);

			/* The idle task leaves without a reason. */
			answer.left = after.context === NOT_KNOWN ? 'events lost' :
				slice.task === 0 ? null : this.#data.left[String.fromCharCode(after.left)] ?? null;
			answer.next = after.context >= BEHIND_END ? null : this.#task(host, after.task);
		}
		return answer;
	}

	/* The largest clock error of a host in the part of the span that contains @t. */
	#bound(pieces, t)
	{
		const { from, to } = this.#data;
		const piece = Math.floor((t - from) / (to - from) * pieces.length);

		return pieces[Math.min(Math.max(piece, 0), pieces.length - 1)];
	}

	#laneOfTask({ host, id }, t)
	{
		return this.#data.log.hosts[host].cpus.find(({ lane }) => {
			const i = this.#file.sliceAt(lane, t);

			return i >= 0 && this.#file.slice(lane, i).task === id;
		})?.lane;
	}

	#nearest(lane, t, near)
	{
		let best = null;

		/* Among simultaneous events, the last one before @t or the first one from @t on. */
		for (const event of this.#file.eventsIn(lane, t - near, t + near + 1)) {
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

	async next(lanes, when, { kinds, name })
	{
		const events = this.#chosen(lanes, kinds).filter((event) => !name || event.name === name);
		const event = 'after' in when ? events.find(({ t }) => t > when.after) :
			events.findLast(({ t }) => t < when.before);

		if (!event && name && this.#data.events.more && 'after' in when)
			throw new Failure(404, 'The list of events in this file ends before the next such event; ' +
				'"evtlog view" has all events.');
		return { event: event ?? null };
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

	/* ---- Paths of packets ---- */

	/* If the page lacks the packets, it has counts of visits in bins of a fixed width. */
	async paths(from, to, limit, bins)
	{
		const { packets, ...rest } = this.#data.paths;

		if (!packets)
			return rest;
		const within = (t) => t >= from && t < to;
		const seen = packets.filter(({ visits }) => visits.some(([, , , t]) => t >= from) &&
			visits.some(([, , , t]) => t < to));

		if (seen.length <= limit)
			return { ...rest, count: seen.length, packets: seen };
		const cells = new Map();

		for (const { visits } of seen)
			for (const [, , lane, t, , , reason] of visits) {
				if (lane === null || !within(t))
					continue;
				const bin = Math.floor((t - from) * bins / (to - from));
				const key = `${lane} ${bin}`;
				const cell = cells.get(key) ?? [lane, bin, 0, 0];

				cell[2]++;
				cell[3] += reason === null ? 0 : 1;
				cells.set(key, cell);
			}
		return { ...rest, count: seen.length, density: { from, to, bins, cells: [...cells.values()] } };
	}

	async packets(q, after, limit)
	{
		const { packets = [], stations, total } = this.#data.paths;
		const number = /^#?\d+$/.test(q) ? Number(q.replace('#', '')) : null;
		const has = ({ source, source_port: from, destination, destination_port: to }, id) =>
			number === null ? `${source}:${from}`.includes(q) || `${destination}:${to}`.includes(q) :
				[from, to, id].includes(number);
		const found = packets.filter((packet) => packet.id === number || (!q.startsWith('#') &&
			(has(packet, packet.ip_id) || (packet.translated && has(packet.translated, null)))));
		const begin = ({ visits }) => Math.min(...visits.map(([, , , t]) => t));

		return { total, stations, too_many: null, count: found.length,
			packets: [...found.filter((one) => begin(one) >= after),
				...found.filter((one) => begin(one) < after)].slice(0, limit) };
	}

	/* ---- Registered events ---- */

	async registered(lanes, from, to, { step, limit })
	{
		const { events, more } = this.#data.events;
		const wanted = new Set(this.#keys(lanes));
		const numbers = new Map(), names = [], marks = [], last = new Map();

		if (more && to > this.#data.events_to)
			return { names, marks, more: true, too_many: null };
		for (const { lane, t, kind, name, fields } of events) {
			if (kind !== 'put' || t < from || t >= to || !wanted.has(lane))
				continue;
			const key = `${lane} ${name}`;

			if (t - (last.get(key) ?? -Infinity) < step) {
				names[numbers.get(name)].count++;
				continue;
			}
			last.set(key, t);
			if (marks.length === limit)
				return { names, marks, more: true, too_many: null };
			const id = Number(fields?.id ?? 0);

			if (!numbers.has(name)) {
				numbers.set(name, names.length);
				names.push({ name, id, count: 0 });
			}
			const known = names[numbers.get(name)];

			known.id = Math.min(known.id, id);
			known.count++;
			marks.push([lane, t, numbers.get(name)]);
		}
		return { names, marks, more: false, too_many: null };
	}

	/* A slice lasts from switch in to switch out, including interrupts and softirqs. */
	async find(host, id, when)
	{
		this.#wantSlices();
		let best = null;

		for (const { lane } of this.#data.log.hosts[host].cpus) {
			const count = this.#file.sliceCount(lane);

			for (let first = 0, next; first < count; first = next) {
				({ next } = this.#around(lane, first));
				const { task, context } = this.#file.slice(lane, first);
				const begin = this.#file.sliceTime(lane, first);

				if (task !== id || context >= BEHIND_END)
					continue;
				if ('after' in when ? begin > when.after && (!best || begin < best.begin) :
					begin < when.before && (!best || begin > best.begin))
					best = { lane, begin, end: this.#file.sliceTime(lane, next) };
			}
		}
		return best;
	}

	/* ---- Statistics and notes ---- */

	async summary(from, to)
	{
		if (Math.round(from) > this.#data.from || Math.round(to) < this.#data.to)
			throw new Failure(404, 'This file has statistics of its whole time span only; ' +
				'"evtlog view" has those of any part of the log.');
		return structuredClone(this.#data.summary);
	}

	async notes()
	{
		return { etag: null, notes: structuredClone(this.#data.marks) };
	}

	async putNotes()
	{
		throw new Failure(403, 'this page is an exported file.');
	}
}
