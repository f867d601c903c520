// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sources of the jitter and the measured CPUs, with check boxes to choose them.
 */
import { element } from '../base/element.js';
import { micro } from './list.js';
import { clean } from '../data/names.js';
import { count, percent, short } from '../data/times.js';

/* Adds a number to the chosen numbers, or removes it; null: all are chosen. */
function toggled(chosen, all, number, on)
{
	const set = new Set(chosen ?? all);

	if (on)
		set.add(number);
	else
		set.delete(number);
	return set.size === all.length ? null : set;
}

function box(label, checked, change)
{
	return element('input', { type: 'checkbox', checked, 'aria-label': label,
		onchange: (event) => change(event.target.checked) });
}

export function cpuBoxes(threads, chosen, choose)
{
	const all = threads.map(({ cpu }) => cpu);

	return all.length < 2 ? [] : all.map((cpu) => element('label', {},
		box(`CPU ${cpu}`, !chosen || chosen.has(cpu), (on) =>
			choose(toggled(chosen, all, cpu, on))), `CPU ${cpu}`));
}

function title(source, families)
{
	return `${clean(families[source.family])}${source.inferred ? ', inferred' : ''}${
		source.period_ns ? `; every ${short(source.period_ns)}` : ''}`;
}

export function sourceTable({ sources, families }, chosen, choose)
{
	const all = [...sources.keys()];
	const total = sources.reduce((sum, { total_ns: ns }) => sum + ns, 0) || 1;
	const head = (text, about) => element('th', { scope: 'col', className: 'number',
		title: about }, text);
	const row = (source, i) => {
		const name = clean(source.name);
		const numbers = [count(source.count), source.count ?
			micro(source.total_ns / Number(source.count)) : '–', micro(source.max_ns),
		percent(source.total_ns / total)];

		return element('tr', { className: source.inferred ? 'faint' : '' },
			element('td', {}, box(name, !chosen || chosen.has(i), (on) =>
				choose(toggled(chosen, all, i, on)))),
			element('td', { title: title(source, families) }, element('button', {
				type: 'button', className: 'link', title: 'Only this',
				onclick: () => choose(new Set([i])) },
			`${source.inferred ? '~ ' : ''}${name}`)),
			...numbers.map((text) => element('td', { className: 'number' }, text)));
	};

	return element('table', {},
		element('thead', {}, element('tr', {},
			element('th', { scope: 'col' }, box('All sources', !chosen, (on) =>
				choose(on ? null : new Set()))),
			element('th', { scope: 'col' }, 'Source'),
			head('Count', 'parts: stays in an interruption'), head('Mean µs', ''),
			head('Max', 'µs'), head('Share', 'of all interruptions'))),
		element('tbody', {}, ...sources.map(row)));
}
