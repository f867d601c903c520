// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of the interruptions in a bar: the longest first, each with its parts.
 */
import { element } from '../base/element.js';
import { clean } from '../data/names.js';
import { count, percent, seconds, short } from '../data/times.js';

export const LIST_LIMIT = 100;

/* Families whose parts have the pid of a task. */
const TASKS = ['user task', 'kernel thread'];

const SERIES_LABELS = { user: 'samples', interruption: 'interruptions', part: 'tasks and interrupts' };

export function micro(ns)
{
	return (ns / 1000).toLocaleString('en-US', { minimumFractionDigits: 3,
		maximumFractionDigits: 3 });
}

/* Groups parts of tasks by pid, other parts by source, in the order of their first start. */
function groupsOf(parts, sources, families)
{
	const groups = new Map();

	parts.forEach((part, i) => {
		const source = sources[part.source];
		const task = TASKS.includes(families[source?.family]);
		const key = task ? `${part.source} ${part.pid}` : `${part.source}`;
		const group = groups.get(key);

		if (group) {
			group.ns += part.own_ns;
			group.parts.push(i);
		} else {
			groups.set(key, { name: clean(source?.name ?? '?'), pid: task ? part.pid : null,
				ns: part.own_ns, parts: [i] });
		}
	});
	return [...groups.values()];
}

/* "timer interrupt 2.310 + page fault 8.840 (76 times)" */
function makeUp(parts, total, { sources, families }, pointed)
{
	const shown = groupsOf(parts, sources, families).flatMap(({ name, pid, ns, parts: own }, i) => {
		const text = `${name}${pid === null ? '' : `-${pid}`} ${micro(ns)}${
			own.length > 1 ? ` (${count(own.length)} times)` : ''}`;

		return [i ? ' + ' : null, own.includes(pointed) ? element('strong', {}, text) : text];
	});

	if (total > parts.length)
		shown.push(` + ${count(total - parts.length)} more`);
	return element('span', {}, ...shown);
}

function row(item, series, table, go)
{
	const [first] = item.interruptions;
	const { sample } = item;
	const at = first ?? sample;
	const kernel = item.interruptions.reduce((sum, { ns }) => sum + ns, 0);
	const numbers = [String(item.cpu), ...(series === 'part' ? [micro(item.ns)] : []),
		sample ? micro(sample.noise_ns) : '–', item.interruptions.length ? micro(kernel) : '–',
		sample ? micro(sample.crossing_ns) : '–', sample ? micro(sample.residual_ns) : '–'];

	return element('tr', {},
		element('td', { className: 'number' }, element('button', { type: 'button',
			className: 'link', disabled: item.lane === null,
			title: item.lane === null ? 'Its CPU is not shown' : 'Show on the timeline',
			onclick: () => go(item) }, seconds(at.begin))),
		...numbers.map((text) => element('td', { className: 'number' }, text)),
		element('td', { className: 'wide' }, ...item.interruptions.flatMap((one, i) =>
			[i ? element('br') : null, makeUp(one.parts, one.parts_in_all, table, item.part)]),
		item.interruptions.length ? null : element('em', {}, 'no interruption in the log')));
}

/* The columns of the list.  Only a list of parts has a column for the part's own time. */
function headsOf(series)
{
	return [
		['Time', 'since the start of the run; click to show it on the timeline'],
		['CPU', ''],
		...(series === 'part' ? [['Part µs', 'own time of the task or interrupt in bold']] : []),
		['User µs', 'noise of the sample'],
		['Kernel µs', 'length of the interruption in the log'],
		['Crossing µs', 'calibrated cost of leaving and entering user mode'],
		['Residual µs', 'user minus kernel minus crossing'],
		['Parts', 'own time of each part, µs, in the order of their start'],
	];
}

/* @counts: counts in the bar, by name of the series; null if unknown */
export function listBox({ answer, bar, counts, table, go, choose, close })
{
	const heads = headsOf(bar.series);
	const shown = answer.items.length;
	const summary = answer.found > shown ?
		`The ${count(shown)} longest of ${count(answer.found)}` : `All ${count(answer.found)}`;

	return [
		element('div', { className: 'jitter-listhead' },
			element('h2', {}, `${micro(bar.from)} to ${micro(bar.to)} µs`),
			...Object.entries(SERIES_LABELS).map(([series, label]) => element('button', {
				type: 'button', 'aria-pressed': String(series === bar.series),
				onclick: () => choose(series) },
			`${label}${counts ? `: ${count(counts[series])}` : ''}`)),
			element('span', { className: 'faint' }, summary),
			element('span', { className: 'grow' }),
			element('button', { type: 'button', className: 'close', 'aria-label': 'Close the list',
				onclick: close }, '×')),
		element('div', { className: 'jitter-rows' }, element('table', {},
			element('thead', {}, element('tr', {}, ...heads.map(([text, title], i) =>
				element('th', { scope: 'col', title,
					className: i < heads.length - 1 ? 'number' : '' }, text)))),
			element('tbody', {}, ...answer.items.map((item) => row(item, bar.series, table, go))))),
	];
}

/* The list for a spectrum: frequencies, their sources, and how regular these are. */
export function peaksBox(answer, nameOf)
{
	const heads = ['Frequency (Hz)', 'Period', 'Regularity', 'Multiples', 'Source'];
	const digits = Math.min(Math.max(Math.ceil(-Math.log10(answer.resolution_hz || 1)) + 1, 0), 6);

	return [
		element('div', { className: 'jitter-listhead' }, element('h2', {}, 'Frequencies'),
			element('span', { className: 'faint' },
				`peaks of sources; two closer than ${
					Number(answer.resolution_hz.toPrecision(2))} Hz are one`)),
		element('div', { className: 'jitter-rows' }, element('table', {},
			element('thead', {}, element('tr', {}, ...heads.map((text, i) =>
				element('th', { scope: 'col', className: i < 4 ? 'number' : '' }, text)))),
			element('tbody', {}, ...answer.peaks.map((peak) => element('tr', {},
				...[peak.hz.toFixed(digits), short(1e9 / peak.hz), percent(peak.regularity),
					count(peak.multiples)].map((text) =>
					element('td', { className: 'number' }, text)),
				element('td', { className: 'wide' }, nameOf(peak.source))))))),
	];
}
