// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws text and lines on lanes: names of slices, lines between slices, counts of hidden CPUs.
 *
 * The caller passes the positions; bins are not read here.
 */
import { LANE_STYLE, ink } from './colours.js';
import { percent } from '../data/times.js';

/* Heights of a lane's parts, for a lane of @h device pixels. */
export function partsOf(h, scale)
{
	const gap = Math.max(Math.round(scale), 1);
	const band = Math.max(Math.round(2 * scale), 2);
	const ticks = Math.round((h - gap) * (h / scale >= 30 ? 0.3 : 0.34));

	return { gap, band, ticks, body: h - gap - ticks - 2 * band };
}

/* Writes how many CPUs of a host are hidden. */
export function writeHeads(context, scale, heads, log, theme, clip)
{
	context.font = `${11 * scale}px "DejaVu Sans", system-ui, sans-serif`;
	context.textBaseline = 'middle';
	context.fillStyle = theme.text;
	for (const { row: { host, hidden, collapsed }, y } of heads) {
		const { cpus } = log.hosts[host];
		const sum = (of) => cpus.reduce((total, cpu) => total + of(cpu), 0);
		const busy = sum((cpu) => Number(cpu.busy_ns)) /
			(sum((cpu) => cpu.end - cpu.begin) || 1);

		if (y > clip)
			context.fillText(`${hidden} ${hidden === 1 ? 'CPU' : 'CPUs'} ${collapsed ?
				`collapsed${cpus.some((cpu) => cpu.busy_ns === null) ? '' :
					`, in the whole run busy ${percent(busy)}`}` : 'hidden'}`,
			4 * scale, y);
	}
}

/* Draws lines between slices. */
export function drawLines(context, scale, lines, clip, height)
{
	context.fillStyle = 'rgb(0 0 0 / 80%)';
	for (const { row, x, top } of lines) {
		const parts = partsOf(Math.round(row.h * scale), scale);
		const y = Math.max(top + parts.ticks, row.type === 'task' ? 0 : clip);
		const end = Math.min(top + parts.ticks + parts.body, height);

		if (end > y)
			context.fillRect(x, y, Math.max(Math.round(scale), 1), end - y);
	}
}

/*
 * A slice has the task's name at its start.  If the task had several names within these columns,
 * begins.of() provides the exact start.
 */
function sliceText({ row, id, from, to, edge }, { names, begins, timeOf })
{
	const text = names.labelWithin(row.host, id, edge ? timeOf(edge - 1) : -Infinity, timeOf(from + 2));

	if (text !== null)
		return text;
	const begin = begins.of(row.host, id, row.lane, timeOf((from + to) / 2));

	return begin === null ? '' : begin === undefined ? names.label(row.host, id) :
		names.labelWithin(row.host, id, begin, begin);
}

/* Writes names on runs that are wide enough for some letters. @timeOf(x): time of a column */
export function writeNames({ context, scale, labels, colours, clip, height, laneHeight, ...of })
{
	const size = Math.min(Math.round(laneHeight * LANE_STYLE.font), LANE_STYLE.fontMost);

	if (size < LANE_STYLE.fontLeast)
		return;
	context.font = `${size * scale}px "DejaVu Sans", system-ui, sans-serif`;
	context.textBaseline = 'middle';
	const letter = context.measureText('kworker/0:1 1234').width / 16;

	for (const label of labels) {
		const { row, id, from, to, top, colour } = label;
		const parts = partsOf(Math.round(row.h * scale), scale);
		const y = top + parts.ticks + parts.body / 2 + scale * 0.5;

		if ((row.type !== 'task' && y - size / 2 < clip) || y > height)
			continue;
		const most = Math.floor((to - from - 8 * scale) / letter);

		if (most < 3 || (row.type !== 'task' && colours.hides(row.host, id)))
			continue;
		const text = row.type === 'task' ? `CPU ${id}` : sliceText(label, of);

		context.fillStyle = ink(colour);
		context.fillText(text.length > most ? `${text.slice(0, most - 1)}…` : text,
			from + 4 * scale, y);
	}
}
