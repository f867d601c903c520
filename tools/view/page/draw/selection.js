// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The selection's tables: the statistics of `evtlog stat` for this span, by CPU and task.
 *
 * Stage: a panel, filled from /summary when the selection rests.
 */
import { element, table as plainTable } from '../base/element.js';
import { listOf } from '../base/lists.js';
import { clean } from '../data/names.js';
import { exceptionName } from '../data/event-text.js';
import { brief, count, countOf, exact, seconds, shareOf, short } from '../data/times.js';

const TASKS_MOST = 100;

/* A table that is wider than the panel can be scrolled. */
const table = (...of) => element('div', { className: 'wide' }, plainTable(...of));

const MODES = { user: 'user mode', syscall: 'system call',
	kernel: 'kernel, by interrupt or exception' };

export class Selection {
	#panel;
	#source;
	#view;
	#stop = null;
	#asked = '';
	#profile;

	/* @profile: makes the profile's part of the panel for each selection; null if none */
	constructor(panel, source, view, profile)
	{
		this.#profile = profile;
		this.#panel = panel;
		this.#source = source;
		this.#view = view;
		this.draw();
	}

	async draw()
	{
		const { selection, lanes, hosts, log, filter } = this.#view;
		const shown = log.hosts.flatMap((host, i) => host.cpus.filter(({ lane }) =>
			this.#view.shows(i, lane)).map(({ lane }) => lane));
		const asked = selection ? `${selection.from}-${selection.to} ${shown} ${filter}` : 'none';

		if (asked === this.#asked)
			return;
		this.#asked = asked;
		this.#stop?.abort();
		if (!selection) {
			this.#panel.replaceChildren(element('h2', {}, 'Selection'),
				element('p', { className: 'faint' }, 'Drag on the ruler, or with Shift on a ' +
					'lane: what ran in between is summed up here.'));
			return;
		}
		const stop = this.#stop = new AbortController();

		this.#head(element('p', { role: 'status' }, 'Reading…'));
		try {
			const answer = await this.#source.summary(selection.from, selection.to,
				lanes || hosts ? shown.join(',') : undefined, stop.signal);

			this.#head(...(this.#profile ? [this.#profile.made()] : []),
				...answer.hosts.flatMap((host) => this.#host(host)));
		} catch (error) {
			if (error.name !== 'AbortError')
				this.#head(element('p', { className: 'warning', role: 'alert' },
					error.message));
		}
	}

	#head(...rest)
	{
		const { selection, filter } = this.#view;
		const facts = [['From', seconds(selection.from)], ['To', seconds(selection.to)],
			['Span', `${exact(selection.to - selection.from)}`],
			['', short(selection.to - selection.from)]];

		this.#panel.replaceChildren(
			element('h2', {}, 'Selection'),
			element('dl', { className: 'facts', 'data-testid': 'selection-span' },
				...facts.flatMap(([name, value]) =>
					[element('dt', {}, name), element('dd', {}, value)])),
			element('div', { className: 'buttons' },
				element('button', { type: 'button', onclick: () => this.#view.glide(
					selection.from, selection.to) }, 'Zoom to it'),
				element('button', { type: 'button', onclick: () => {
					this.#view.selection = null;
					this.#view.changed();
					this.draw();
				} }, 'Clear')),
			...(filter ? [element('p', { className: 'faint' },
				`Of all tasks, also those without "${clean(filter)}".`)] : []),
			...rest);
	}

	#host({ name, stat, longest, matrix, modes })
	{
		const number = (text, title) => ({ text, number: true, title });
		const cpu = (row, label) => [label, shareOf(row.busy_ns, row.span_ns),
			shareOf(row.outside_ns ?? row.idle_ns, row.span_ns), shareOf(row.irq_ns, row.span_ns),
			shareOf(row.softirq_ns, row.span_ns), countOf(row.switches),
			countOf(row.migrations)];
		/* null: too few measured wake-ups for this percentile */
		const latency = ({ latency_ns: l }, key) => typeof l?.[key] === 'number' ?
			element('span', { title: exact(l[key]) }, brief(l[key])) : '–';
		/* A sum includes all names that the task had in this time. */
		const nameOf = ({ comm, names }) =>
			clean(names?.map((name) => name.comm || '?').join(' > ') || comm);
		const tasks = stat.tasks ?? [];

		return [
			/* Times of the host's own clock, which differ from those of the page. */
			element('h3', { title: `evtlog stat --from ${stat.from_ns}ns --to ${
				stat.to_ns}ns ${clean(stat.file)}` }, clean(name)),
			...(stat.lost ? [element('p', { className: 'lost' },
				`${count(stat.lost)} events lost in the whole run`)] : []),
			table('CPUs', ['CPU', number('Busy'),
				number(stat.total?.outside_ns === undefined ? 'Idle' : 'Outside'), number('irq'),
				number('softirq'), number('Switches'), number('Migr.')],
			[...stat.cpus.map((row) => cpu(row, String(row.cpu))),
				...(stat.total && stat.cpus.length > 1 ? [cpu(stat.total, 'all')] : [])],
			{ 'data-testid': 'selection-cpus' }),
			table('Tasks, with wake-up latency', ['Task', number('Ran'), number('Sw.', 'switches'),
				number('Migr.', 'migrations'), number('p50', 'median time from wake-up to running'),
				number('p90'), number('p99'), number('max'),
				number('n', 'wake-ups that are measured')],
			tasks.slice(0, TASKS_MOST).map((task) => [
				element('span', { title: `${nameOf(task)}${task.pid === null ? '' :
					`, pid ${task.pid}`}` },
					`${nameOf(task)} ${task.pid ?? ''}`),
				task.run_ns === null ? '–' :
					element('span', { title: exact(task.run_ns) }, brief(task.run_ns)),
				countOf(task.switches), countOf(task.migrations),
				...['p50', 'p90', 'p99', 'max'].map((key) => latency(task, key)),
				count(task.latency_ns?.count ?? 0)]),
			{ 'data-testid': 'selection-tasks', className: 'tight' }),
			...(tasks.length > TASKS_MOST ? [element('p', { className: 'faint' },
				`${tasks.length - TASKS_MOST} more; "evtlog stat" shows all.`)] : []),
			...this.#interrupts(name, stat, longest),
			...this.#modes(modes),
			...(matrix ? [this.#matrix(matrix)] : []),
		];
	}

	#interrupts(host, stat, longest)
	{
		const all = [...(stat.softirqs ?? []), ...(stat.irqs ?? []), ...(stat.vectors ?? [])];

		if (!all.length)
			return [];
		return [table('Interrupts and softirqs', ['Name',
			{ text: 'CPUs', title: 'CPUs on which they ran' }, { text: 'Count', number: true },
			{ text: 'Time', number: true }, { text: 'Max', number: true,
				title: 'the longest one, without interrupts within it' }],
		/* The maximum is over entries whose start and end were recorded. */
		all.map(({ name, cpus, count: n, time_ns: time, max_ns: most }, i) => [clean(name ?? 'other'),
			element('span', { title: cpus.map((of) => `CPU ${of.cpu}: ${count(of.count)}, ${
				short(of.time_ns)}${of.max_ns === null ? '' : `, max ${short(of.max_ns)}`}`)
				.join('\n') },
			listOf(cpus.map(({ cpu }) => cpu))),
			count(n), element('span', { title: exact(time) }, short(time)),
			most === null ? '–' : element('button', { type: 'button', className: 'link',
				title: `${exact(most)}; show it`,
				onclick: () => this.#go(host, longest[i]) }, short(most))]),
		{ 'data-testid': 'selection-interrupts' })];
	}

	/* Shows the longest interrupt or softirq; the selection and its tables stay. */
	#go(name, { cpu, begin, end })
	{
		const view = this.#view;
		const { cpus } = view.log.hosts.find((host) => host.name === name);

		view.active = String(cpus.find((one) => one.cpu === cpu).lane);
		view.jump(begin - (end - begin), end + (end - begin));
		view.changed(true);
	}

	/* The time of tasks by mode, without softirqs and interrupts. */
	#modes(modes)
	{
		if (!modes?.length)
			return [];
		return [table('User mode, system calls and exceptions', ['Name',
			{ text: 'Count', number: true, title: 'number of entries' },
			{ text: 'Time', number: true, title: 'time of tasks, without interrupts' }],
		modes.map(({ mode, vector, count: n, time_ns: time }) => [mode === 'exception' ?
			exceptionName(vector) : MODES[mode], count(n), short(time)]),
		{ 'data-testid': 'selection-modes' })];
	}

	/* Migrations from a CPU (row) to a CPU (column); the diagonal has the CPU's switches. */
	#matrix({ cpus, migrations, switches })
	{
		const most = Math.max(1, ...migrations.flat());
		const made = plainTable('Migrations from CPU (row) to CPU (column); switches on the diagonal',
			['', ...cpus.map((cpu) => ({ text: String(cpu), number: true }))],
			cpus.map((cpu, i) => [String(cpu), ...cpus.map((_, j) => {
				const value = i === j ? switches?.[i]?.[j] ?? switches?.[i] :
					migrations[i][j];

				return value ? count(value) : '·';
			})]), { className: 'matrix', 'data-testid': 'selection-matrix' });

		[...made.tBodies[0].rows].forEach((row, i) => [...row.cells].slice(1).forEach((cell, j) => {
			if (i === j)
				cell.classList.add('own');
			else
				cell.style.setProperty('--heat', String(migrations[i][j] / most));
		}));
		return element('div', { className: 'wide' }, made);
	}
}
