// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws a counter of a host or a CPU over time.  For runnable tasks, each column has the mean in
 * full colour and the maximum in faint colour; for other counters, the count in a bin.  Unknown
 * columns are hatched; the space above a bar is hatched if its count may be too low.  Times that
 * are not recorded have a colour of their own.
 *
 * Stage: draws the bins of data/counters.js; requests nothing.
 */
import { element } from '../base/element.js';
import { clean } from '../data/names.js';
import { seconds, short } from '../data/times.js';
import { AT_LEAST, COUNTERS, OUTSIDE, UNKNOWN } from '../data/counters.js';

const HATCH = 6;

/* The columns of a track.  Several bins in a column: their mean, or the largest count. */
function columnsOf(bins, counter, { from, span }, width)
{
	const bin = 2 ** bins.level;
	const place = (x) => Math.floor((from + x * span / width) / bin) - bins.first;
	const columns = [];

	for (let x = 0; x < width; x++) {
		const begin = Math.max(place(x), 0);
		const end = Math.min(Math.max(place(x + 1), place(x) + 1), bins.count);
		const column = { known: 0, full: 0, faint: 0, unsure: false, outside: true };

		for (let i = begin; i < end; i++) {
			const state = bins.states[i];

			if (state === OUTSIDE)
				continue;
			column.outside = false;
			column.unsure ||= state === UNKNOWN || state === AT_LEAST;
			if (state === UNKNOWN || !bins.full)
				continue;
			column.known++;
			column.full = counter === 'runnable' ?
				column.full + (bins.full[i] - column.full) / column.known :
				Math.max(column.full, bins.full[i]);
			column.faint = Math.max(column.faint, bins.faint[i] + (bins.above?.[i] ?? 0));
		}
		columns.push(column);
	}
	return columns;
}

/* Draws stripes in [a, b) from @top to @foot. */
function hatch(context, a, b, top, foot, step)
{
	context.save();
	context.beginPath();
	context.rect(a, top, b - a, foot - top);
	context.clip();
	context.beginPath();
	for (let x = a - (foot - top) - a % step; x < b + step; x += step) {
		context.moveTo(x, foot);
		context.lineTo(x + foot - top, top);
	}
	context.stroke();
	context.restore();
}

/* @cpus: number of CPUs of the row; @clip: nothing is drawn above this line */
export function drawTrack(context, { bins, counter, view, top, h, clip, scale, theme, cpus, lost, outside })
{
	const width = context.canvas.width;
	const line = Math.max(Math.round(scale), 1);

	if (!bins || top + h <= clip)
		return;
	const columns = columnsOf(bins, counter, view, width);
	const scaleTop = columns.reduce((most, column) => Math.max(most, column.faint),
		counter === 'runnable' ? cpus : 1);
	const foot = top + h - line;
	const room = h - 3 * line;
	const high = (number) => number ? Math.max(number / scaleTop * room, line) : 0;

	context.save();
	context.beginPath();
	context.rect(0, clip, width, context.canvas.height);
	context.clip();
	context.fillStyle = outside;
	for (const [x, column] of columns.entries())
		if (column.outside)
			context.fillRect(x, top, 1, h - line);
	/* Drawn first: the bars cover it, and only the part above them stays visible. */
	context.strokeStyle = lost;
	context.lineWidth = line;
	for (let x = 0; x < width; x++) {
		const begin = x;

		while (x < width && columns[x].unsure)
			x++;
		if (x > begin)
			hatch(context, begin, x, top + line, foot, HATCH * scale);
	}
	for (const [alpha, key] of [[0.4, 'faint'], [1, 'full']]) {
		context.globalAlpha = alpha;
		context.fillStyle = theme.load;
		for (const [x, column] of columns.entries())
			if (column.known)
				context.fillRect(x, foot - high(column[key]), 1, high(column[key]));
	}
	/* Above this line, runnable tasks wait for a CPU. */
	if (counter === 'runnable') {
		context.fillStyle = theme.accent;
		context.globalAlpha = 0.6;
		context.fillRect(0, Math.round(foot - high(cpus)), width, line);
	}
	writeScale(context, counter === 'runnable' ? `0–${scaleTop}` :
		`0–${scaleTop} in ${short(2 ** bins.level)}`, top, scale, theme);
	context.restore();
}

function writeScale(context, text, top, scale, theme)
{
	context.globalAlpha = 0.7;
	context.font = `${10 * scale}px "DejaVu Sans", system-ui, sans-serif`;
	context.textBaseline = 'top';
	context.fillStyle = theme.panel;
	context.fillRect(2 * scale, top + scale, context.measureText(text).width + 4 * scale, 13 * scale);
	context.globalAlpha = 1;
	context.fillStyle = theme.text;
	context.fillText(text, 4 * scale, top + 2 * scale);
}

const digits = (number) => number.toLocaleString('en-US', { maximumFractionDigits: 3 });

const ROW_NAMES = { migrations_in: 'to CPUs', migrations_out: 'from CPUs' };
const CPU_ROW_NAMES = { migrations_in: 'to the CPU', migrations_out: 'from the CPU' };

/* The tooltip's text for a bin. @row: of the track */
export function trackText(bin, row, host)
{
	const pair = (name, text) => element('div', { className: 'pair' },
		element('span', { className: 'faint' }, name), element('span', {}, text));
	const some = bin !== null && bin.values.every(([, value]) => value !== null);
	const least = some && bin.state === AT_LEAST ? 'at least ' : '';
	const none = bin === null ? 'not loaded' : bin.state === OUTSIDE ? 'not recorded' :
		'not known';
	const names = row.lane === null ? ROW_NAMES : CPU_ROW_NAMES;
	const rate = (value) => row.counter === 'runnable' ? '' :
		` (${digits(Math.round(value / (bin.to - bin.from) * 1e9))}/s)`;

	return [
		element('div', { className: 'title' }, element('b', {}, `${COUNTERS[row.counter].title}${
			row.lane === null ? '' : `, CPU ${row.cpu}`}`)),
		...(some ? bin.values.map(([key, value]) =>
			pair(names[key] ?? key, `${least}${digits(value)}${rate(value)}`)) :
			[element('div', {}, none)]),
		...(bin ? [pair('from', seconds(bin.from)), pair('for', short(bin.to - bin.from))] : []),
		element('div', { className: 'faint foot' }, clean(host.name)),
	];
}
