// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Paths of packets: lines and arrows from station to station, and drops.  If there are too many
 * packets, shows the number of visits in each piece of a lane instead.
 *
 * Stage: requested when the view rests, drawn over the lanes.  The visits of a packet are those
 * of `evtlog path`.
 */
import { ARROW_STYLES, DROP_STYLE } from './colours.js';
import { clockError } from './clock-error.js';

const MOST = 1000;	/* packets; more would be closer than a pixel */
const BESIDE = 1;	/* spans of the view requested on each side, so that it can be moved */
const BIN_PIXELS = 2;
const BINS_MOST = 4000;
const SLOTS = 5;	/* heights in a lane, to separate simultaneous packets */
const NEAR_PIXELS = 5;
const HEAD = 6;
const BOUNDS_MOST = 30;	/* with more visible packets, no clock errors are drawn */
const FAINT = 0.2;
const STRIP = 6;	/* height of a lane's strip of visits, CSS pixels */

/* Indices of a visit's values in an answer. */
export const HOST = 0, CPU = 1, LANE = 2, TIME = 3, STATION = 4, PID = 5, REASON = 6, BOUND = 7;

export class Paths extends EventTarget {
	#source;
	#any;
	#stop = null;
	#asked = '';
	#span = null;		/* { from, to } of the loaded packets */
	#density = null;
	#lines = [];		/* of the last frame: { packet, x1, y1, x2, y2 } */
	#chosen = null;		/* the packet that the view selects */
	stations = [];
	list = [];
	note = '';

	constructor(source, log)
	{
		super();
		this.#source = source;
		const put = log.kinds.indexOf('put');

		this.#any = log.hosts.some(({ cpus }) => cpus.some(({ counts }) => Number(counts[put])));
	}

	async want(view, width)
	{
		if (!this.#any)
			return;
		if (!view.arrows.has('path')) {
			this.#stop?.abort();
			this.#asked = this.note = '';
			this.#span = this.#density = null;
			this.list = [];
			this.dispatchEvent(new Event('change'));
			return;
		}
		const { from, to, packet } = view;
		const name = `${from} ${to} ${width} ${packet}`;

		if (name === this.#asked || (this.#covers(view) && this.#chosen?.id === (packet ?? undefined)))
			return;
		this.#asked = name;
		this.#stop?.abort();
		const stop = this.#stop = new AbortController();

		try {
			await this.#ask(view, width, stop.signal);
		} catch (error) {
			if (error.name === 'AbortError')
				return;
			this.#span = this.#density = null;
			this.list = [];
			this.note = `Packets' paths: ${error.message}`;
		}
		this.dispatchEvent(new Event('change'));
	}

	async #ask({ from, to, packet }, width, signal)
	{
		const bins = Math.min(Math.max(Math.floor(width / BIN_PIXELS), 1), BINS_MOST);
		const beside = (to - from) * BESIDE;
		const wideFrom = Math.max(Math.round(from - beside), 0), wideTo = Math.round(to + beside);
		let answer = await this.#source.paths(wideFrom, wideTo, MOST, 1, signal);
		const wide = Boolean(answer.packets);

		if (!wide)
			answer = await this.#source.paths(Math.floor(from), Math.ceil(to), MOST, bins, signal);
		const chosen = packet === null ? null : await this.packet(packet, signal);

		this.stations = answer.stations;
		this.#chosen = chosen;
		this.#density = answer.density ?? null;
		this.list = answer.packets ?? [];
		this.#span = !answer.packets ? null : wide ? { from: wideFrom, to: wideTo } : { from, to };
		this.note = answer.too_many ?
			`${answer.too_many} records of probes are too many to follow packets` :
			answer.density ? `${answer.count} packets: zoom in to see their paths` : '';
	}

	/* The packet with a number; null if there is none. */
	async packet(id, signal)
	{
		const known = this.list.find((one) => one.id === id);

		if (known)
			return known;
		const { packets, stations } = await this.#source.packets(`#${id}`, 0, 1, signal);

		this.stations = stations;
		return packets[0] ?? null;
	}

	/* The packet that the view selects, if it is loaded. */
	get chosen()
	{
		return this.#chosen;
	}

	#covers(view)
	{
		const span = this.#span;

		return span !== null && span.from <= Math.max(view.from, 0) &&
			span.to >= Math.min(view.to, view.end);
	}

	/* Packets whose paths overlap the view. */
	#seen(view)
	{
		return this.list.filter(({ visits }) => visits.some(([, , , t]) => t >= view.from) &&
			visits.some(([, , , t]) => t < view.to));
	}

	/* The packet nearest to a point of the stage, within NEAR_PIXELS; null if none. */
	at(x, y)
	{
		let best = null, least = NEAR_PIXELS;

		for (const { packet, x1, y1, x2, y2 } of this.#lines) {
			const dx = x2 - x1, dy = y2 - y1;
			const along = dx || dy ? Math.min(Math.max(((x - x1) * dx + (y - y1) * dy) /
				(dx * dx + dy * dy), 0), 1) : 0;
			const far = Math.hypot(x1 + along * dx - x, y1 + along * dy - y);

			if (far < least || (far === least && packet.id === this.#chosen?.id)) {
				least = far;
				best = packet;
			}
		}
		return best;
	}

	draw(context, { view, rows, x, width, light })
	{
		this.#lines = [];
		if (!view.arrows.has('path'))
			return;
		if (this.#density)
			this.#strips(context, view, rows, x, width, light);
		const seen = this.#seen(view);
		const chosen = view.packet === null ? null : this.#chosen;
		const frame = { context, rows, x, width, light, ns: view.span / width, texts: [],
			bounds: seen.length <= BOUNDS_MOST };

		context.globalAlpha = chosen ? FAINT : 1;
		for (const packet of seen)
			if (packet.id !== chosen?.id)
				this.#way(frame, packet, false);
		context.globalAlpha = 1;
		if (chosen)
			this.#way({ ...frame, bounds: true }, chosen, true);
	}

	#way(frame, packet, chosen)
	{
		const { context, light } = frame;
		const steps = this.#steps(frame, packet);
		const ink = light ? ARROW_STYLES.path.light : ARROW_STYLES.path.colour;

		/* An outline first, for contrast with tasks of a similar colour. */
		for (const [colour, more] of [[light ? '#ffffff' : '#000000', 2], [ink, 0]]) {
			context.strokeStyle = context.fillStyle = colour;
			context.lineWidth = (chosen ? 4 : 2) + more;
			context.beginPath();
			for (const { a, b } of steps) {
				context.moveTo(a.x, a.y);
				context.lineTo(b.x, b.y);
			}
			context.stroke();
		}
		for (const { a, b, visit } of steps) {
			const size = chosen ? 6 : 4;

			context.strokeStyle = context.fillStyle = ink;
			if (a.y !== b.y)
				this.#head(context, a, b, chosen ? HEAD * 1.5 : HEAD);
			context.fillRect(Math.round(b.x) - size / 2, b.y - size / 2, size, size);
			if (visit[BOUND] !== null && frame.bounds)
				clockError(context, { bound: visit[BOUND], a, b, ns: frame.ns, light, texts: frame.texts });
			if (visit[REASON] !== null)
				this.#drop(frame, visit, b);
			this.#lines.push({ packet, x1: a.x, y1: a.y, x2: b.x, y2: b.y });
		}
	}

	/* Visible lines from station to station, { a, b, visit }; the first station is a point. */
	#steps({ rows, x, width }, packet)
	{
		const steps = [];
		let before = null;

		for (const visit of packet.visits) {
			const row = visit[LANE] === null ? null : rows.byLane(visit[LANE]);

			if (!row || row.type !== 'cpu') {
				before = null;
				continue;
			}
			const b = { x: x(visit[TIME]),
				y: Math.round(rows.top(row) + row.h * (0.4 + 0.4 * (packet.id % SLOTS) / (SLOTS - 1))) };
			const a = before ?? b;

			before = b;
			if (Math.max(a.x, b.x) >= -HEAD && Math.min(a.x, b.x) <= width + HEAD &&
			    (a.y >= rows.pinnedHeight || b.y >= rows.pinnedHeight))
				steps.push({ a, b, visit });
		}
		return steps;
	}

	#head(context, a, b, size)
	{
		const angle = Math.atan2(b.y - a.y, b.x - a.x);

		context.beginPath();
		context.moveTo(b.x, b.y);
		context.lineTo(b.x - size * Math.cos(angle - 0.45), b.y - size * Math.sin(angle - 0.45));
		context.lineTo(b.x - size * Math.cos(angle + 0.45), b.y - size * Math.sin(angle + 0.45));
		context.fill();
	}

	/* Draws a cross, and the reason next to it if there is room. */
	#drop({ context, light, texts }, visit, { x, y })
	{
		context.strokeStyle = context.fillStyle = light ? DROP_STYLE.light : DROP_STYLE.colour;
		context.lineWidth = 2;
		context.beginPath();
		for (const way of [1, -1]) {
			context.moveTo(x - 4, y - 4 * way);
			context.lineTo(x + 4, y + 4 * way);
		}
		context.stroke();
		context.font = '10px "DejaVu Sans", system-ui, sans-serif';
		context.textBaseline = 'middle';
		const wide = context.measureText(visit[REASON]).width;

		if (texts.some((text) => Math.abs(text.y - y) < 13 && x < text.x + text.wide + 6 &&
		    text.x < x + wide + 14))
			return;
		texts.push({ x: x + 8, y, wide });
		context.fillText(visit[REASON], x + 8, y);
	}

	/* Draws visits, with an opacity by the logarithm of their number; drops are above them. */
	#strips(context, view, rows, x, width, light)
	{
		const { from, to, bins, cells } = this.#density;
		const ink = light ? ARROW_STYLES.path.light : ARROW_STYLES.path.colour;
		const most = Math.log1p(cells.reduce((top, [, , visits]) => Math.max(top, visits), 1));

		for (const [lane, bin, visits, drops] of cells) {
			const row = rows.byLane(lane);

			if (!row || row.type !== 'cpu')
				continue;
			const a = x(from + (to - from) * bin / bins), b = x(from + (to - from) * (bin + 1) / bins);
			const top = rows.top(row) + row.h * 0.6;

			if (b < 0 || a > width || top < rows.pinnedHeight)
				continue;
			context.globalAlpha = 0.35 + 0.65 * Math.log1p(visits) / most;
			context.fillStyle = ink;
			context.fillRect(a, top, Math.max(b - a, 1), STRIP);
			if (!drops)
				continue;
			context.globalAlpha = 1;
			context.fillStyle = light ? DROP_STYLE.light : DROP_STYLE.colour;
			context.fillRect(a, top - 4, Math.max(b - a, 1), 3);
		}
		context.globalAlpha = 1;
	}
}
