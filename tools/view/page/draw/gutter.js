// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The names next to the lanes: hosts, which the user can collapse, CPUs, and pinned tasks.
 *
 * Stage: makes document elements for visible rows only, so the cost does not depend on the
 * number of CPUs.
 */
import { element } from '../base/element.js';
import { COUNTERS } from '../data/counters.js';
import { count, shareOf, short } from '../data/times.js';
import { clean } from '../data/names.js';
import { css } from './colours.js';

export class Gutter {
	#box;
	#made = new Map();
	#profile;

	/* @profile(host, id): shows the profile of a task; null if there are no profiles */
	constructor(box, profile)
	{
		this.#box = box;
		this.#profile = profile;
	}

	update({ view, rows, colours, names, log })
	{
		const wanted = new Map();

		for (const row of [...rows.visible(), ...rows.pinned])
			wanted.set(row.key, row);
		for (const [key, made] of this.#made)
			if (!wanted.has(key)) {
				made.node.remove();
				this.#made.delete(key);
			}
		for (const row of wanted.values()) {
			const state = this.#state(row, view, colours, names, log);
			let made = this.#made.get(row.key);

			if (!made || made.state !== state) {
				const focused = made?.node.contains(document.activeElement);
				const node = this.#make(row, view, colours, names, log);

				if (made)
					made.node.replaceWith(node);
				else
					this.#box.append(node);
				made = { node, state };
				this.#made.set(row.key, made);
				if (focused)
					node.querySelector('button')?.focus();
			}
			const top = rows.top(row);

			if (made.top !== top)
				made.node.style.transform = `translateY(${made.top = top}px)`;
			if (made.h !== row.h)
				made.node.style.height = `${made.h = row.h}px`;
		}
	}

	#state(row, view, colours, names, log)
	{
		if (row.type === 'host')
			return `${row.collapsed} ${row.hidden}`;
		if (row.type === 'track')
			return '';
		if (row.type === 'task')
			return `${colours.version} ${names.label(row.host, row.id)} ${view.active === row.key}`;
		return `${view.active === row.key}`;
	}

	#make(row, view, colours, names, log)
	{
		if (row.type === 'host')
			return this.#host(row, view, log);
		if (row.type === 'track')
			return this.#track(row, log);
		return row.type === 'task' ? this.#task(row, view, colours, names, log) :
			this.#cpu(row, view);
	}

	#host(row, view, log)
	{
		const host = log.hosts[row.host];
		const name = clean(host.name);
		const bound = log.hosts.length < 2 || host.bound_ns === null ||
			host.bound_ns === undefined ? '' :
			` ±${short(host.bound_ns)}`;
		const hidden = row.hidden ? `${count(row.hidden)} ${row.hidden === 1 ? 'CPU' : 'CPUs'} hidden` : '';

		return element('div', { className: 'row host' },
			element('button', {
				type: 'button', 'aria-expanded': String(!row.collapsed),
				title: `${name}, kernel ${clean(host.kernel)}; clock: ${clean(host.method)}${bound}${
					hidden ? `; ${hidden}` : ''}`,
				'data-testid': `host-${row.host}`,
				onclick: () => {
					const collapsed = new Set(view.collapsed);

					if (!collapsed.delete(row.host))
						collapsed.add(row.host);
					view.collapsed = collapsed;
					view.changed();
				},
			}, `${row.collapsed ? '▸' : '▾'} ${name}`),
			element('span', { className: 'faint' }, bound));
	}

	#track(row, log)
	{
		const { title, about } = COUNTERS[row.counter];
		const cpu = row.lane === null ? '' : `, CPU ${row.cpu}`;

		return element('div', { className: 'row track',
			'data-testid': `track-${row.host}-${row.counter}${row.lane === null ? '' : `-${row.lane}`}`,
			title: `${title} ${about}: ${clean(log.hosts[row.host].name)}${cpu}` },
			element('span', {}, row.counter));
	}

	#cpu(row, view)
	{
		const { info } = row;
		const lost = info.lost || info.gaps;
		const span = info.end - info.begin;

		return element('div', { className: `row lane${view.active === row.key ? ' active' : ''}` },
			element('button', {
				type: 'button', 'aria-pressed': String(view.active === row.key),
				'data-testid': `lane-${row.lane}`,
				title: `CPU ${row.cpu}: ${count(info.events)} events, busy ${shareOf(
					info.busy_ns, span)}${lost ? `, ${count(info.lost)} lost in ${
					count(info.gaps)} gaps` : ''}`,
				onclick: () => {
					view.active = view.active === row.key ? null : row.key;
					view.changed();
				},
			}, `CPU ${row.cpu}`),
			lost ? element('span', { className: 'lost' }, `${count(info.lost)} lost`) :
				element('span', { className: 'faint' }, shareOf(info.busy_ns, span)));
	}

	#task(row, view, colours, names, log)
	{
		const label = names.label(row.host, row.id);
		const swatch = element('span', { className: 'swatch' });

		swatch.style.background = css(colours.task(row.host, row.id));
		return element('div', { className: `row lane task${view.active === row.key ?
			' active' : ''}` },
			swatch,
			element('button', {
				type: 'button', 'aria-pressed': String(view.active === row.key),
				title: `${label} on ${clean(log.hosts[row.host].name)}, wherever it ran`,
				'data-testid': `task-${row.host}.${row.id}`,
				onclick: () => {
					view.active = view.active === row.key ? null : row.key;
					view.changed();
				},
			}, label),
			...(this.#profile ? [element('button', {
				type: 'button', className: 'close', 'aria-label': `Profile of ${label}`,
				title: 'Its profile, of the selection or of the visible time',
				'data-testid': `profile-of-${row.host}.${row.id}`,
				onclick: () => this.#profile(row.host, row.id),
			}, '≡')] : []),
			element('button', {
				type: 'button', className: 'close', 'aria-label': `Unpin ${label}`,
				title: 'Unpin', onclick: () => view.unpin(row.host, row.id),
			}, '×'));
	}
}
