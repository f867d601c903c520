// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The profile of the selection: call paths over kernel and user mode as a flame graph and a table,
 * for all tasks, a task or a process.
 *
 * Stage: a part of the selection's panel, filled from /profile when the user opens it.
 */
import { element } from '../base/element.js';
import { clean } from '../data/names.js';
import { count, exact, percent, short } from '../data/times.js';

const NARROWEST = 0.002;	/* share of the width; narrower frames are not drawn */
const ROWS_MOST = 200;
const VECTORS = { 236: 'local timer', 246: 'irq work', 251: 'call function single',
	252: 'call function', 253: 'reschedule' };
const STATES = { user: 'user mode', kernel: 'kernel', idle: 'idle', unknown: 'not known',
	runqueue: 'waits for a CPU', preempted: 'preempted', interruptible: 'sleeps',
	uninterruptible: 'sleeps, uninterruptible', stopped: 'stopped' };
const COLUMNS = [
	{ key: 'name', text: 'Event' },
	{ key: 'count', text: 'Count', title: 'how often it ended' },
	{ key: 'inclusive', text: 'Incl.', title: 'inclusive: with the events nested in it' },
	{ key: 'exclusive', text: 'Excl.', title: 'exclusive: without the events nested in it' },
	{ key: 'largest', text: 'Max', title: 'the longest, inclusive' },
];

function label(kind, name)
{
	if (kind === 'state' || kind === 'wait')
		return STATES[name] ?? clean(name);
	if (kind === 'syscall' || kind === 'compat')
		return `${clean(name)}()`;
	if (kind === 'vector')
		return VECTORS[name] ?? `vector ${clean(name)}`;
	return kind === 'exception' ? clean(name) : `${kind} ${clean(name)}`;
}

/* The tree of all paths, under a common root. */
function treeOf(paths)
{
	const root = { name: 'all', kind: 'all', children: [], parent: null, count: 0,
		inclusive: 0, exclusive: 0, largest: 0 };
	const nodes = [];

	for (const [parent, kind, name, ...numbers] of paths) {
		const [n, inclusive, exclusive, largest] = numbers.map(Number);
		const above = parent === null ? root : nodes[parent];
		const node = { name: label(kind, name), kind, children: [], parent: above, count: n,
			inclusive, exclusive, largest };

		nodes.push(node);
		above.children.push(node);
		if (parent === null)
			root.inclusive += inclusive;
	}
	return root;
}

/* A row for each event, over all paths.  Nested equal events count inclusive time only once. */
function flatten(root)
{
	const rows = new Map();
	const walk = (node, open) => {
		const key = `${node.kind} ${node.name}`;
		const row = rows.get(key) ?? { name: node.name, kind: node.kind, count: 0,
			inclusive: 0, exclusive: 0, largest: 0 };

		rows.set(key, row);
		row.count += node.count;
		row.exclusive += node.exclusive;
		row.inclusive += open.has(key) ? 0 : node.inclusive;
		row.largest = Math.max(row.largest, node.largest);
		for (const child of node.children)
			walk(child, new Set(open).add(key));
	};

	for (const child of root.children)
		walk(child, new Set());
	return [...rows.values()].filter((row) => row.count || row.inclusive);
}

export class Profile {
	#box;
	#source;
	#view;
	#state = { open: false, sort: 'exclusive', descending: true, of: '' };
	#stop = null;
	#root = null;
	#top = null;
	#body;

	constructor(source, view)
	{
		this.#source = source;
		this.#view = view;
	}

	/* The panel's element for the current selection. */
	made()
	{
		this.#stop?.abort();
		this.#root = null;
		this.#body = element('div', {});
		this.#box = element('details', { className: 'profile', 'data-testid': 'profile',
			open: this.#state.open, ontoggle: () => {
				this.#state.open = this.#box.open;
				if (this.#box.open && !this.#root)
					this.#read();
			} }, element('summary', {}, 'Profile: call paths'), this.#body);
		return this.#box;
	}

	/* Opens the profile of a task.  @of: the server's parameter, such as task=t0.17 */
	choose(of)
	{
		this.#state.of = of;
		this.#state.open = true;
		this.#root = null;
		if (!this.#box?.isConnected)
			return;
		if (this.#box.open)
			this.#read();
		else
			this.#box.open = true;
	}

	async #read()
	{
		const { selection, lanes, hosts, log } = this.#view;
		const shown = log.hosts.flatMap((host, i) => host.cpus.filter(({ lane }) =>
			this.#view.shows(i, lane)).map(({ lane }) => lane));
		/* An answer to the previous request must not replace the answer to this one. */
		this.#stop?.abort();
		const stop = this.#stop = new AbortController();
		const [what, of] = this.#state.of.split('=');

		this.#body.replaceChildren(element('p', { role: 'status' }, 'Reading…'));
		try {
			const answer = await this.#source.profile(selection.from, selection.to,
				of ? { [what]: of } : lanes || hosts ? { lanes: shown.join(',') } : {},
				stop.signal);

			this.#root = this.#top = treeOf(answer.paths);
			this.#show(answer);
		} catch (error) {
			if (error.name !== 'AbortError')
				this.#body.replaceChildren(element('p',
					{ className: 'warning', role: 'alert' }, error.message));
		}
	}

	#show(answer)
	{
		const lost = Number(answer.lost_ns);

		this.#body.replaceChildren(
			element('label', {}, 'Of ', this.#chooser(answer)),
			...(lost ? [element('p', { className: 'lost' },
				`${short(lost)} of CPU time is unknown.`)] : []),
			element('div', { className: 'flame', role: 'tree', 'data-testid': 'flame',
				'aria-label': 'Flame graph: width is inclusive time' }),
			element('div', { className: 'wide', 'data-testid': 'profile-table' }));
		this.#flame();
		this.#table();
	}

	/* The values of the options are the server's parameters: task=t0.17, process=t0.17. */
	#chooser({ tasks, processes })
	{
		const { hosts } = this.#view.log;
		const where = (host) => hosts.length > 1 ? ` (${clean(hosts[host].name)})` : '';
		const option = (value, text) => element('option',
			{ value, selected: value === this.#state.of }, text);
		const group = (text, options) => options.length ?
			[element('optgroup', { label: text }, ...options)] : [];
		const made = element('select', { 'data-testid': 'profile-task', onchange: () => {
			this.#state.of = made.value;
			this.#root = null;
			this.#read();
		} }, option('', 'all tasks, without waits'),
		...group('Processes', processes.map(({ task, host, tgid, threads, cpu_ns: ns }) =>
			option(`process=t${host}.${task.id}`, `${clean(task.comm)} ${tgid}${
				where(host)}, ${count(threads)} threads: ${short(Number(ns))}`))),
		...group('Tasks', tasks.filter(({ task }) => task).map(({ task, host, cpu_ns: ns }) =>
			option(`task=t${host}.${task.id}`, `${clean(task.comm)} ${task.pid}${
				where(host)}: ${short(Number(ns))}`))));

		if (this.#state.of && made.value !== this.#state.of) {
			/* The chosen task or process is not among the busiest in the answer. */
			made.append(option(this.#state.of, this.#state.of.startsWith('process') ?
				'the process chosen before' : 'the task chosen before'));
		}
		return made;
	}

	/* Draws the frames from the outermost on, without those that are too narrow. */
	#flame()
	{
		const box = this.#box.querySelector('.flame');
		const rows = [];
		const all = this.#top.inclusive || 1;
		const put = (node, depth, left) => {
			const width = node.inclusive / all;
			let at = left;

			if (width < NARROWEST)
				return;
			(rows[depth] ??= []).push({ node, left, width });
			for (const child of [...node.children].sort((a, b) => b.inclusive - a.inclusive)) {
				put(child, depth + 1, at);
				at += child.inclusive / all;
			}
		};

		put(this.#top, 0, 0);
		box.replaceChildren(...rows.map((row) => element('div', { className: 'flame-row' },
			...row.map(({ node, left, width }) => element('button', {
				type: 'button', role: 'treeitem', className: `flame-${node.kind}`,
				style: `left:${left * 100}%;width:${width * 100}%`,
				title: `${this.#path(node)}\n${exact(node.inclusive)} inclusive, ${
					percent(node.inclusive / (this.#root.inclusive || 1))}\n${
					exact(node.exclusive)} exclusive${node.count ?
					`\n${count(node.count)} times, at most ${exact(node.largest)}` : ''}`,
				onclick: () => {
					/* A click zooms in; on the top frame, it zooms out. */
					this.#top = node === this.#top ? node.parent ?? node : node;
					this.#flame();
				},
			}, node.name)))));
	}

	#path(node)
	{
		return node.parent ? `${node.parent.parent ? `${this.#path(node.parent)} › ` : ''}${
			node.name}` : node.name;
	}

	#table()
	{
		const { sort, descending } = this.#state;
		const rows = flatten(this.#root).sort((a, b) => (descending ? -1 : 1) *
			(sort === 'name' ? -a.name.localeCompare(b.name) : a[sort] - b[sort]));
		const head = ({ key, text, title }) => element('th', { scope: 'col',
			className: key === 'name' ? '' : 'number', title,
			'aria-sort': key !== sort ? 'none' : descending ? 'descending' : 'ascending' },
		element('button', { type: 'button', className: 'link', onclick: () => {
			this.#state.descending = key === sort ? !descending : true;
			this.#state.sort = key;
			this.#table();
		} }, text));
		const time = (ns) => element('td', { className: 'number', title: exact(ns) }, short(ns));

		this.#box.querySelector('[data-testid="profile-table"]').replaceChildren(
			element('table', { className: 'tight' },
				element('caption', {}, 'Sums of events, in all paths'),
				element('thead', {}, element('tr', {}, ...COLUMNS.map(head))),
				element('tbody', {}, ...rows.slice(0, ROWS_MOST).map((row) => element('tr', {},
					element('td', {}, row.name),
					element('td', { className: 'number' }, count(row.count)),
					time(row.inclusive), time(row.exclusive), time(row.largest))))));
	}
}
