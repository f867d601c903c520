// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The legend: explains colours, and lets the user change them and choose what is shown.
 *
 * Stage: a panel that changes colours and the view's kinds, arrows and filter.
 */
import { colourInput, element } from '../base/element.js';
import { clean } from '../data/names.js';
import { ARROW_STYLES, KIND_STYLES, STATE_LABELS, hex } from './colours.js';

const TASKS_MOST = 40;
const EVENTS_MOST = 40;

/* In a log of one tree, a CPU that runs no task of the tree is not always idle. */
const idleLabel = (log, idle) => !log.hosts.some(({ tree }) => tree) ? idle :
	log.hosts.every(({ tree }) => tree) ? 'Outside the tree' : `${idle}, or outside the tree`;

export class Legend {
	#panel;
	#page;
	#shown = '';

	constructor(panel, page)
	{
		this.#panel = panel;
		this.#page = page;
		this.#filter = element('input', { type: 'search', placeholder: 'name or pid',
			'aria-label': 'Show only tasks with', value: page.view.filter,
			oninput: (event) => {
				page.view.filter = event.target.value;
				page.view.changed();
			} });
	}

	#filter;

	/*
	 * @tasks: visible tasks, { host, id }, those with the most pixels first
	 * @events: visible registered events, { name, id, count }
	 */
	draw(tasks, events)
	{
		const { colours, view, log, names } = this.#page;
		const shown = JSON.stringify([colours.version, view.kinds, [...view.arrows],
			[...view.without], events, tasks.map(({ host, id }) => [host, id])]);

		if (shown === this.#shown)
			return;
		if (this.#panel.querySelector('input[type=color]:focus, select:focus'))
			return;
		this.#shown = shown;
		if (document.activeElement !== this.#filter)
			this.#filter.value = view.filter;
		const focused = document.activeElement?.getAttribute?.('aria-label');
		const within = this.#panel.contains(document.activeElement);
		const stay = document.activeElement === this.#filter;

		this.#panel.replaceChildren(
			element('h2', {}, 'Legend'),
			element('ul', { className: 'legend' }, ...Object.entries(STATE_LABELS).map(
				([name, label]) => element('li', {}, colourInput(label, colours.state(name),
					(colour) => colours.setState(name, colour)),
				name === 'idle' ? idleLabel(log, label) : label))),
			element('h3', {}, 'Events'),
			element('ul', { className: 'legend' }, ...log.kinds.map((kind, i) => this.#kind(kind, i))
				.sort((a, b) => a.dataset.rest - b.dataset.rest)),
			...this.#events(events),
			element('h3', {}, 'Arrows'),
			element('ul', { className: 'legend' }, ...Object.entries(ARROW_STYLES).map(
				([kind, style]) => this.#arrow(kind, style))),
			element('h3', {}, 'Visible tasks'),
			element('label', { className: 'field' }, 'Only with ', this.#filter),
			element('ul', { className: 'legend tasks' }, ...tasks.slice(0, TASKS_MOST).map(
				({ host, id }) => element('li', {},
					colourInput(names.label(host, id), hex(colours.task(host, id)),
						(colour) => colours.setTask(host, id, colour)),
					element('button', { type: 'button', className: 'link',
						title: 'Add a lane', onclick: () => {
							const task = names.get(host, id);

							if (task)
								view.pin(host, task);
						} },
					names.label(host, id)),
					...(log.hosts.length > 1 ? [element('span', { className: 'faint' },
						clean(log.hosts[host].name))] : [])))),
			element('h3', {}, 'Colours'),
			this.#select('Palette', colours.palettes.map(({ name, label }) => [name, label]),
				colours.palette, (name) => { colours.palette = name; }),
			this.#select('One colour per', [['task', 'task'], ['name', 'task name']],
				colours.by, (by) => { colours.by = by; }),
			this.#select('Theme', [['auto', 'as the system'], ['dark', 'dark'],
				['light', 'light']], colours.theme, (theme) => { colours.theme = theme; }),
			...(colours.edited ? [element('button', { type: 'button',
				onclick: () => colours.reset() }, 'Reset colours')] : []));
		if (stay)
			this.#filter.focus();
		else if (within && focused)
			[...this.#panel.querySelectorAll('[aria-label]')].find((one) =>
				one.getAttribute('aria-label') === focused)?.focus();
	}

	#kind(kind, i)
	{
		const { colours, view } = this.#page;
		const { label, length } = KIND_STYLES[kind] ?? { label: kind, length: 0.4 };
		const tick = element('span', { className: 'tick' });

		tick.style.background = colours.kind(kind);
		tick.style.height = `${Math.max(Math.round(length * 14), 2)}px`;
		return element('li', { 'data-rest': Number(kind === 'other') },
			element('label', {},
				element('input', { type: 'checkbox', checked: Boolean(view.kinds & 1 << i),
					'aria-label': `Show: ${label}`, 'data-testid': `kind-${kind}`,
					onchange: (event) => {
						view.kinds = event.target.checked ? view.kinds | 1 << i :
							view.kinds & ~(1 << i);
						view.changed();
					} }),
				element('span', { className: 'tickbox' }, tick), label),
			colourInput(label, colours.kind(kind), (colour) => colours.setKind(kind, colour)));
	}

	/* Visible registered events, and all hidden events, which the user can show again here. */
	#events(events)
	{
		const { view } = this.#page;
		const hidden = [...view.without].filter((name) => !events.some((event) => event.name === name))
			.map((name) => ({ name, id: 0, count: 0 }));
		const shown = [...events.slice(0, EVENTS_MOST), ...hidden];
		const rest = events.length - Math.min(events.length, EVENTS_MOST);

		return shown.length ? [element('h3', {}, 'Visible own events and probes'),
			element('ul', { className: 'legend' }, ...shown.map((event) => this.#event(event)),
				...(rest ? [element('li', { className: 'faint' }, `and ${rest} more`)] : []))] : [];
	}

	#event({ name, id, count })
	{
		const { colours, view } = this.#page;
		const label = clean(name);
		const tick = element('span', { className: 'tick' });

		tick.style.background = colours.event(name, id);
		tick.style.height = '14px';
		return element('li', {}, element('label', {},
			element('input', { type: 'checkbox', checked: !view.without.has(name),
				'aria-label': `Show: ${label}`, 'data-testid': `event-${label}`,
				onchange: (event) => {
					if (event.target.checked)
						view.without.delete(name);
					else
						view.without.add(name);
					view.changed();
				} }),
			element('span', { className: 'tickbox' }, tick), label,
			element('span', { className: 'faint' }, ` ${count}`)),
		colourInput(label, colours.event(name, id), (colour) => colours.setEvent(name, colour)));
	}

	#arrow(kind, { label, colour, light })
	{
		const { colours, view } = this.#page;
		const line = element('span', { className: `arrow ${kind}` });

		line.style.color = colours.light ? light : colour;
		return element('li', {}, element('label', {},
			element('input', { type: 'checkbox', checked: view.arrows.has(kind),
				'aria-label': `Arrows: ${label}`, 'data-testid': `arrows-${kind}`,
				onchange: (event) => {
					if (event.target.checked)
						view.arrows.add(kind);
					else
						view.arrows.delete(kind);
					view.changed();
				} }), line, label));
	}

	#select(label, options, value, change)
	{
		return element('label', { className: 'field' }, `${label} `,
			element('select', { onchange: (event) => {
				event.target.blur();
				change(event.target.value);
			} }, ...options.map(([name, text]) => element('option',
				{ value: name, selected: name === value }, text))));
	}
}
