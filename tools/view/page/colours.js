// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Colours: of states, kinds of events and tasks; the reader's own are kept.
 *
 * Stage: below all drawing.  A task's colour comes of its pid and name and is the same
 * in every view; colours are packed as ImageData has them in memory.  The default is
 * told apart with every common kind of colour blindness (Okabe and Ito, Tol).
 */
import { UNKNOWN } from './names.js';

const KEPT = 'evtlog.colours';

export const PALETTES = {
	safe: {
		label: 'Colour-blind safe',
		tasks: ['#56b4e9', '#e69f00', '#009e73', '#f0e442', '#3d8fd1', '#cc79a7', '#44bb99',
			'#eedd88', '#99ddff', '#aaaa00', '#bbcc33', '#ffaabb', '#77aadd'],
	},
	vivid: {
		label: 'Many hues',
		tasks: ['#4cc9f0', '#f9844a', '#90be6d', '#f9c74f', '#b388eb', '#43aa8b', '#f15bb5',
			'#00bbf9', '#fee440', '#9b5de5', '#00f5d4', '#ef9cda', '#a7c957', '#ffa69e',
			'#4d96ff', '#c8b6ff', '#80ed99', '#e9c46a', '#64dfdf', '#d4a373', '#8ecae6',
			'#ffb703', '#cdb4db', '#b5e48c'],
	},
	calm: {
		label: 'Calm',
		tasks: ['#8da9c4', '#b8a98b', '#8fb59a', '#c3b1c9', '#9db4c0', '#c2a28e', '#a3b18a',
			'#b9b5d0', '#86a7a5', '#cfc09f'],
	},
};

/* Pictures have these as well: see ../colours-table.mjs. */
export const DEFAULT_PALETTE = 'safe';

/*
 * Curves of one chart, on dark and on light: Okabe and Ito's, and three that are neither like
 * those nor like each other.  Pictures have these as well.
 */
export const CHART_COLOURS = ['#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#3a78d8',
	'#b8ad00', '#9467bd', '#8a8f98'];

export const STATES = {
	idle: '#000000', logger: '#ff2a2a', other: '#7d8590', irq: '#ff4fa3',
	softirq: '#a98bff', lost: '#ffb000', outside: '#2a2d33', unknown: '#5a4a6a',
};

export const STATE_LABELS = {
	idle: 'Idle', logger: 'Logger', other: 'Several other tasks', irq: 'In interrupts',
	softirq: 'In softirqs', lost: 'Lost events (hatched)', outside: 'Not recorded',
	unknown: 'Task not known',
};

/* Lengths as parts of the room for ticks: longer ones stand behind shorter ones. */
export const KIND_STYLES = {
	switch: { colour: '#d9dee6', length: 0.62, label: 'Switches' },
	waking: { colour: '#f0e442', length: 0.5, label: 'Wakings' },
	migration: { colour: '#e05fd0', length: 0.86, label: 'Migrations' },
	softirq: { colour: '#c9b8ff', length: 0.26, label: 'Softirqs' },
	irq: { colour: '#ffffff', length: 0.38, label: 'Device interrupts' },
	vector: { colour: '#8b95a5', length: 0.14, label: 'Timer and other vectors' },
	icmp: { colour: '#22dd88', length: 0.93, label: 'ICMP packets' },
	remote: { colour: '#ff7733', length: 1, label: 'Remote requests' },
	task: { colour: '#77aaff', length: 0.74, label: 'Fork, exec, exit, rename' },
	put: { colour: '#ff99cc', length: 0.8, label: 'Own events' },
	other: { colour: '#b0a080', length: 0.44, label: 'Other events' },
};

export const ARROW_STYLES = {
	wake: { colour: '#f0e442', label: 'Waker to woken' },
	migrate: { colour: '#e05fd0', label: 'Migrations' },
	packet: { colour: '#22dd88', label: 'Packets between hosts' },
};

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

/* Black or white, whichever reads better on it. */
export function ink(packed)
{
	const light = 0.299 * (packed & 0xff) + 0.587 * (packed >>> 8 & 0xff) +
		0.114 * (packed >>> 16 & 0xff);

	return light > 128 ? '#0b0d10' : '#f5f7fa';
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
	#cache = [];	/* per host, by task; 0: not asked for yet */
	#filter = null;
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
			/* They last as long as the page. */
		}
		this.#forget();
		this.dispatchEvent(new Event('change'));
	}

	#forget()
	{
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

	/* 'task': pid and name; 'name': all of one name are alike. */
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
		return this.#kept.states[name] ?? STATES[name];
	}

	setState(name, colour)
	{
		this.#kept.states[name] = colour;
		this.#save();
	}

	kind(name)
	{
		return this.#kept.kinds[name] ?? (KIND_STYLES[name] ?? KIND_STYLES.other).colour;
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

	/* Only tasks whose name or pid has this keep their colour. */
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
		return !this.#filter || task.comm.toLowerCase().includes(this.#filter) ||
			String(task.pid) === this.#filter;
	}

	/* Whether it is one of those that the filter leaves out. */
	hides(host, id)
	{
		const task = this.#filter && id !== 0 && id !== UNKNOWN &&
			this.#names.get(host, id);

		return Boolean(task) && !this.matches(task);
	}

	/* Colours of a host's tasks by id, packed; 0 where task() is to be asked. */
	table(host)
	{
		return this.#cache[host];
	}

	/* Packed; the same for one task until colours or names change. */
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
			/* Well above what was not recorded. */
			return mix(pack(this.state('idle')), pack(this.state('other')), 0.6);
		if (this.#hosts[host].loggers.includes(id))
			return pack(this.state('logger'));
		const name = this.#name(task);
		const own = this.#kept.tasks[name];

		if (own)
			return pack(own);
		const { tasks } = PALETTES[this.#kept.palette];

		return pack(tasks[hash(name) % tasks.length]);
	}
}
