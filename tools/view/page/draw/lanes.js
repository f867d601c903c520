// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws lanes: fills an array of device pixels for each frame, lane by lane, from tiles.
 *
 * Stage: the last step, after the tiles.  A lane has, from top to bottom: ticks of events; the
 * task; a band for softirqs; a band for interrupts.  The task is as high as its share of the
 * pixel's time; on top of it are other tasks in grey, softirqs and interrupts.  The bands show
 * even the shortest softirq and interrupt.  Lost time is hatched over the whole lane.  Nothing
 * is requested here: bins that the tiles lack are drawn as not loaded.
 */
import { BIN_WORDS, FLAG_MISSING, FLAG_OUTSIDE, levelFor } from '../data/tiles.js';
import { LANE_STYLE } from './colours.js';
import { LaneColours } from './lane-colours.js';
import { Runs } from './runs.js';
import { UNKNOWN } from '../data/names.js';
import { drawTrack } from './track.js';
import { drawLines, partsOf, writeHeads, writeNames } from './lane-text.js';

export class Lanes {
	#canvas;
	#context;
	#image = null;
	#pixels = null;
	#scale = 1;
	#words = new Uint32Array(0);
	#columns = null;
	#colours = new LaneColours();
	#runs = new Runs();
	#switch = 0;			/* number of the kind of context switches */
	#labels = [];
	#lines = [];
	#heads = [];
	#tracks = [];
	#seen = new Map();
	#heights = new Uint8Array(256);	/* 1 for each height of a bar in this lane */
	#high = {};
	#present = 0;			/* kinds in this lane */
	#lossy = false;
	#ground = 0;
	counting = false;	/* true: the next frame collects the tasks for inSight() */
	lossy = [];		/* stretches of lost events in the last frame */
	frames = 0;
	whole = false;	/* true: all visible bins are loaded */
	paintMs = 0;

	constructor(canvas)
	{
		this.#canvas = canvas;
		this.#context = canvas.getContext('2d', { alpha: false });
	}

	resize(width, height, scale)
	{
		const w = Math.max(Math.round(width * scale), 1);
		const h = Math.max(Math.round(height * scale), 1);

		if (this.#canvas.width === w && this.#canvas.height === h && this.#image)
			return;
		this.#canvas.width = w;
		this.#canvas.height = h;
		this.#scale = scale;
		this.#image = this.#context.createImageData(w, h);
		/* Signed: unsigned numbers with the highest of 32 bits set would become doubles. */
		this.#pixels = new Int32Array(this.#image.data.buffer);
		this.#columns = {
			start: new Int32Array(w + 1), colour: new Int32Array(w),
			task: new Uint8Array(w), rest: new Uint8Array(w),
			soft: new Uint8Array(w), busy: new Uint8Array(w),
			irq: new Int32Array(w), softirq: new Int32Array(w),
			back: new Int32Array(w), kinds: new Uint16Array(w), lost: new Uint8Array(w),
		};
	}

	get width()
	{
		return this.#canvas.width;
	}

	/*
	 * Draws a frame.
	 * @theme: colours between lanes; @names, @begins: for names of runs
	 * @kinds: mask of the kinds that have ticks
	 */
	paint({ rows, view, tiles, colours, names, begins, theme, kinds, counters })
	{
		const began = performance.now();
		const { width, height } = this.#canvas;
		const scale = this.#scale;
		const ns = view.span / width;
		const level = levelFor(ns);
		const bin = 2 ** level;
		const first = Math.floor(view.from / bin);
		const count = Math.floor(view.to / bin) - first + 2;
		const { start } = this.#columns;

		this.#switch = view.log.kinds.indexOf('switch');
		for (let x = 0; x <= width; x++)
			start[x] = Math.floor((view.from + x * ns) / bin) - first;
		if (this.#words.length < count * BIN_WORDS)
			this.#words = new Uint32Array(count * BIN_WORDS * 2);
		this.#ground = theme.ground;
		this.#labels = [];
		this.#lines = [];
		this.#heads = [];
		this.#tracks = [];
		this.#seen.clear();
		this.lossy = [];
		this.whole = true;
		const clip = Math.round(rows.pinnedHeight * scale);
		const draw = (row, from) => {
			const top = Math.round(rows.top(row) * scale);
			const h = Math.round((rows.top(row) + row.h) * scale) - top;

			if (row.type === 'host') {
				this.#fill(top, h - 1, from, theme.head);
				this.#fill(top + h - 1, 1, from, theme.ground);
				if (row.hidden)
					this.#heads.push({ row, y: top + h / 2 });
				return;
			}
			if (row.type === 'track') {
				this.#fill(top, h, from, theme.ground);
				this.#tracks.push({ row, top, h });
				return;
			}
			this.whole = tiles.gather(row.key, level, first, count, this.#words) && this.whole;
			const parts = partsOf(h, scale);
			const set = this.#colours.of(colours, view.log.kinds, kinds, parts.ticks);

			this.#measure(row, parts, set, colours, top);
			if (this.#lossy && row.type === 'cpu')
				this.#stretches(row.lane, view.from, ns);
			this.#strip(top, h, parts, set, from);
		};

		let end = rows.pinnedHeight;

		for (const row of rows.visible()) {
			draw(row, clip);
			end = rows.top(row) + row.h;
		}
		this.#fill(Math.round(end * scale), height, 0, theme.ground);
		for (const row of rows.pinned)
			draw(row, 0);
		if (clip)
			this.#fill(clip - Math.round(3 * scale), Math.round(3 * scale), 0, theme.line);
		this.#context.putImageData(this.#image, 0, 0);
		const context = this.#context;

		drawLines(context, scale, this.#lines, clip, height);
		for (const { row, top, h } of this.#tracks)
			drawTrack(context, { bins: counters.of(row.host, row.lane, row.counter),
				counter: row.counter, view, top, h, clip, scale, theme,
				cpus: row.lane === null ? view.log.hosts[row.host].cpus.length : 1,
				lost: colours.state('lost'), outside: colours.state('outside') });
		writeHeads(context, scale, this.#heads, view.log, theme, clip);
		writeNames({ context, scale, labels: this.#labels, names, begins, colours, clip, height,
			laneHeight: rows.laneHeight, timeOf: (x) => view.from + x * ns });
		this.frames++;
		this.paintMs = performance.now() - began;
	}

	/* Visible tasks, those with the most pixels first. */
	inSight()
	{
		return [...this.#seen.values()].sort((a, b) => b.pixels - a.pixels);
	}

	#fill(top, h, clip, colour)
	{
		const { width, height } = this.#canvas;
		const from = Math.max(top, clip), to = Math.min(top + h, height);

		if (to > from)
			this.#pixels.fill(colour, from * width, to * width);
	}

	/* Computes the columns of a lane: with 64 lanes, most of a frame's time is spent here. */
	#measure(row, { body }, set, colours, top)
	{
		const { start, colour, task, rest, soft: softs, busy, irq, softirq, back, kinds, lost } =
			this.#columns;
		const words = this.#words, heights = this.#heights;
		const high = this.#highOf(body);
		const { width } = this.#canvas;
		const { mask, idle } = set;
		const least = LANE_STYLE.named * this.#scale;
		const own = row.type === 'task' ? colours.task(row.host, row.id) : 0;
		const table = colours.table(row.host);
		let lastId = -1, lastColour = 0;
		const switches = 1 << this.#switch;
		const runs = this.#runs;
		let since = 0;
		let before = -1, present = 0, lossy = 0;
		let lastW1 = 0, lastW2 = 0;
		let taskHigh = 0, busyHigh = 0, softHigh = 0, restHigh = 0;

		heights.fill(0);
		runs.start(row.type === 'task');
		for (let x = 0; x < width; x++) {
			const b = start[x];
			let n = Math.max(start[x + 1] - b, 1);
			let at = b * BIN_WORDS;
			let id = words[at];
			const w1 = words[at + 1], w2 = words[at + 2];

			/* Equal bins count as one. */
			if (n > 1 && n < 4 && words[at + 3] === id && words[at + 4] === w1 &&
			    words[at + 5] === w2 && (n === 2 || (words[at + 6] === id &&
			    words[at + 7] === w1 && words[at + 8] === w2)))
				n = 1;
			/* Copy the previous column if equal: the common case in a quiet lane. */
			if (n === 1 && x && id === lastId && w1 === lastW1 && w2 === lastW2 &&
			    w2 < 0x10000) {
				colour[x] = lastColour;
				task[x] = taskHigh;
				busy[x] = busyHigh;
				softs[x] = softHigh;
				rest[x] = restHigh;
				back[x] = back[x - 1];
				irq[x] = irq[x - 1];
				softirq[x] = softirq[x - 1];
				lost[x] = lost[x - 1];
				kinds[x] = 0;
				before = b;
				continue;
			}
			lastW1 = n === 1 ? w1 : -1;
			lastW2 = w2;
			let share = w1 & 0xff, load = w1 >>> 8 & 0xff;
			let hard = w1 >>> 16 & 0xff, soft = w1 >>> 24;
			let gone = w2 & 0xff, flags = w2 >>> 8 & 0xff, events = w2 >>> 16;

			if (n > 1) {
				let best = share;

				for (let i = 1; i < n; i++) {
					at += BIN_WORDS;
					const v1 = words[at + 1], v2 = words[at + 2], other = words[at];
					const part = v1 & 0xff;

					if (other === id) {
						share += part;
					} else if (part > best) {
						id = other;
						share = part;
					}
					if (part > best)
						best = part;
					load += v1 >>> 8 & 0xff;
					hard += v1 >>> 16 & 0xff;
					soft += v1 >>> 24;
					gone += v2 & 0xff;
					flags &= v2 >>> 8;
					events |= v2 >>> 16;
				}
				share = (share + n - 1) / n | 0;
				load = (load + n - 1) / n | 0;
				hard = (hard + n - 1) / n | 0;
				soft = (soft + n - 1) / n | 0;
				gone = (gone + n - 1) / n | 0;
			} else if (b === before) {
				/* A bin wider than a pixel: its ticks are in its first pixel. */
				events = 0;
			}
			before = b;
			const switched = events & switches;

			if (id !== lastId) {
				if (this.counting && lastId > 0)
					this.#count(row, lastId, x - since);
				since = x;
				lastId = id;
				lastColour = own || table[id] || colours.task(row.host, id);
			}
			taskHigh = high[share];
			busyHigh = Math.max(high[load], taskHigh);
			/* Above the task are other tasks, softirqs and interrupts. */
			softHigh = Math.max(busyHigh - high[hard], taskHigh);
			restHigh = Math.max(softHigh - high[soft], taskHigh);

			colour[x] = lastColour;
			task[x] = taskHigh;
			busy[x] = busyHigh;
			softs[x] = softHigh;
			rest[x] = restHigh;
			heights[taskHigh] = heights[busyHigh] = heights[softHigh] = heights[restHigh] = 1;
			if (flags & (FLAG_OUTSIDE | FLAG_MISSING)) {
				back[x] = flags & FLAG_MISSING ? set.missing : set.outside;
				/* A log without context switches can have interrupts. */
				irq[x] = hard ? set.irq[hard] : back[x];
				softirq[x] = soft ? set.softirq[soft] : back[x];
			} else {
				/* On a task's lane, the id is UNKNOWN while it does not run. */
				back[x] = id === UNKNOWN && !gone && !own ? lastColour : idle;
				irq[x] = set.irq[hard];
				softirq[x] = set.softirq[soft];
			}
			present |= kinds[x] = events & mask;
			lossy |= lost[x] = gone;
			runs.take(x, id, share, load, gone, switched, lastColour);
		}
		this.#present = present;
		this.#lossy = lossy > 0;
		if (this.counting && lastId > 0)
			this.#count(row, lastId, width - since);
		runs.end(width);
		for (const run of runs.list)
			if (run.to - run.from >= least)
				this.#labels.push({ row, id: run.id, from: run.from, to: run.to, top,
					edge: run.edge, colour: run.colour });
		for (const x of runs.lines(LANE_STYLE.lined * this.#scale))
			this.#lines.push({ row, x, top });
	}

	/* Heights in lines of shares from 0 to 255; at least 1 for shares above 0. */
	#highOf(body)
	{
		if (this.#high.body !== body) {
			this.#high = Uint8Array.from({ length: 256 }, (_, share) =>
				share ? Math.max(Math.round(share * body / 255), 1) : 0);
			this.#high.body = body;
		}
		return this.#high;
	}

	/* Adds the hatched stretches of a lane to lossy, in ns. */
	#stretches(lane, from, ns)
	{
		const { lost } = this.#columns;
		const { width } = this.#canvas;

		for (let x = 0; x < width; x++) {
			if (!lost[x])
				continue;
			const begin = x;

			while (x < width && lost[x])
				x++;
			this.lossy.push({ lane, from: from + begin * ns, to: from + x * ns });
		}
	}

	#count(row, id, pixels)
	{
		if (row.type === 'task' || id === UNKNOWN)
			return;
		const key = row.host * 2 ** 32 + id;
		const seen = this.#seen.get(key);

		if (seen)
			seen.pixels += pixels;
		else
			this.#seen.set(key, { host: row.host, id, pixels });
	}

	/*
	 * Fills a lane's pixels from its columns.  In a zoomed-in view most lines are equal to the
	 * line above and are copied; only lines where a bar or a tick ends are computed.
	 */
	#strip(top, h, parts, set, clip)
	{
		const { irq, softirq } = this.#columns;
		const { width, height } = this.#canvas;
		const pixels = this.#pixels;
		const bodyEnd = parts.ticks + parts.body;
		const whole = top + parts.ticks >= clip && top + bodyEnd <= height;
		const uneven = whole && !this.#flat(parts.body);
		let copied = false;	/* true: the line above belongs to the same part */

		if (uneven)
			this.#bodyColumns(top + bodyEnd - 1, parts.body, set);
		for (let r = 0; r < h - parts.gap; r++) {
			const y = top + r;

			if (r === parts.ticks || r === bodyEnd || r === bodyEnd + parts.band)
				copied = false;
			if (y < clip || y >= height || (uneven && r >= parts.ticks && r < bodyEnd))
				continue;
			const at = y * width;

			if (r >= bodyEnd)
				pixels.set(r < bodyEnd + parts.band ? softirq : irq, at);
			else if (copied && !this.#ends(r, parts, set))
				pixels.copyWithin(at, at - width, at);
			else if (r < parts.ticks)
				this.#ticksLine(at, parts.ticks - 1 - r, set);
			else
				this.#bodyLine(at, bodyEnd - 1 - r, set);
			copied = true;
		}
		this.#fill(top + h - parts.gap, parts.gap, clip, this.#ground);
		if (this.#lossy)
			for (let y = Math.max(top, clip); y < Math.min(top + h - parts.gap, height); y++)
				this.#hatch(y, set);
	}

	/* Returns true if all bars have the full height or none. */
	#flat(body)
	{
		for (let high = 1; high < body; high++)
			if (this.#heights[high])
				return false;
		return true;
	}

	/* Draws bars of any height, each from the bottom up: twice as fast as line by line. */
	#bodyColumns(foot, body, { other, softirqFull, irqFull })
	{
		const { colour, task, rest, soft, busy, back } = this.#columns;
		const { width } = this.#canvas;
		const pixels = this.#pixels;

		for (let x = 0; x < width; x++) {
			const a = task[x], b = rest[x], c = soft[x], d = busy[x];
			const ink = colour[x], ground = back[x];
			let at = foot * width + x, level = 0;

			for (; level < a; level++, at -= width)
				pixels[at] = ink;
			for (; level < b; level++, at -= width)
				pixels[at] = other;
			for (; level < c; level++, at -= width)
				pixels[at] = softirqFull;
			for (; level < d; level++, at -= width)
				pixels[at] = irqFull;
			for (; level < body; level++, at -= width)
				pixels[at] = ground;
		}
	}

	/* Returns true if a line differs from the line above. */
	#ends(r, parts, set)
	{
		if (r < parts.ticks)
			return (set.ends[parts.ticks - 1 - r] & this.#present) !== 0;
		return this.#heights[parts.ticks + parts.body - r] !== 0;
	}

	#ticksLine(at, row, set)
	{
		const { kinds, back } = this.#columns;
		const { width } = this.#canvas;
		const pixels = this.#pixels;
		const full = set.full[row], dim = set.dim[row];

		for (let x = 0; x < width; x++, at++) {
			const k = kinds[x];

			if (!k) {
				pixels[at] = back[x];
				continue;
			}
			/* Ticks without a gap between them are dimmed. */
			pixels[at] = (kinds[x - 1] && kinds[x + 1] ? dim[k] : full[k]) || back[x];
		}
	}

	#bodyLine(at, level, { other, softirqFull, irqFull })
	{
		const { colour, task, rest, soft, busy, back } = this.#columns;
		const { width } = this.#canvas;
		const pixels = this.#pixels;

		for (let x = 0; x < width; x++, at++)
			pixels[at] = task[x] > level ? colour[x] : busy[x] <= level ? back[x] :
				rest[x] > level ? other : soft[x] > level ? softirqFull : irqFull;
	}

	#hatch(y, set)
	{
		const { lost } = this.#columns;
		const { width } = this.#canvas;
		const pixels = this.#pixels;
		const colour = set.lost, dark = set.idle;
		const row = y * width;

		for (let x = 0; x < width; x++)
			if (lost[x])
				pixels[row + x] = (x + y) % 8 < 4 ? colour : lost[x] > 127 ? dark :
					pixels[row + x];
	}
}
