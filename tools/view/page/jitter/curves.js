// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes a chart from an answer of /jitter.json: its curves, axes and named peaks, and the
 * legend below the chart.
 *
 * Stage: between jitter.js, which requests, and chart.js, which draws.
 */
import { CHART_COLOURS } from '../draw/colours.js';
import { SERIES } from './state.js';
import { count } from '../data/times.js';
import { element } from '../base/element.js';

const SERIES_NAMES = { user: 'samples of the program',
	interruption: 'interruptions in the log', part: 'parts of interruptions' };

const colourOf = (number) => CHART_COLOURS[number % CHART_COLOURS.length];

/* Decades below the highest density: a very high peak must not hide the other curves. */
const DENSITY_DECADES = 4;

/* Start of the axis of densities: a power of ten, as the end is. */
function leastDensity(curves)
{
	const most = curves.reduce((all, { values }) => values.reduce((a, b) => Math.max(a, b), all), 0);

	return most > 0 ? 10 ** (Math.ceil(Math.log10(most * 1.25)) - DENSITY_DECADES) : 0;
}

/* An array of @bins booleans, true for the bins in @numbers. */
function flagsOf(bins, numbers)
{
	const is = Array(bins).fill(false);

	for (const number of numbers)
		is[number] = true;
	return is;
}

/* @sourceName(number): the name of a source; null: all sources */
function curvesOf(answer, kind, sourceName)
{
	if (kind === 'histogram')
		return SERIES.map((series, i) => ({ series, name: SERIES_NAMES[series],
			colour: colourOf(i), filled: i === 0, values: answer.series[series].counts,
			count: answer.series[series].counts.reduce((a, b) => a + Number(b), 0),
			outside: Number(answer.series[series].below) +
				Number(answer.series[series].above) }));
	return answer.curves.map((curve, i) => ({ source: curve.source,
		series: curve.source === null ? 'interruption' : 'part',
		name: sourceName(curve.source), colour: colourOf(i),
		filled: kind === 'spectrum' && i === 0, values: curve.values, count: curve.count,
		clear: curve.clear && flagsOf(curve.values.length, curve.clear),
		outside: 0, bandwidth: curve.bandwidth_us ?? curve.bandwidth_decades }));
}

/*
 * Marks of frequencies.  If several sources have the same frequency, its mark has the name of the
 * most regular source; if they are equally regular, of the source with the greatest power.
 */
function peaksOf(answer, sourceName)
{
	const marks = [];
	const tenths = ({ regularity }) => Math.round(regularity * 10);

	for (const peak of [...answer.peaks].sort((a, b) =>
		tenths(b) - tenths(a) || b.power - a.power)) {
		const same = marks.find(({ at }) => Math.abs(at - peak.hz) <= answer.resolution_hz);

		if (same)
			same.others++;
		else
			marks.push({ at: peak.hz, others: 0, source: peak.source });
	}
	const digits = Math.min(Math.max(Math.ceil(-Math.log10(answer.resolution_hz || 1)), 0), 6);

	return marks.map(({ at, source, others }) => ({ at,
		curve: answer.curves.findIndex((curve) => curve.source === source), name: `${at.toFixed(digits)} Hz ${
		sourceName(source)}${others ? ` +${others}` : ''}` }));
}

/* For JitterChart.show() */
export function chartOf(answer, sourceName)
{
	const { kind, linear, bar } = answer.state;
	const curves = curvesOf(answer, kind, sourceName);

	return {
		edges: answer.edges, linear, curves,
		least: { histogram: 0.5, density: leastDensity(curves), spectrum: 1 }[kind],
		unit: kind === 'spectrum' ? 1 : 1000,
		xName: kind === 'spectrum' ? 'frequency (Hz)' : 'length (µs)',
		yName: { histogram: 'count per bin', spectrum: 'power (random: 1)',
			density: linear ? 'density (1/µs)' : 'density (1/decade)' }[kind],
		level: kind === 'spectrum' ? Math.max(...curves.map((_, i) => answer.curves[i].level)) : 0,
		marks: kind === 'spectrum' ? peaksOf(answer, sourceName) : [],
		chosen: bar ? [bar.from, bar.to] : null,
	};
}

/* An entry with colour and name for each curve. */
export function legendOf(curves)
{
	return curves.map(({ name, colour, count: number, outside, bandwidth }) => element('span', {},
		element('span', { className: 'swatch', style: `background: ${colour}` }),
		` ${name}: ${count(number)}${outside ? ` (${count(outside)} outside)` : ''}${
			bandwidth === undefined ? '' : `, h ${Number(bandwidth.toPrecision(2))}`}`));
}
