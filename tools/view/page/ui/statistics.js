// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * General statistics of the whole run, in the panel that is shown first.
 */
import { element, table } from '../base/element.js';
import { KIND_STYLES } from '../draw/colours.js';
import { clean } from '../data/names.js';
import { count, percent, seconds, short, wall } from '../data/times.js';

const TOP = 12;

export function statistics(box, log, { names, pin })
{
	const several = log.hosts.length > 1;
	const cpus = log.hosts.flatMap((host) => host.cpus);
	const sum = (list, key) => list.reduce((total, one) => total + Number(one[key] ?? 0), 0);
	const lost = sum(log.hosts, 'lost'), gaps = sum(log.hosts, 'gaps');
	const span = (list) => list.reduce((total, { begin, end }) => total + end - begin, 0) || 1;
	const kinds = log.kinds.map((kind, i) => [KIND_STYLES[kind]?.label ?? clean(kind),
		cpus.reduce((total, { counts }) => total + Number(counts?.[i] ?? 0), 0)])
		.filter(([, n]) => n);
	const facts = [
		['Begins', wall(log.base_real_ns, 0)],
		['Lasts', `${seconds(log.end)}`],
		['Hosts, CPUs', `${log.hosts.length}, ${cpus.length}`],
		['Events', count(sum(log.hosts, 'events'))],
		['Lost', lost || gaps ? `${count(lost)} in ${count(gaps)} ${gaps === 1 ? 'gap' : 'gaps'}` : 'none'],
		['Tasks', count(sum(log.hosts, 'tasks'))],
	];

	box.replaceChildren(
		element('h2', {}, 'This run'),
		element('dl', { className: 'facts' }, ...facts.flatMap(([name, value]) =>
			[element('dt', {}, name), element('dd',
				{ className: name === 'Lost' && (lost || gaps) ? 'lost' : '' }, value)])),
		element('div', { className: log.hosts.length > 8 ? 'many' : '' }, table('Hosts', ['Host', { text: 'Busy', number: true }, { text: 'irq', number: true },
			{ text: 'softirq', number: true }, { text: 'Lost', number: true },
			{ text: 'Clock', number: true, title: 'clock error at this time' }],
		log.hosts.map((host) => [
			element('span', { title: `${clean(host.run_name ?? '')} kernel ${clean(
				host.kernel)}${host.complete === false ? '; incomplete' : ''}` },
			`${clean(host.name)}${host.complete === false ? ' (incomplete)' : ''}`),
			host.cpus.some((cpu) => cpu.busy_ns === null) ? '–' :
				percent(sum(host.cpus, 'busy_ns') / span(host.cpus)),
			percent(sum(host.cpus, 'irq_ns') / span(host.cpus)),
			percent(sum(host.cpus, 'softirq_ns') / span(host.cpus)),
			count(host.lost ?? 0),
			element('span', { title: `by ${clean(host.method)}` },
				host.bound_ns === null || host.bound_ns === undefined ? clean(host.method) :
					`±${short(host.bound_ns)}`)]))),
		table('Busiest tasks', ['Task', ...(several ? ['Host'] : []), { text: 'Ran', number: true },
			{ text: 'Switches', number: true }],
		(log.top ?? []).filter(({ id }) => id !== 0).slice(0, TOP).map((task) => [
			element('button', { type: 'button', className: 'link', title: 'A lane for it',
				onclick: () => pin(task) }, names.label(task.host, task.id)),
			...(several ? [clean(log.hosts[task.host].name)] : []),
			short(Number(task.run_ns)), count(task.switches)])),
		table('Events', ['Kind', { text: 'Count', number: true }],
			kinds.map(([label, n]) => [label, count(n)])));
}
