// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The view: the visible span, the lanes and the filters, with their history and URL.
 *
 * Stage: between the controls, which change the view, and the drawing, which follows its
 * events: 'change' at once, 'rest' after a moment without a change.  It draws and requests
 * nothing itself.
 */
import { COUNTERS } from '../data/counters.js';
import { hostsOf, hostsText, lanesOf, lanesText, missingOf, taskText, taskTexts } from '../data/link.js';

const SPAN_LEAST = 10;
const REST_MS = 250;
const GLIDE_MS = 140;
const PER_CPU = 'per-cpu';
const ARROW_KINDS = ['wake', 'migrate', 'packet', 'path'];

export class View extends EventTarget {
	log;
	from = 0;
	to = 1;
	scroll = 0;
	kinds = 0;		/* mask of the shown kinds */
	hosts = null;		/* Set of the numbers of shown hosts; null: all */
	lanes = null;		/* Set of shown lanes of CPUs; null: all */
	collapsed = new Set();
	pins = [];		/* { host, id, text }; text names the task in links */
	selection = null;	/* { from, to } */
	filter = '';		/* for tasks */
	active = null;		/* key of the chosen lane, which keys act on */
	arrows = new Set(ARROW_KINDS);
	tracks = new Set();	/* names of the counters shown as tracks, in order */
	perCpu = false;		/* true: tracks of CPUs; false: of hosts */
	packet = null;		/* number of the packet whose path is highlighted */
	without = new Set();	/* names of hidden registered events */
	missing = '';		/* what the log lacks of the last link, for the user */
	jitter = null;		/* state of the jitter view as a text; null: timeline */
	#find;
	#values = new URLSearchParams();	/* the last link's parameters */
	#found = new Map();	/* the link's tasks by text, of findTasks(), as far as loaded */
	#timer = 0;
	#glide = null;
	#place = 0;
	#last = 0;
	#written = '';

	/* @find(texts): finds tasks of a link, as findTasks() */
	constructor(log, find)
	{
		super();
		this.log = log;
		this.#find = find;
		this.from = 0;
		this.to = Math.max(log.end, SPAN_LEAST);
		this.kindsAll = (1 << log.kinds.length) - 1;
		this.kinds = this.kindsAll;
	}

	get span()
	{
		return this.to - this.from;
	}

	get end()
	{
		return Math.max(this.log.end, SPAN_LEAST);
	}

	/* To be called after fields were set directly. @still: a jump; the view rests at once */
	changed(still = false)
	{
		this.dispatchEvent(new Event('change'));
		clearTimeout(this.#timer);
		if (still)
			this.dispatchEvent(new Event('rest'));
		this.#timer = setTimeout(() => still ? this.#write() : this.#rest(), REST_MS);
	}

	/* Adds the current view to the history at once, before it changes. */
	keep()
	{
		clearTimeout(this.#timer);
		this.#write();
	}

	#rest()
	{
		this.#write();
		this.dispatchEvent(new Event('rest'));
	}

	#bounded(from, to)
	{
		const span = Math.min(Math.max(to - from, SPAN_LEAST), this.end);

		if (to - from < SPAN_LEAST)
			from = (from + to - span) / 2;
		from = Math.min(Math.max(from, 0), this.end - span);
		return [from, from + span];
	}

	/* The part of a link's span that is in the log, if any. */
	#clipped(from, to)
	{
		const begin = Math.max(from, 0), end = Math.min(to, this.end);

		return begin < end ? this.#bounded(begin, end) : this.#bounded(from, to);
	}

	show(from, to)
	{
		this.jump(from, to);
		this.changed();
	}

	/* Moves the view at once. Then call changed(). */
	jump(from, to)
	{
		this.#glide = null;
		[this.from, this.to] = this.#bounded(from, to);
	}

	/* Moves the view in a few frames, so that the user can follow. */
	glide(from, to)
	{
		if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
			this.show(from, to);
			return;
		}
		[from, to] = this.#bounded(from, to);
		const idle = !this.#glide;

		this.#glide = { from, to, start: [this.from, this.to], began: performance.now() };
		if (idle)
			requestAnimationFrame((now) => this.#step(now));
	}

	#step(now)
	{
		const glide = this.#glide;

		if (!glide)
			return;
		const part = Math.min(Math.max((now - glide.began) / GLIDE_MS, 0), 1);
		const eased = 1 - (1 - part) ** 3;

		this.from = glide.start[0] + (glide.from - glide.start[0]) * eased;
		this.to = glide.start[1] + (glide.to - glide.start[1]) * eased;
		if (part < 1) {
			requestAnimationFrame((then) => this.#step(then));
		} else {
			this.#glide = null;
			this.from = glide.from;
			this.to = glide.to;
		}
		this.changed();
	}

	/* The span at the end of a glide, from where the next key continues. */
	get target()
	{
		return this.#glide ?? this;
	}

	zoom(factor, around, smooth = false)
	{
		const { from, to } = smooth ? this.target : this;
		const least = Math.max(factor, SPAN_LEAST / (to - from));
		const a = around - (around - from) * least;
		const b = around + (to - around) * least;

		if (smooth)
			this.glide(a, b);
		else
			this.show(a, b);
	}

	pan(ns, smooth = false)
	{
		const { from, to } = smooth ? this.target : this;

		if (smooth)
			this.glide(from + ns, to + ns);
		else
			this.show(from + ns, to + ns);
	}

	fit()
	{
		this.glide(0, this.end);
	}

	/* Moves the view at once if [t, end] is near an edge or outside. Then call changed(). */
	reveal(t, end = t)
	{
		const { from, to } = this.target;
		const span = to - from;

		if (t >= from + span * 0.1 && end <= to - span * 0.1)
			return;
		const wanted = Math.max(span, (end - t) * 1.6);
		const middle = (t + end) / 2;

		this.jump(middle - wanted / 2, middle + wanted / 2);
	}

	shows(host, lane)
	{
		return (!this.hosts || this.hosts.has(host)) &&
			(!this.lanes || this.lanes.has(lane));
	}

	pin(host, task)
	{
		const { id } = task;

		if (this.pins.some((pin) => pin.host === host && pin.id === id))
			return;
		this.pins = [...this.pins, { host, id, text: taskText(this.log, host, task) }];
		this.changed();
	}

	unpin(host, id)
	{
		this.pins = this.pins.filter((pin) => pin.host !== host || pin.id !== id);
		this.changed();
	}

	setTrack(name, on)
	{
		this.tracks = new Set(Object.keys(COUNTERS).filter((one) =>
			one === name ? on : this.tracks.has(one)));
	}

	/* The view as a URL's fragment. */
	fragment()
	{
		const digits = this.span < 1e4 ? 2 : 0;
		const parts = [`from=${Number(this.from.toFixed(digits))}`,
			`to=${Number(this.to.toFixed(digits))}`];
		const add = (name, value) => parts.push(`${name}=${encodeURIComponent(value)
			.replace(/%2C/g, ',')}`);

		const lanes = this.lanes ? lanesText(this.log, this.lanes) : '';

		if (lanes)
			add('lanes', lanes);
		if (this.hosts)
			add('hosts', hostsText(this.log, this.hosts));
		if (this.kinds !== this.kindsAll)
			add('kinds', this.log.kinds.filter((_, i) => this.kinds & 1 << i).join(','));
		if (this.without.size)
			add('without', [...this.without].join(','));
		if (this.selection)
			add('sel', `${Math.round(this.selection.from)}-${Math.round(this.selection.to)}`);
		const tasks = [...this.pins.map(({ text }) => text), ...this.#asked()];

		if (tasks.length)
			add('tasks', tasks.join(','));
		if (this.collapsed.size)
			add('collapsed', hostsText(this.log, this.collapsed));
		if (this.filter)
			add('filter', this.filter);
		if (this.arrows.size !== ARROW_KINDS.length)
			add('arrows', [...this.arrows].join(','));
		if (this.tracks.size)
			add('tracks', [...this.tracks, ...(this.perCpu ? [PER_CPU] : [])].join(','));
		if (this.packet !== null)
			add('packet', this.packet);
		if (this.scroll)
			add('scroll', Math.round(this.scroll));
		if (this.jitter !== null)
			add('jitter', this.jitter);
		return `#${parts.join('&')}`;
	}

	/* Texts of the link's tasks that are not loaded yet. */
	#asked()
	{
		return taskTexts(this.#values).filter((text) => !this.#found.has(text));
	}

	/* The link's tasks, in its order. */
	#pinsOf()
	{
		const pins = new Map(taskTexts(this.#values).map((text) => this.#found.get(text))
			.filter((task) => task).map((task) => {
				const text = taskText(this.log, task.host, task);

				return [text, { host: task.host, id: task.id, text }];
			}));

		return [...pins.values()];
	}

	async #ask()
	{
		const values = this.#values;
		const found = await this.#find(this.#asked());
		const isWritten = this.fragment() === this.#written;

		if (values !== this.#values)
			return;
		const before = this.#pinsOf().length;

		for (const [text, task] of found)
			this.#found.set(text, task);
		/* Keep tasks that the user pinned in the meantime. */
		this.pins = [...this.#pinsOf(), ...this.pins.slice(before)];
		this.missing = missingOf(values, this.log, this.end, this.#found);
		if (isWritten)
			this.#rewrite(history.state);
		this.dispatchEvent(new Event('history'));
		this.changed();
	}

	/* Sets the view from a fragment; fields that are not in the fragment get their defaults. */
	#read(fragment)
	{
		const values = new URLSearchParams(fragment.replace(/^#/, ''));
		const number = (name, otherwise) => {
			const value = Number.parseFloat(values.get(name));

			return Number.isFinite(value) ? value : otherwise;
		};
		const { log } = this;
		const kinds = values.get('kinds');
		const hosts = hostsOf(values, 'hosts', log);
		const sel = /^(\d+)-(\d+)$/.exec(values.get('sel') ?? '');

		this.#glide = null;
		this.#values = values;
		this.missing = missingOf(values, log, this.end, this.#found);
		[this.from, this.to] = this.#clipped(number('from', 0), number('to', this.end));
		this.scroll = Math.max(number('scroll', 0), 0);
		this.kinds = kinds === null ? this.kindsAll : log.kinds.reduce((mask, kind, i) =>
			kinds.split(',').includes(kind) ? mask | 1 << i : mask, 0);
		this.without = new Set((values.get('without') ?? '').split(',').filter((name) => name));
		this.hosts = hosts.size ? hosts : null;
		this.lanes = lanesOf(values, log);
		this.selection = sel && Number(sel[1]) <= Number(sel[2]) && Number(sel[1]) <= this.end ?
			{ from: Number(sel[1]), to: Math.min(Number(sel[2]), Math.ceil(this.end)) } : null;
		this.pins = this.#pinsOf();
		this.collapsed = hostsOf(values, 'collapsed', log);
		this.filter = values.get('filter') ?? '';
		this.jitter = values.get('jitter');
		this.arrows = new Set((values.get('arrows') ?? ARROW_KINDS.join(',')).split(',')
			.filter((kind) => kind));
		const tracks = (values.get('tracks') ?? '').split(',');

		this.tracks = new Set(Object.keys(COUNTERS).filter((name) => tracks.includes(name)));
		this.perCpu = tracks.includes(PER_CPU);
		this.packet = /^\d+$/.test(values.get('packet') ?? '') ? Number(values.get('packet')) : null;
		if (this.#asked().length)
			this.#ask();
	}

	/* Replaces the current entry of the history by the current view. */
	#rewrite(state)
	{
		this.#written = this.fragment();
		try {
			history.replaceState(state, '', this.#written);
		} catch {
			/* A page without an address has no history. */
		}
	}

	#write()
	{
		const fragment = this.fragment();

		if (fragment === this.#written)
			return;
		this.#written = fragment;
		try {
			history.pushState({ place: ++this.#place }, '', fragment);
			this.#last = this.#place;
		} catch {
			/* As above. */
		}
		this.dispatchEvent(new Event('history'));
	}

	/* Reads the page's URL, and follows the browser's back and forward. */
	attach()
	{
		this.#read(location.hash);
		this.#rewrite({ place: 0 });
		addEventListener('popstate', (event) => {
			clearTimeout(this.#timer);
			this.#place = event.state?.place ?? this.#place;
			this.#read(location.hash);
			this.#written = this.fragment();
			this.dispatchEvent(new Event('change'));
			this.dispatchEvent(new Event('rest'));
			this.dispatchEvent(new Event('history'));
		});
	}

	get canBack()
	{
		return this.#place > 0;
	}

	get canForward()
	{
		return this.#place < this.#last;
	}

	back()
	{
		history.back();
	}

	forward()
	{
		history.forward();
	}
}
