// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws a host's runnable tasks over time: the mean of each column full, the most of it faint;
 * hatched is what is not known, and above a number what may be missing of it.
 *
 * Stage: of bins that data/runnable.js holds; it asks for nothing.
 */
import { element } from '../base/element.js';
import { clean } from '../data/names.js';
import { seconds, short } from '../data/times.js';
import { AT_LEAST, OUTSIDE, UNKNOWN } from '../data/runnable.js';

const HATCH = 6;

/* What columns show: several bins of one are one. */
function columnsOf(bins, { from, span }, width)
{
	const bin = 2 ** bins.level;
	const place = (x) => Math.floor((from + x * span / width) / bin) - bins.first;
	const columns = [];

	for (let x = 0; x < width; x++) {
		const begin = Math.max(place(x), 0);
		const end = Math.min(Math.max(place(x + 1), place(x) + 1), bins.mean.length);
		const column = { known: 0, sum: 0, most: 0, unsure: false, outside: true };

		for (let i = begin; i < end; i++) {
			const state = bins.states[i];

			if (state === OUTSIDE)
				continue;
			column.outside = false;
			column.unsure ||= state === UNKNOWN || state === AT_LEAST;
			if (state === UNKNOWN)
				continue;
			column.known++;
			column.sum += bins.mean[i];
			column.most = Math.max(column.most, bins.most[i]);
		}
		columns.push(column);
	}
	return columns;
}

/* Stripes within [a, b) above @foot. */
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

/* @cpus: of the host, as many as can run at once; @clip: nothing is drawn above it */
export function drawTrack(context, { bins, view, top, h, clip, scale, theme, cpus, lost })
{
	const width = context.canvas.width;
	const line = Math.max(Math.round(scale), 1);

	if (!bins || top + h <= clip)
		return;
	const columns = columnsOf(bins, view, width);
	const scaleTop = columns.reduce((most, column) => Math.max(most, column.most), cpus);
	const foot = top + h - line;
	const room = h - 3 * line;
	const high = (number) => number ? Math.max(number / scaleTop * room, line) : 0;

	context.save();
	context.beginPath();
	context.rect(0, clip, width, context.canvas.height);
	context.clip();
	/* Behind the bars: it is seen above them. */
	context.strokeStyle = lost;
	context.lineWidth = line;
	for (let x = 0; x < width; x++) {
		const begin = x;

		while (x < width && columns[x].unsure)
			x++;
		if (x > begin)
			hatch(context, begin, x, top + line, foot, HATCH * scale);
	}
	for (const [alpha, of] of [[0.4, (column) => column.most],
				   [1, (column) => column.sum / column.known]]) {
		context.globalAlpha = alpha;
		context.fillStyle = theme.load;
		for (const [x, column] of columns.entries())
			if (column.known)
				context.fillRect(x, foot - high(of(column)), 1, high(of(column)));
	}
	/* More than this wait. */
	context.fillStyle = theme.accent;
	context.globalAlpha = 0.6;
	context.fillRect(0, Math.round(foot - high(cpus)), width, line);
	writeScale(context, `0–${scaleTop}`, top, scale, theme);
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

/* A bin in words, for the tooltip. */
export function trackText(bin, host)
{
	const pair = (name, text) => element('div', { className: 'pair' },
		element('span', { className: 'faint' }, name), element('span', {}, text));
	const some = bin !== null && bin.mean !== null;
	const least = some && bin.state === AT_LEAST ? 'at least ' : '';
	const none = bin === null ? 'not there yet' : bin.state === OUTSIDE ? 'not recorded' :
		'not known';

	return [
		element('div', { className: 'title' }, element('b', {}, 'Runnable tasks')),
		...(some ? [pair('mean', `${least}${digits(bin.mean)}`), pair('most', `${least}${bin.most}`)] :
			[element('div', {}, none)]),
		...(bin ? [pair('from', seconds(bin.from)), pair('for', short(bin.to - bin.from))] : []),
		element('div', { className: 'faint foot' }, clean(host.name)),
	];
}
