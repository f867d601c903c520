// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Colours of states, kinds of events and tasks.  Colours that the user chose are stored.
 *
 * A task's colours, one number for each palette, come with its name and are the same in all
 * views.  Colours are packed as in the memory of ImageData.  The colours of the default palette
 * differ for people with any common kind of colour blindness.
 */
import { UNKNOWN, fitsTask } from '../data/names.js';

const KEPT = 'evtlog.colours';
const EVENT = 'event:';	/* prefix of names of registered events among the stored kinds */

/*
 * Each colour also has a darker shade.  All colours and shades are distinct, and none has the hue
 * of softirqs, interrupts or the logger: tests/view/hues.test measures this.
 */
export const PALETTES = {
	safe: {
		label: 'Colour-blind safe',
		tasks: ['#20a5ee', '#be9072', '#6ecc49', '#a43fae', '#d7e426', '#156cdd', '#5af7c4',
			'#b44f00', '#7ec0b3'],
	},
	vivid: {
		label: 'Many hues',
		tasks: ['#58a2f2', '#c09910', '#19bf2f', '#f1a4f7', '#2258e5', '#d68580', '#26dafe',
			'#b3ef18', '#b85f10', '#4bb3a1', '#c94fd5', '#c3cc7f', '#00e7a0'],
	},
	calm: {
		label: 'Calm',
		tasks: ['#51a5c0', '#bcab67', '#6fa87b', '#c98471', '#b5a5b6', '#1f857c', '#f1a996',
			'#9b8442'],
	},
};

/* A task has the number of a colour for each palette, in this order. */
const PALETTE_NAMES = Object.keys(PALETTES);

/* Tasks with near pids often run near each other: this step gives them different colours. */
export const PALETTE_STEP = 5;

/* For pictures too: see tools/draw/colours-table.mjs. */
export const DEFAULT_PALETTE = 'safe';

/*
 * The curves of a chart, for dark and light backgrounds: Okabe and Ito's colours, and three that
 * differ from these and from each other.  For pictures too.
 */
export const CHART_COLOURS = ['#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#3a78d8',
	'#b8ad00', '#9467bd', '#8a8f98'];

export const STATES = {
	idle: '#000000', logger: '#ff2a2a', other: '#7d8590', irq: '#ff4fa3',
	softirq: '#a98bff', lost: '#ffb000', outside: '#2a2d33', unknown: '#5a4a6a',
};

/* States with another colour on a light background.  For pictures too. */
export const STATES_LIGHT = { idle: '#ffffff', outside: '#d3d9e1', unknown: '#cdbbe0' };

export const STATE_LABELS = {
	idle: 'Idle', logger: 'Logger', other: 'Several other tasks', irq: 'In interrupts',
	softirq: 'In softirqs', lost: 'Lost events (hatched)', outside: 'Not recorded',
	unknown: 'Task unknown',
};

/* Lengths are shares of the height for ticks.  Shorter ticks are drawn over longer ticks. */
export const KIND_STYLES = {
	switch: { colour: '#d9dee6', length: 0.62, light: '#39414d', label: 'Switches' },
	waking: { colour: '#f0e442', length: 0.5, light: '#8a7a00', label: 'Wake-ups' },
	migration: { colour: '#e05fd0', length: 0.86, light: '#a8269a', label: 'Migrations' },
	softirq: { colour: '#a98bff', length: 0.26, light: '#6a45d9', label: 'Softirqs' },
	irq: { colour: '#ff4fa3', length: 0.38, light: '#d01873', label: 'Device interrupts' },
	vector: { colour: '#8b95a5', length: 0.14, light: '#6b7480', label: 'System vectors' },
	icmp: { colour: '#22dd88', length: 0.93, light: '#0b8a50', label: 'ICMP packets' },
	remote: { colour: '#ff7733', length: 1, light: '#c24a00', label: 'Remote requests' },
	task: { colour: '#77aaff', length: 0.74, light: '#2d62c9', label: 'Fork, exec, exit, rename' },
	put: { colour: '#c0f000', length: 0.8, light: '#5c7300', label: 'Own events and probes' },
	exception: { colour: '#ff3b30', length: 0.56, light: '#c8372b',
		label: 'Page faults and other exceptions' },
	user: { colour: '#3fc8dc', length: 0.2, light: '#0d7f97', label: 'User mode and system calls' },
	other: { colour: '#a08c5a', length: 0.44, light: '#7a6a45', label: 'Other events' },
};

/*
 * Slices, their names, ticks and bands on a lane, for pictures too.
 * run: a run begins in a column where the task has more than this share of 255
 * named, lined: pixels of the shortest runs with a name, and with a line between them
 * font: size of a name, as a part of the lane's height; fontLeast, fontMost: in pixels
 * dim: part of its colour that a tick has next to other ticks; band: part of the faintest band
 */
export const LANE_STYLE = { run: 230, named: 44, lined: 4, font: 0.42, fontLeast: 8, fontMost: 12, dim: 0.42,
	band: 0.4 };

/* Text on bright and on dark colours */
export const INKS = ['#0b0d10', '#f5f7fa'];

export const ARROW_STYLES = {
	wake: { colour: '#f0e442', light: '#8a7a00', label: 'Wake-ups' },
	migrate: { colour: '#e05fd0', light: '#a8269a', label: 'Migrations' },
	packet: { colour: '#22dd88', light: '#0b8a50', label: 'Packets between hosts' },
	path: { colour: '#7fdbff', light: '#00629b', label: "Packets' paths" },
};

/* The end of a packet's path where the packet is dropped */
export const DROP_STYLE = { colour: '#ff5c5c', light: '#b00020', label: 'packet dropped' };

export function pack(hex)
{
	const value = Number.parseInt(hex.slice(1), 16);

	return (0xff000000 | (value & 0xff) << 16 | (value & 0xff00) | value >> 16) >>> 0;
}

export function mix(a, b, part)
{
	let out = 0xff000000;

	for (let shift = 0; shift < 24; shift += 8) {
		const x = a >>> shift & 0xff, y = b >>> shift & 0xff;

		out |= Math.round(x + (y - x) * part) << shift;
	}
	return out >>> 0;
}

export function css(packed)
{
	return `rgb(${packed & 0xff} ${packed >>> 8 & 0xff} ${packed >>> 16 & 0xff})`;
}

export function hex(packed)
{
	const part = (shift) => (packed >>> shift & 0xff).toString(16).padStart(2, '0');

	return `#${part(0)}${part(8)}${part(16)}`;
}

function darker(packed)
{
	return mix(pack('#000000'), packed, 0.62);
}

/* Colours of tasks: the palette's colours, then their darker shades. */
export function shadesOf(palette)
{
	const light = PALETTES[palette].tasks.map(pack);

	return [...light, ...light.map(darker)];
}

/* The colour of text on @packed: black or white, for the better contrast. */
export function ink(packed)
{
	const light = 0.299 * (packed & 0xff) + 0.587 * (packed >>> 8 & 0xff) +
		0.114 * (packed >>> 16 & 0xff);

	return INKS[light > 128 ? 0 : 1];
}

function hash(text)
{
	let h = 0x811c9dc5;

	for (let i = 0; i < text.length; i++)
		h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
	h ^= h >>> 15;
	h = Math.imul(h, 0x2c1b3c6d);
	return (h ^ h >>> 13) >>> 0;
}

function isColour(text)
{
	return typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text);
}

export class Colours extends EventTarget {
	#names;
	#hosts;
	#kept = { palette: DEFAULT_PALETTE, theme: 'auto', by: 'task', states: {}, kinds: {}, tasks: {} };
	#cache = [];	/* by host and task; 0: not computed yet */
	#shades = [];
	#filter = null;
	#light = false;
	version = 0;

	constructor(names, log)
	{
		super();
		this.#names = names;
		this.#hosts = log.hosts;
		this.#load();
		names.addEventListener('change', () => this.#forget());
		this.#forget();
	}

	#load()
	{
		let kept;

		try {
			kept = JSON.parse(localStorage.getItem(KEPT)) ?? {};
		} catch {
			kept = {};
		}
		if (PALETTES[kept.palette])
			this.#kept.palette = kept.palette;
		if (['auto', 'dark', 'light'].includes(kept.theme))
			this.#kept.theme = kept.theme;
		if (kept.by === 'name')
			this.#kept.by = 'name';
		for (const part of ['states', 'kinds', 'tasks'])
			for (const [name, colour] of Object.entries(kept[part] ?? {}))
				if (isColour(colour))
					this.#kept[part][name] = colour;
	}

	#save()
	{
		try {
			localStorage.setItem(KEPT, JSON.stringify(this.#kept));
		} catch {
			/* Without storage the colours last as long as the page. */
		}
		this.#forget();
		this.dispatchEvent(new Event('change'));
	}

	#forget()
	{
		this.#shades = shadesOf(this.#kept.palette);
		this.#cache = this.#hosts.map(({ tasks }) => new Uint32Array(Number(tasks) + 1 || 1));
		this.version++;
	}

	get palettes()
	{
		return Object.entries(PALETTES).map(([name, { label }]) => ({ name, label }));
	}

	get palette()
	{
		return this.#kept.palette;
	}

	set palette(name)
	{
		this.#kept.palette = PALETTES[name] ? name : 'safe';
		this.#save();
	}

	get theme()
	{
		return this.#kept.theme;
	}

	set theme(name)
	{
		this.#kept.theme = name;
		this.#save();
	}

	/* True: the background is light. */
	get light()
	{
		return this.#light;
	}

	set light(light)
	{
		if (this.#light === light)
			return;
		this.#light = light;
		this.#forget();
	}

	/* 'task': each task has its own colour; 'name': tasks of the same name have the same. */
	get by()
	{
		return this.#kept.by;
	}

	set by(what)
	{
		this.#kept.by = what;
		this.#save();
	}

	get edited()
	{
		return ['states', 'kinds', 'tasks'].some((part) =>
			Object.keys(this.#kept[part]).length);
	}

	reset()
	{
		Object.assign(this.#kept, { states: {}, kinds: {}, tasks: {} });
		this.#save();
	}

	state(name)
	{
		return this.#kept.states[name] ?? (this.#light && STATES_LIGHT[name] || STATES[name]);
	}

	setState(name, colour)
	{
		this.#kept.states[name] = colour;
		this.#save();
	}

	kind(name)
	{
		const { colour, light } = KIND_STYLES[name] ?? KIND_STYLES.other;

		return this.#kept.kinds[name] ?? (this.#light ? light : colour);
	}

	/*
	 * The colour of a registered event.  The kernel assigns ascending ids, so events of a run
	 * have different colours until all colours are used.
	 */
	event(name, id)
	{
		return this.#kept.kinds[EVENT + name] ?? (id ? CHART_COLOURS[(id - 1) % CHART_COLOURS.length] :
			this.kind('put'));
	}

	setEvent(name, colour)
	{
		this.setKind(EVENT + name, colour);
	}

	setKind(name, colour)
	{
		this.#kept.kinds[name] = colour;
		this.#save();
	}

	#name(task)
	{
		return this.#kept.by === 'name' ? task.comm : `${task.pid} ${task.comm}`;
	}

	setTask(host, id, colour)
	{
		const task = this.#names.get(host, id);

		if (!task)
			return;
		this.#kept.tasks[this.#name(task)] = colour;
		this.#save();
	}

	/* Only tasks that match this text, as in the search, keep their colour. */
	set filter(text)
	{
		const wanted = text.trim().toLowerCase();

		if (wanted === (this.#filter ?? ''))
			return;
		this.#filter = wanted || null;
		this.#forget();
	}

	matches(task)
	{
		return !this.#filter || fitsTask(task, this.#filter);
	}

	/* Returns true if the filter excludes the task. */
	hides(host, id)
	{
		const task = this.#filter && id !== 0 && id !== UNKNOWN &&
			this.#names.get(host, id);

		return Boolean(task) && !this.matches(task);
	}

	/* Packed colours of a host's tasks by id; 0: the caller must call task(). */
	table(host)
	{
		return this.#cache[host];
	}

	/* The packed colour of a task; it changes only if colours or names change. */
	task(host, id)
	{
		const cache = this.#cache[host];

		if (id >= cache.length)
			return this.#task(host, id);
		return cache[id] ||= this.#task(host, id);
	}

	#task(host, id)
	{
		if (id === 0)
			return pack(this.state('idle'));
		if (id === UNKNOWN)
			return pack(this.state('unknown'));
		const task = this.#names.get(host, id);

		if (!task)
			return pack(this.state('other'));
		if (!this.matches(task))
			/* Much lighter than the colour of times that were not recorded. */
			return mix(pack(this.state('idle')), pack(this.state('other')), 0.6);
		if (this.#hosts[host].logger === id)
			return pack(this.state('logger'));
		const name = this.#name(task);
		const own = this.#kept.tasks[name];

		if (own)
			return pack(own);
		return this.#shades[this.#kept.by === 'name' ? hash(name) % this.#shades.length :
			task.colours[PALETTE_NAMES.indexOf(this.#kept.palette)]];
	}
}
