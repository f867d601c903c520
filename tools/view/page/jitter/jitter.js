// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The jitter view, which replaces the timeline: a chart of the measured program's interruptions,
 * their sources, and the list of the interruptions in a bar.  A click in the list leads back to
 * the timeline.
 */
import { JitterChart, pictureOf } from './chart.js';
import { KINDS, SERIES, stateOf, wordsOf } from './state.js';
import { LIST_LIMIT, listBox, micro, peaksBox } from './list.js';
import { cpuBoxes, sourceTable } from './sources.js';
import { byId, element } from '../base/element.js';
import { clean } from '../data/names.js';
import { count, percent, short } from '../data/times.js';

/* Smallest and largest side of a picture, in pixels */
const SIDE_LEAST = 160, SIDE_MOST = 32000;
const LABELS = { histogram: 'Histogram', density: 'Density', spectrum: 'Spectrum' };
/* Time shown on each side of an interruption on the timeline, in lengths of the interruption */
const AROUND = 8;
const AROUND_LEAST_NS = 100;

export class Jitter {
	#page;
	#state = null;
	#tables = new Map();	/* by host, as far as loaded */
	#reading = new Map();	/* by host: requests of tables */
	#answer = null;
	#list = null;
	#wanted = '';
	#listed = '';
	#abort = null;
	#listAbort = null;
	#chart;
	#busy = 0;

	constructor(page)
	{
		this.#page = page;
		this.hosts = page.source.offline ? [] : page.log.hosts
			.map(({ jitter, name }, number) => ({ jitter, name, number }))
			.filter(({ jitter }) => jitter);
		byId('jitter-open').hidden = !this.hosts.length;
		if (!this.hosts.length)
			return;
		this.#chart = new JitterChart(byId('jitter-chart'));
		byId('jitter-open').addEventListener('click', () => this.toggle());
		this.#listen();
		this.#controls();
	}

	/* For tests */
	get shown()
	{
		const chart = this.#chart?.chart;

		return this.open && chart ? {
			kind: this.#state.kind, busy: this.#busy, edges: [...chart.edges],
			curves: chart.curves.map(({ name, values }) => ({ name, values: [...values] })),
			places: chart.edges.map((edge) => this.#chart.x(edge)),
			heights: chart.curves.map(({ values }) => values.map((value) => this.#chart.y(value))),
			found: this.#list?.found ?? null,
		} : { busy: this.#busy };
	}

	get open()
	{
		return this.#page.view.jitter !== null && this.hosts.length > 0;
	}

	toggle()
	{
		const { log } = this.#page;

		this.#set(this.open ? null : wordsOf({ ...stateOf(KINDS[0], log), host: this.hosts[0].number }, log));
	}

	#set(words)
	{
		this.#page.view.jitter = words;
		this.#page.view.changed();
	}

	/* Changes parts of the state. */
	#change(some)
	{
		this.#set(wordsOf({ ...this.#state, ...some }, this.#page.log));
	}

	/* Called if the view may have changed. */
	update()
	{
		const { open } = this;

		if (!this.hosts.length)
			return;
		byId('jitter').hidden = !open;
		document.querySelector('main').hidden = open;
		document.body.classList.toggle('jitter', open);
		byId('jitter-open').setAttribute('aria-pressed', String(open));
		if (!open)
			return;
		const state = stateOf(this.#page.view.jitter, this.#page.log);

		if (!this.hosts.some(({ number }) => number === state.host))
			state.host = this.hosts[0].number;
		byId('status').textContent = `Jitter of ${
			clean(this.hosts.find(({ number }) => number === state.host).name)}`;
		this.#state = state;
		this.#show();
		this.resize();
		this.want();
	}

	resize()
	{
		const box = byId('jitter-plot');

		if (!this.open || !box.clientWidth)
			return;
		this.#chart.resize(box.clientWidth, box.clientHeight, devicePixelRatio || 1);
		this.paint();
		this.want();
	}

	paint()
	{
		if (this.open)
			this.#chart.paint(this.#page.theme);
	}

	/* ---- Requests ---- */

	get #query()
	{
		const { host, kind, range, linear, sources, cpus } = this.#state;
		const list = (set) => set ? [...set].sort((a, b) => a - b).join(',') : undefined;

		return { host, kind, from: range?.from, to: range?.to, linear: linear ? 1 : undefined,
			sources: list(sources), cpus: list(cpus) };
	}

	#fail(error)
	{
		if (error.name === 'AbortError')
			return;
		byId('jitter-status').textContent = error.message;
		if (error.status === 0 || error.status === 401 || error.status === 409)
			this.#page.fail(error);
	}

	async #ask(parameters, signal)
	{
		this.#busy++;
		try {
			const answer = await this.#page.source.jitter(parameters, signal);

			return answer.svg ? { ...answer, picture: await pictureOf(answer) } : answer;
		} finally {
			this.#busy--;
		}
	}

	/* One request for each host: the size may change while its log is read. */
	#readTable(host)
	{
		const reading = this.#reading.get(host) ?? this.#ask({ host })
			.then((table) => this.#tables.set(host, table))
			.finally(() => this.#reading.delete(host));

		this.#reading.set(host, reading);
		return reading;
	}

	/* Requests the chart, drawn for the current size and theme. */
	async want()
	{
		if (!this.open || !this.#state)
			return;
		const state = this.#state;
		const { clientWidth, clientHeight } = byId('jitter-plot');
		const side = (pixels) => Math.min(Math.max(Math.floor(pixels), SIDE_LEAST), SIDE_MOST);
		const query = { ...this.#query, width: side(clientWidth), height: side(clientHeight),
			light: this.#page.theme.name === 'light' ? 1 : undefined };
		const wanted = JSON.stringify(query);

		this.#wantList();
		if (wanted === this.#wanted)
			return;
		this.#wanted = wanted;
		if (this.#answer && this.#answer.state.host !== state.host)
			this.#clear();
		this.#abort?.abort();
		this.#abort = new AbortController();
		byId('jitter-status').textContent = 'Reading the log…';
		try {
			if (!this.#tables.has(state.host))
				await this.#readTable(state.host);
			const answer = await this.#ask(query, this.#abort.signal);

			if (wanted !== this.#wanted)
				return;
			this.#answer = { ...answer, state };
			this.#table();
			this.#draw();
		} catch (error) {
			if (wanted === this.#wanted && error.name !== 'AbortError') {
				this.#wanted = '';
				this.#clear();
			}
			this.#fail(error);
		}
	}

	/* Clears the chart, as there is no answer for the current state. */
	#clear()
	{
		this.#answer = null;
		this.#chart.show(null);
		byId('jitter-legend').replaceChildren();
		this.paint();
		this.#drawList();
	}

	async #wantList()
	{
		const { bar } = this.#state;
		const query = bar ? { ...this.#query, kind: 'list', ...bar, linear: undefined,
			limit: LIST_LIMIT } : null;
		const wanted = JSON.stringify(query);

		if (wanted === this.#listed)
			return;
		this.#listed = wanted;
		this.#listAbort?.abort();
		this.#list = null;
		if (!bar) {
			this.#drawList();
			return;
		}
		this.#listAbort = new AbortController();
		try {
			const list = await this.#ask(query, this.#listAbort.signal);

			if (wanted !== this.#listed)
				return;
			this.#list = list;
			this.#drawList();
		} catch (error) {
			this.#listed = error.name === 'AbortError' ? this.#listed : '';
			this.#fail(error);
		}
	}

	/* ---- The chart ---- */

	get #sources()
	{
		return this.#tables.get(this.#state.host)?.sources ?? [];
	}

	#sourceName(number)
	{
		return clean(this.#sources[number]?.name ?? `source ${number}`);
	}

	#draw()
	{
		const { curves, state: { linear, bar } } = this.#answer;

		this.#chart.show({ ...this.#answer, linear, chosen: bar ? [bar.from, bar.to] : null });
		byId('jitter-legend').replaceChildren(...curves.map(({ name, about, colour }) =>
			element('span', {}, element('span', { className: 'swatch', style: `background: ${colour}` }),
				` ${clean(name)}: ${about}`)));
		this.#say();
		this.#drawList();
		/* Legend and list leave another height to the chart. */
		this.resize();
	}

	/* Writes the values at the cursor; without a cursor, a summary. */
	#say()
	{
		const chart = this.#chart.chart;
		const { cursor } = this.#chart;
		const table = this.#tables.get(this.#state.host);

		if (!chart || !table)
			return;
		if (cursor === null) {
			byId('jitter-status').textContent = `${count(table.samples)} samples over ${
				short(table.threads[0]?.threshold_ns ?? 0)}, of which ${
				table.samples ? percent(table.matched / table.samples) : '–'} match; ${
				count(table.interruptions)} interruptions${Number(table.excluded) ?
				`; ${count(table.excluded)} samples left out, as events were lost` : ''}`;
			return;
		}
		const [from, to] = [chart.edges[cursor], chart.edges[cursor + 1]];
		const { kind } = this.#answer.state;
		const span = kind === 'spectrum' ? `${from.toFixed(3)} to ${to.toFixed(3)} Hz` :
			`${micro(from)} to ${micro(to)} µs`;
		const digits = kind === 'histogram' ? {} : { maximumSignificantDigits: 3 };

		byId('jitter-status').textContent = `${span}: ${chart.curves.map(({ name, values }) =>
			`${clean(name)} ${values[cursor].toLocaleString('en-US', digits)}`).join(', ')}`;
	}

	#pressed({ curve, from, to })
	{
		const { kind } = this.#answer.state;

		/* A density is of whole interruptions, and then of their parts. */
		if (kind !== 'spectrum')
			this.#change({ bar: { series: SERIES[kind === 'histogram' ? curve ?? 0 : curve ? 2 : 1],
				from, to } });
	}

	#zoomed({ from, to })
	{
		const { kind, bar } = this.#state;
		const least = kind === 'spectrum' ? 0.01 : 2;

		/* The bar stays selected only if it is within the new range. */
		if (!(to - from >= least) || to > 1e14)
			return;
		this.#change({ range: { from: Math.max(from, this.#state.linear ? 0 : 0.001), to },
			bar: bar && bar.from >= from && bar.to <= to ? bar : null });
	}

	/* ---- Controls ---- */

	#listen()
	{
		const chart = this.#chart;

		chart.addEventListener('point', () => {
			this.#say();
			this.paint();
		});
		chart.addEventListener('drag', () => this.paint());
		chart.addEventListener('zoom', (event) => this.#zoomed(event.detail));
		chart.addEventListener('press', (event) => this.#pressed(event.detail));
		chart.addEventListener('fit', () => this.#change({ range: null }));
		new ResizeObserver(() => this.resize()).observe(byId('jitter-plot'));
	}

	#controls()
	{
		byId('jitter-kinds').replaceChildren(...KINDS.map((kind) => element('button', {
			type: 'button', id: `jitter-${kind}`, 'aria-pressed': 'false',
			onclick: () => this.#change({ kind, range: null, bar: null }) }, LABELS[kind])));
		byId('jitter-linear').addEventListener('change', (event) =>
			this.#change({ linear: event.target.checked }));
		byId('jitter-fit').addEventListener('click', () => this.#change({ range: null }));
		byId('jitter-host').replaceChildren(...this.hosts.map(({ name, number }) =>
			element('option', { value: String(number) }, clean(name))));
		byId('jitter-host').hidden = this.hosts.length < 2;
		byId('jitter-host').addEventListener('change', (event) => this.#change({
			host: Number(event.target.value), sources: null, cpus: null, bar: null, range: null }));
	}

	#show()
	{
		const { kind, linear, host, range } = this.#state;

		for (const one of KINDS)
			byId(`jitter-${one}`).setAttribute('aria-pressed', String(one === kind));
		byId('jitter-linear').checked = linear;
		byId('jitter-host').value = String(host);
		byId('jitter-fit').disabled = !range;
		if (this.#chart.chart && this.#answer)
			this.#chart.chart.chosen = this.#state.bar ?
				[this.#state.bar.from, this.#state.bar.to] : null;
		this.#table();
	}

	#table()
	{
		const table = this.#tables.get(this.#state.host);
		const focused = document.activeElement?.getAttribute?.('aria-label');
		const { sources, cpus } = this.#state;

		if (!table) {
			byId('jitter-cpus').replaceChildren();
			byId('jitter-sources').replaceChildren();
			return;
		}
		byId('jitter-cpus').replaceChildren(...cpuBoxes(table.threads, cpus,
			(chosen) => this.#change({ cpus: chosen })));
		byId('jitter-sources').replaceChildren(sourceTable(table, sources,
			(chosen) => this.#change({ sources: chosen })));
		/* The boxes were replaced: focus the same box again. */
		if (focused)
			[...document.querySelectorAll('#jitter-side input, #jitter-cpus input')]
				.find((input) => input.getAttribute('aria-label') === focused)?.focus();
	}

	/* ---- The list ---- */

	#drawList()
	{
		const box = byId('jitter-list');
		const { bar, kind } = this.#state;
		const spectrum = kind === 'spectrum' && this.#answer?.state.kind === kind;

		box.hidden = !(bar && this.#list) && !(spectrum && this.#answer.peaks.length);
		if (box.hidden || spectrum) {
			box.replaceChildren(...box.hidden ? [] : peaksBox(this.#answer, (number) =>
				this.#sourceName(number)));
			return;
		}
		box.replaceChildren(...listBox({ answer: this.#list, bar, counts: this.#counts(bar),
			table: this.#tables.get(this.#state.host), go: (item) => this.#go(item),
			choose: (series) => this.#change({ bar: { ...bar, series } }),
			close: () => this.#change({ bar: null }) }));
	}

	/* The counts in the selected bar; null if the bar is no bin of this chart. */
	#counts(bar)
	{
		const { edges, curves, state } = this.#answer ?? {};
		const near = (a, b) => Math.abs(a - b) < 0.0006;
		const bin = state?.kind === 'histogram' ? edges.findIndex((edge, i) => near(edge, bar.from) &&
			near(edges[i + 1] ?? NaN, bar.to)) : -1;

		return bin < 0 ? null :
			Object.fromEntries(SERIES.map((one, i) => [one, curves[i].values[bin]]));
	}

	/* Shows an interruption on the timeline, or a sample that has no interruption. */
	#go(item)
	{
		const { view } = this.#page;
		const [first] = item.interruptions;
		const begin = first?.begin ?? item.sample.begin;
		const end = item.interruptions[item.interruptions.length - 1]?.end ?? item.sample.end;
		const around = Math.max((end - begin) * AROUND, AROUND_LEAST_NS);

		view.keep();
		view.jitter = null;
		view.active = String(item.lane);
		view.selection = { from: begin, to: end };
		if (view.lanes && !view.lanes.has(item.lane))
			view.lanes = new Set([...view.lanes, item.lane]);
		if (view.hosts && !view.hosts.has(this.#state.host))
			view.hosts = new Set([...view.hosts, this.#state.host]);
		view.collapsed = new Set([...view.collapsed].filter((host) => host !== this.#state.host));
		view.show(begin - around, end + around);
		this.#page.panels.show('selection');
	}

	/* ---- Keys ---- */

	/* Handles a key.  Returns false if the key has no function here. */
	key(key)
	{
		const chart = this.#chart;
		const keys = {
			w: () => chart.zoom(0.6), s: () => chart.zoom(1 / 0.6),
			a: () => chart.pan(-0.22), d: () => chart.pan(0.22),
			f: () => this.#change({ range: null }),
			l: () => this.#change({ linear: !this.#state.linear }),
			ArrowLeft: () => chart.step(-1), ArrowRight: () => chart.step(1),
			Home: () => chart.step(-Infinity), End: () => chart.step(Infinity),
			Enter: () => { if (chart.chart && chart.cursor !== null) chart.press(chart.cursor); },
			j: () => this.toggle(),
			Escape: () => this.#state.bar ? this.#change({ bar: null }) : this.toggle(),
		};

		if (!keys[key])
			return false;
		keys[key]();
		return true;
	}
}
