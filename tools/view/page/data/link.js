// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a link names that this log has not.
 *
 * It changes nothing.
 */
import { clean } from './names.js';
import { seconds } from './times.js';
import { setOf } from '../base/lists.js';

const NAMED_MOST = 5;
/* Times in links are rounded. */
const ROUNDED_NS = 1;

/* Parts of a list in the link, the empty ones left out. */
function partsOf(values, name)
{
	return (values.get(name) ?? '').split(',').filter((part) => part);
}

function several(what, parts)
{
	const named = parts.slice(0, NAMED_MOST).map(clean).join(', ');
	const more = parts.length > NAMED_MOST ? ` and ${parts.length - NAMED_MOST} more` : '';

	return parts.length ? [`${what}${parts.length > 1 ? 's' : ''} ${named}${more}`] : [];
}

/* The task of "0.12" as { host, id }; null if the log has none. */
export function taskOf(text, log)
{
	const match = /^(\d+)\.(\d+)$/.exec(text);

	return match && Number(match[2]) > 0 && Number(match[2]) < log.hosts[match[1]]?.tasks ?
		{ host: Number(match[1]), id: Number(match[2]) } : null;
}

function timesOutside(values, end)
{
	const times = ['from', 'to'].filter((name) => values.has(name))
		.map((name) => Number.parseFloat(values.get(name)));

	times.push(...partsOf(values, 'sel').flatMap((text) => text.split('-').map(Number)));
	return times.filter((t) => !Number.isFinite(t) || t < -ROUNDED_NS || t > end + ROUNDED_NS);
}

/* One sentence for people; '' if all of the link is in the log. */
export function missingOf(values, log, end)
{
	const lanes = values.get('lanes');
	const times = timesOutside(values, end);
	const missing = [
		...several('task', partsOf(values, 'tasks').filter((text) => !taskOf(text, log))),
		...several('host', partsOf(values, 'hosts').filter((name) =>
			!log.hosts.some((host) => host.name === name))),
		...(lanes === null || [...setOf(lanes, log.lanes) ?? [log.lanes]]
			.every((lane) => lane < log.lanes) ? [] : several('lane', [lanes])),
		...several('kind', partsOf(values, 'kinds').filter((kind) => !log.kinds.includes(kind))),
		...several('time', [...new Set(times)].map((t) => Number.isFinite(t) ? seconds(t) :
			'not a number')),
	];

	return missing.length ? `This log lacks what the link names: ${missing.join('; ')}${
		times.length ? ` (the log ends at ${seconds(end)})` : ''}.` : '';
}
