// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lets the user choose hosts, CPUs and counters.  Only chosen lanes are shown and requested.
 *
 * It changes the view's hosts, lanes and tracks.
 */
import { element } from '../base/element.js';
import { COUNTERS } from '../data/counters.js';
import { clean } from '../data/names.js';
import { listOf, setOf } from '../base/lists.js';

export class Chooser {
	#box;
	#view;
	#log;
	#tracks;

	/* @tracks: true if the source has counters */
	constructor(box, view, log, tracks)
	{
		this.#tracks = tracks;
		this.#box = box;
		this.#view = view;
		this.#log = log;
		view.addEventListener('rest', () => this.draw());
		this.draw();
	}

	#shownCpus(host)
	{
		return host.cpus.filter(({ lane }) => !this.#view.lanes || this.#view.lanes.has(lane))
			.map(({ cpu }) => cpu);
	}

	#setHosts(chosen)
	{
		this.#view.hosts = chosen.size === this.#log.hosts.length ? null : chosen;
		this.#view.changed();
		this.draw();
	}

	#toggle(i, on)
	{
		const chosen = new Set(this.#view.hosts ?? this.#log.hosts.keys());

		if (on)
			chosen.add(i);
		else
			chosen.delete(i);
		this.#setHosts(chosen);
	}

	#setCpus(host, input)
	{
		const cpus = setOf(input.value, 1 << 20);

		input.setCustomValidity(cpus ? '' : 'A list such as 0-3,6');
		input.reportValidity();
		if (!cpus)
			return;
		const lanes = new Set(this.#view.lanes ??
			this.#log.hosts.flatMap(({ cpus: all }) => all.map(({ lane }) => lane)));

		for (const { cpu, lane } of host.cpus) {
			if (!cpus.size || cpus.has(cpu))
				lanes.add(lane);
			else
				lanes.delete(lane);
		}
		this.#view.lanes = lanes.size === this.#log.lanes ? null : lanes;
		this.#view.changed();
		this.draw();
	}

	/* Check boxes for the counters that are shown as tracks, of hosts or of CPUs. */
	#counters()
	{
		const box = (label, checked, change, title = '') => element('label', { title },
			element('input', { type: 'checkbox', checked, 'aria-label': label,
				onchange: (event) => {
					change(event.target.checked);
					this.#view.changed();
				} }), label);

		return element('div', { className: 'counters', title: 'R' },
			element('h2', {}, 'Counters'),
			...Object.entries(COUNTERS).map(([name, { title, about }]) => box(title,
				this.#view.tracks.has(name), (on) => this.#view.setTrack(name, on), about)),
			box('Of each CPU', this.#view.perCpu, (on) => { this.#view.perCpu = on; }, 'E'));
	}

	draw()
	{
		const { hosts } = this.#log;

		if (this.#box.contains(document.activeElement) &&
		    document.activeElement.type === 'text')
			return;
		const focused = this.#box.contains(document.activeElement) ?
			document.activeElement.getAttribute('aria-label') : null;

		this.#box.replaceChildren(
			element('h2', {}, 'Hosts and CPUs'),
			element('div', { className: 'buttons' },
				element('button', { type: 'button',
					onclick: () => this.#setHosts(new Set(hosts.keys())) }, 'All hosts'),
				element('button', { type: 'button',
					onclick: () => this.#setHosts(new Set()) }, 'None')),
			element('ul', { className: hosts.length > 8 ? 'hosts many' : 'hosts' }, ...hosts.map((host, i) => element('li', {},
				element('label', {},
					element('input', { type: 'checkbox',
						checked: !this.#view.hosts || this.#view.hosts.has(i),
						'aria-label': `Show host ${clean(host.name)}`,
						onchange: (event) => this.#toggle(i, event.target.checked) }),
					clean(host.name)),
				element('input', { type: 'text', size: 8, value: listOf(this.#shownCpus(host)),
					'aria-label': `CPUs of ${clean(host.name)}`, title: 'CPUs, such as 0-3,6',
					onchange: (event) => this.#setCpus(host, event.target) })))));
		if (this.#tracks)
			this.#box.append(this.#counters());
		if (focused)
			[...this.#box.querySelectorAll('input')].find((input) =>
				input.getAttribute('aria-label') === focused)?.focus();
	}
}
