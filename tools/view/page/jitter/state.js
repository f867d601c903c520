// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state of the jitter view, and its text in the page's address.
 *
 * It draws nothing.
 */
import { listOf, setOf } from '../base/lists.js';
import { hostOf, hostText } from '../data/link.js';

export const KINDS = ['histogram', 'density', 'spectrum'];
export const SERIES = ['user', 'interruption', 'part'];

const LIMIT = 1e15;

function range(text)
{
	const match = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text ?? '');

	if (!match)
		return null;
	const [from, to] = [Number(match[1]), Number(match[2])];

	return to > from && to < LIMIT ? { from, to } : null;
}

const decimal = (number) => Number(number.toFixed(3));

/*
 * { host, kind, range: { from, to } | null, linear, sources: Set | null, cpus: Set | null,
 * bar: { series, from, to } | null }, from any text.  host: number of a host in @log
 */
export function stateOf(words, log)
{
	const given = new Map((words ?? '').split(';').map((word) => {
		const at = word.indexOf(':');

		return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
	}));
	const kind = KINDS.find((one) => given.has(one)) ?? KINDS[0];
	const bar = /^(\w+),(.*)$/.exec(given.get('bar') ?? '');
	const barRange = range(bar?.[2]);

	return {
		host: Math.max(hostOf(log, given.get('host') ?? ''), 0),
		kind,
		range: range(given.get('range')),
		linear: given.has('linear'),
		sources: given.has('sources') ? setOf(given.get('sources'), 1 << 16) : null,
		cpus: given.has('cpus') ? setOf(given.get('cpus'), 1 << 16) : null,
		bar: barRange && SERIES.includes(bar[1]) ? { series: bar[1], ...barRange } : null,
	};
}

export function wordsOf(state, log)
{
	const words = [state.kind];
	const pair = ({ from, to }) => `${decimal(from)}-${decimal(to)}`;

	if (log.hosts.length > 1)
		words.push(`host:${hostText(log, state.host)}`);
	if (state.range)
		words.push(`range:${pair(state.range)}`);
	if (state.linear)
		words.push('linear');
	if (state.sources)
		words.push(`sources:${listOf(state.sources)}`);
	if (state.cpus)
		words.push(`cpus:${listOf(state.cpus)}`);
	if (state.bar)
		words.push(`bar:${state.bar.series},${pair(state.bar)}`);
	return words.join(';');
}
