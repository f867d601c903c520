// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Positions of rows: pinned tasks at the top, then hosts with their tracks and CPUs, which scroll.
 *
 * Positions are CSS pixels from the top of the lanes.
 */

const HOST_HEIGHT = 22;
const TRACK_HEIGHT = 40;
const OWN_HEIGHTS = { host: HOST_HEIGHT, track: TRACK_HEIGHT };
const HEIGHT_LEAST = 20;
const HEIGHT_MOST = 52;

/* Returns true for the lane of a CPU or a task, false for other rows. */
export function isLane(row)
{
	return row !== null && (row.type === 'cpu' || row.type === 'task');
}

export class Rows {
	list = [];		/* rows that scroll */
	pinned = [];		/* rows that do not scroll */
	pinnedHeight = 0;
	contentHeight = 0;
	laneHeight = HEIGHT_LEAST;
	height = 0;
	scroll = 0;

	#made = {};	/* the state from which the rows were made */
	#byKey = new Map();

	update(view, log, height)
	{
		const { hosts, lanes, collapsed, pins, tracks, perCpu } = view;
		const made = this.#made;

		if (made.hosts !== hosts || made.lanes !== lanes || made.collapsed !== collapsed ||
		    made.pins !== pins || made.tracks !== tracks || made.perCpu !== perCpu ||
		    this.height !== height) {
			this.#made = { hosts, lanes, collapsed, pins, tracks, perCpu };
			this.height = height;
			this.#make(view, log, height);
		}
		this.scroll = Math.min(Math.max(view.scroll, 0), this.scrollRange);
	}

	#make(view, log, height)
	{
		const lanes = [];

		this.list = [];
		for (const [host, { cpus, name }] of log.hosts.entries()) {
			if (view.hosts && !view.hosts.has(host))
				continue;
			const shown = cpus.filter(({ lane }) => view.shows(host, lane));
			const collapsed = view.collapsed.has(host);

			this.list.push({ key: `h${host}`, type: 'host', host, name, collapsed,
				hidden: collapsed ? shown.length : cpus.length - shown.length });
			/* A collapsed host shows no CPUs, so its tracks are those of the host. */
			if (!view.perCpu || collapsed)
				this.#tracks(view, { host, lane: null, cpu: null });
			if (collapsed)
				continue;
			for (const cpu of shown) {
				const row = { key: String(cpu.lane), type: 'cpu', host, lane: cpu.lane,
					cpu: cpu.cpu, info: cpu };

				lanes.push(row);
				this.list.push(row);
				if (view.perCpu)
					this.#tracks(view, { host, lane: cpu.lane, cpu: cpu.cpu });
			}
		}
		this.pinned = view.pins.map(({ host, id }) =>
			({ key: `t${host}.${id}`, type: 'task', host, id }));
		const room = this.list.reduce((rest, { type }) => rest - (OWN_HEIGHTS[type] ?? 0), height);

		this.laneHeight = Math.round(Math.min(Math.max(
			room / (lanes.length + this.pinned.length || 1), HEIGHT_LEAST), HEIGHT_MOST));
		/* Drop pinned tasks if they leave no room for lanes of CPUs. */
		const most = Math.max(Math.floor(height * 0.6 / this.laneHeight), 1);

		this.pinned = this.pinned.slice(-most);
		this.#place();
		this.#byKey = new Map([...this.list, ...this.pinned].map((row) => [row.key, row]));
	}

	/* Adds the tracks of a host (@of.lane is null) or of a CPU. */
	#tracks(view, of)
	{
		for (const counter of view.tracks)
			this.list.push({ key: `r${of.host}.${counter}.${of.lane ?? ''}`, type: 'track', counter, ...of });
	}

	#place()
	{
		let y = 0;

		for (const row of this.pinned) {
			Object.assign(row, { y, h: this.laneHeight });
			y += this.laneHeight;
		}
		this.pinnedHeight = y ? y + 3 : 0;
		y = 0;
		for (const row of this.list) {
			row.y = y;
			row.h = OWN_HEIGHTS[row.type] ?? this.laneHeight;
			y += row.h;
		}
		this.contentHeight = y;
	}

	get scrollRange()
	{
		return Math.max(this.contentHeight - (this.height - this.pinnedHeight), 0);
	}

	/* Position of a row's top, after scrolling. */
	top(row)
	{
		return row.type === 'task' ? row.y : row.y + this.pinnedHeight - this.scroll;
	}

	/* Visible rows, and those within @margin pixels above and below. */
	visible(margin = 0)
	{
		return this.list.filter((row) => {
			const top = this.top(row);

			return top + row.h > this.pinnedHeight - margin && top < this.height + margin;
		});
	}

	visibleTracks()
	{
		return this.visible().filter(({ type }) => type === 'track');
	}

	/* Visible lanes, those of pinned tasks first. */
	visibleLanes(margin = 0)
	{
		return [...this.pinned, ...this.visible(margin).filter(({ type }) => type === 'cpu')];
	}

	at(y)
	{
		if (y < 0 || y >= this.height)
			return null;
		if (y < this.pinnedHeight)
			return this.pinned.find((row) => y >= row.y && y < row.y + row.h) ?? null;
		return this.list.find((row) => {
			const top = this.top(row);

			return y >= top && y < top + row.h;
		}) ?? null;
	}

	byKey(key)
	{
		return this.#byKey.get(key) ?? null;
	}

	byLane(lane)
	{
		return this.byKey(String(lane));
	}

	/* All lanes in order, to move from lane to lane. */
	lanes()
	{
		return [...this.pinned, ...this.list.filter(({ type }) => type === 'cpu')];
	}
}
