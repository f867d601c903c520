// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The interruptions behind a bar: the longest first, each with what it is made of.
 *
 * Stage: a part of the jitter view, drawn from what /jitter.json?kind=list answers.
 */
import { element } from './element.js';
import { clean } from './names.js';
import { count, percent, seconds, short } from './times.js';

export const LIST_LIMIT = 100;

const SERIES_LABELS = { user: 'samples', interruption: 'interruptions', part: 'tasks and interrupts' };

export function micro(ns)
{
	return (ns / 1000).toLocaleString('en-US', { minimumFractionDigits: 3,
		maximumFractionDigits: 3 });
}

/* "timer interrupt 2.310 + softirq TIMER 0.840" */
function makeUp(parts, total, sources, pointed)
{
	const shown = parts.flatMap((part, i) => {
		const text = `${clean(sources[part.source]?.name ?? '?')} ${micro(part.own_ns)}`;

		return [i ? ' + ' : null, i === pointed ? element('strong', {}, text) : text];
	});

	if (total > parts.length)
		shown.push(` + ${count(total - parts.length)} more`);
	return element('span', {}, ...shown);
}

function row(item, sources, go)
{
	const [first] = item.interruptions;
	const at = first ?? item.sample;
	const residual = item.sample ? micro(item.sample.residual_ns) : '–';
	const kernel = item.interruptions.reduce((sum, { ns }) => sum + ns, 0);

	return element('tr', {},
		element('td', { className: 'number' }, element('button', { type: 'button',
			className: 'link', disabled: item.lane === null,
			title: item.lane === null ? 'Its CPU is not shown' : 'Show it on the time line',
			onclick: () => go(item) }, seconds(at.begin))),
		element('td', { className: 'number' }, String(item.cpu)),
		element('td', { className: 'number' }, micro(item.ns)),
		element('td', { className: 'number' }, item.sample ? micro(item.sample.noise_ns) : '–'),
		element('td', { className: 'number' }, item.interruptions.length ? micro(kernel) : '–'),
		element('td', { className: 'number' }, residual),
		element('td', { className: 'wide' }, ...item.interruptions.flatMap((one, i) =>
			[i ? element('br') : null, makeUp(one.parts, one.parts_in_all, sources,
				item.part)]),
		item.interruptions.length ? null : element('em', {}, 'nothing in the log')));
}

const HEADS = [
	['Time', 'since the run began; press it to see it on the time line'],
	['CPU', ''], ['µs', 'by which it is in this bar'],
	['User', 'what the program saw beyond an undisturbed round'],
	['Kernel', 'from leaving user mode to entering it, in the log'],
	['Residual', 'user, less kernel, less the calibrated crossings'],
	['Made of', 'own time of each, µs, in the order of their begins'],
];

/* @counts: of each series in the bar, by name, where they are known */
export function listBox({ answer, bar, counts, sources, go, choose, close })
{
	const shown = answer.items.length;
	const said = answer.found > shown ?
		`The ${count(shown)} longest of ${count(answer.found)}` : `All ${count(answer.found)}`;

	return [
		element('div', { className: 'jitter-listhead' },
			element('h2', {}, `${micro(bar.from)} to ${micro(bar.to)} µs`),
			...Object.entries(SERIES_LABELS).map(([series, label]) => element('button', {
				type: 'button', 'aria-pressed': String(series === bar.series),
				onclick: () => choose(series) },
			`${label}${counts ? `: ${count(counts[series])}` : ''}`)),
			element('span', { className: 'faint' }, said),
			element('span', { className: 'grow' }),
			element('button', { type: 'button', className: 'close', 'aria-label': 'Close the list',
				onclick: close }, '×')),
		element('div', { className: 'jitter-rows' }, element('table', {},
			element('thead', {}, element('tr', {}, ...HEADS.map(([text, title], i) =>
				element('th', { scope: 'col', title,
					className: i < HEADS.length - 1 ? 'number' : '' }, text)))),
			element('tbody', {}, ...answer.items.map((item) => row(item, sources, go))))),
	];
}

/* Of a spectrum: which source keeps to which frequency, and how well. */
export function peaksBox(answer, nameOf)
{
	const heads = ['Frequency (Hz)', 'Period', 'Keeps to it', 'Multiples', 'Source'];
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
