// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is looked at: the span, the lanes, the filters; its history and its URL.
 *
 * Stage: between the controls, which change it, and the drawing, which follows its
 * events: 'change' at once, 'rest' when it has been still for a moment.  It draws and
 * requests nothing.
 */
import { listOf, setOf } from '../base/lists.js';
import { COUNTERS } from '../data/counters.js';
import { missingOf, taskOf } from '../data/link.js';

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
	kinds = 0;		/* mask of those shown */
	hosts = null;		/* Set of numbers of those shown, or null: all */
	lanes = null;		/* Set of CPU lanes shown, or null: all */
	collapsed = new Set();
	pins = [];		/* { host, id } */
	selection = null;	/* { from, to } */
	filter = '';		/* of tasks */
	active = null;		/* key of the lane that keys speak of */
	arrows = new Set(ARROW_KINDS);
	tracks = new Set();	/* names of the counters that are shown as tracks, in their order */
	perCpu = false;		/* whether those of CPUs, not of hosts */
	packet = null;		/* number of the one whose path stands out */
	without = new Set();	/* names of registered events that are not shown */
	missing = '';		/* of what the last link named, for people */
	jitter = null;		/* what of it is looked at, in place of the time line */
	#timer = 0;
	#glide = null;
	#place = 0;
	#last = 0;
	#written = '';

	constructor(log)
	{
		super();
		this.log = log;
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

	/* Tells of a change; all that is set directly calls it. */
	changed()
	{
		this.dispatchEvent(new Event('change'));
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#rest(), REST_MS);
	}

	/* What is seen now can be come back to, however soon it changes. */
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

	/* What of a link's span is in the log, if any of it is. */
	#clipped(from, to)
	{
		const begin = Math.max(from, 0), end = Math.min(to, this.end);

		return begin < end ? this.#bounded(begin, end) : this.#bounded(from, to);
	}

	show(from, to)
	{
		this.#glide = null;
		[this.from, this.to] = this.#bounded(from, to);
		this.changed();
	}

	/* Goes there in a few frames, so that the eye can follow. */
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

	/* Where a glide ends, for the next key's step. */
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

	/* So that a time is within the middle of what is seen. */
	reveal(t, end = t)
	{
		const { from, to } = this.target;
		const span = to - from;

		if (t >= from + span * 0.1 && end <= to - span * 0.1)
			return;
		const wanted = Math.max(span, (end - t) * 1.6);
		const middle = (t + end) / 2;

		this.glide(middle - wanted / 2, middle + wanted / 2);
	}

	shows(host, lane)
	{
		return (!this.hosts || this.hosts.has(host)) &&
			(!this.lanes || this.lanes.has(lane));
	}

	pin(host, id)
	{
		if (this.pins.some((pin) => pin.host === host && pin.id === id))
			return;
		this.pins = [...this.pins, { host, id }];
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

		if (this.lanes)
			add('lanes', listOf(this.lanes));
		if (this.hosts)
			add('hosts', [...this.hosts].map((i) => this.log.hosts[i].name).join(','));
		if (this.kinds !== this.kindsAll)
			add('kinds', this.log.kinds.filter((_, i) => this.kinds & 1 << i).join(','));
		if (this.without.size)
			add('without', [...this.without].join(','));
		if (this.selection)
			add('sel', `${Math.round(this.selection.from)}-${Math.round(this.selection.to)}`);
		if (this.pins.length)
			add('tasks', this.pins.map(({ host, id }) => `${host}.${id}`).join(','));
		if (this.collapsed.size)
			add('collapsed', listOf(this.collapsed));
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

	/* Takes the view from a fragment; what it doesn't name is as at the start. */
	#read(fragment)
	{
		const values = new URLSearchParams(fragment.replace(/^#/, ''));
		const number = (name, otherwise) => {
			const value = Number.parseFloat(values.get(name));

			return Number.isFinite(value) ? value : otherwise;
		};
		const { log } = this;
		const kinds = values.get('kinds');
		const hosts = values.get('hosts');
		const lanes = values.get('lanes');
		const sel = /^(\d+)-(\d+)$/.exec(values.get('sel') ?? '');
		const named = (hosts ?? '').split(',');
		const chosen = log.hosts.map((_, i) => i).filter((i) => named.includes(log.hosts[i].name));

		this.#glide = null;
		this.missing = missingOf(values, log, this.end);
		[this.from, this.to] = this.#clipped(number('from', 0), number('to', this.end));
		this.scroll = Math.max(number('scroll', 0), 0);
		this.kinds = kinds === null ? this.kindsAll : log.kinds.reduce((mask, kind, i) =>
			kinds.split(',').includes(kind) ? mask | 1 << i : mask, 0);
		this.without = new Set((values.get('without') ?? '').split(',').filter((name) => name));
		this.hosts = chosen.length ? new Set(chosen) : null;
		this.lanes = lanes === null ? null : setOf(lanes, log.lanes);
		this.selection = sel && Number(sel[1]) <= Number(sel[2]) && Number(sel[1]) <= this.end ?
			{ from: Number(sel[1]), to: Math.min(Number(sel[2]), Math.ceil(this.end)) } : null;
		this.pins = (values.get('tasks') ?? '').split(',').map((text) => taskOf(text, log))
			.filter((task) => task);
		this.collapsed = setOf(values.get('collapsed') ?? '', log.hosts.length) ?? new Set();
		this.filter = values.get('filter') ?? '';
		this.jitter = values.get('jitter');
		this.arrows = new Set((values.get('arrows') ?? ARROW_KINDS.join(',')).split(',')
			.filter((kind) => kind));
		const tracks = (values.get('tracks') ?? '').split(',');

		this.tracks = new Set(Object.keys(COUNTERS).filter((name) => tracks.includes(name)));
		this.perCpu = tracks.includes(PER_CPU);
		this.packet = /^\d+$/.test(values.get('packet') ?? '') ? Number(values.get('packet')) : null;
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
			/* A page without an address has no history. */
		}
		this.dispatchEvent(new Event('history'));
	}

	/* Begins with the page's URL, and follows the browser's back and forward. */
	attach()
	{
		this.#read(location.hash);
		this.#written = this.fragment();
		try {
			history.replaceState({ place: 0 }, '', this.#written);
		} catch {
			/* As above. */
		}
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
