// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hosts, CPUs and tasks in links.  Their names do not depend on the order in which the hosts
 * are opened.  Also finds the parts of a link that are missing in this log.
 *
 * It does not change the view.
 */
import { clean } from './names.js';
import { seconds } from './times.js';
import { listOf, setOf } from '../base/lists.js';

const NAMED_MOST = 5;
/* Tolerance, as times in links are rounded. */
const ROUNDED_NS = 1;
/* Tasks of a host in one request */
const BATCH = 200;

/* The non-empty parts of a list in the link. */
function partsOf(values, name)
{
	return (values.get(name) ?? '').split(',').filter((part) => part);
}

/* ---- Hosts ---- */

/* The host's name; commas and semicolons are escaped, as they separate parts of lists. */
export function hostText(log, host)
{
	return log.hosts[host].name.replace(/[%,;]/g, encodeURIComponent);
}

/* The number of a host; -1 if the log has no host of that name. */
export function hostOf(log, text)
{
	let name = text;

	try {
		name = decodeURIComponent(text);
	} catch {
		/* Not escaped: the text can still be a name. */
	}
	return log.hosts.findIndex((host) => host.name === name);
}

export function hostsText(log, numbers)
{
	return [...numbers].map((host) => hostText(log, host)).join(',');
}

/* A Set with the numbers of those hosts that are in the log. */
export function hostsOf(values, name, log)
{
	return new Set(partsOf(values, name).map((text) => hostOf(log, text)).filter((host) => host >= 0));
}

/* ---- Lanes of CPUs ---- */

/* "node1:0-3,node1:7,node2:": no CPU of node2, and all CPUs of hosts that are not named. */
export function lanesText(log, lanes)
{
	return log.hosts.flatMap(({ cpus }, host) => {
		const shown = cpus.filter(({ lane }) => lanes.has(lane)).map(({ cpu }) => cpu);

		return shown.length === cpus.length ? [] :
			listOf(shown).split(',').map((range) => `${hostText(log, host)}:${range}`);
	}).join(',');
}

/* { host, lanes } of a part of this list; null if the host or the CPUs are not in the log. */
function lanesOfPart(log, text)
{
	const [, name, range] = /^(.*):(\d+(?:-\d+)?|)$/.exec(text) ?? [];
	const host = name === undefined ? -1 : hostOf(log, name);
	const [first, last = first] = range ? range.split('-').map(Number) : [];
	const lanes = log.hosts[host]?.cpus.filter(({ cpu }) => cpu >= first && cpu <= last)
		.map(({ lane }) => lane) ?? [];

	return host >= 0 && (!range || lanes.length) ? { host, lanes } : null;
}

/* A Set of lanes; null for all lanes. */
export function lanesOf(values, log)
{
	const parts = partsOf(values, 'lanes').map((text) => lanesOfPart(log, text)).filter((part) => part);
	const named = new Set(parts.map(({ host }) => host));

	return named.size ? new Set([...parts.flatMap(({ lanes }) => lanes), ...log.hosts.flatMap(({ cpus }, host) =>
		named.has(host) ? [] : cpus.map(({ lane }) => lane))]) : null;
}

/* ---- Tasks ---- */

/* "node1:77", or "node1:77@TIME" if other tasks of the host had the same pid. */
export function taskText(log, host, { pid, since })
{
	return `${hostText(log, host)}:${pid}${since === null || since === undefined ? '' : `@${since}`}`;
}

export function taskTexts(values)
{
	return partsOf(values, 'tasks');
}

/* A Map from each text to the task with its host; null if the task is not in the log. */
export async function findTasks(texts, log, source)
{
	const found = new Map(texts.map((text) => [text, null]));
	const byHost = new Map();

	for (const text of texts) {
		const [, name, pid] = /^(.*):(\d{1,9}(?:@-?\d{1,18})?)$/.exec(text) ?? [];
		const host = name === undefined ? -1 : hostOf(log, name);

		if (host >= 0)
			byHost.set(host, [...byHost.get(host) ?? [], { text, pid }]);
	}
	for (const [host, all] of byHost)
		for (let i = 0; i < all.length; i += BATCH) {
			const some = all.slice(i, i + BATCH);
			const tasks = await source.tasks(host, some.map(({ pid }) => pid));

			for (const { text, pid } of some)
				if (tasks[pid]?.id)
					found.set(text, { ...tasks[pid], host });
		}
	return found;
}

/* ---- Parts of a link that are not in the log ---- */

function several(what, parts)
{
	const named = parts.slice(0, NAMED_MOST).map(clean).join(', ');
	const more = parts.length > NAMED_MOST ? ` and ${parts.length - NAMED_MOST} more` : '';

	return parts.length ? [`${what}${parts.length > 1 ? 's' : ''} ${named}${more}`] : [];
}

function timesOutside(values, end)
{
	const times = ['from', 'to'].filter((name) => values.has(name))
		.map((name) => Number.parseFloat(values.get(name)));

	times.push(...partsOf(values, 'sel').flatMap((text) => text.split('-').map(Number)));
	return times.filter((t) => !Number.isFinite(t) || t < -ROUNDED_NS || t > end + ROUNDED_NS);
}

/* evtlog 0.11 and older wrote numbers of hosts, lanes and tasks, which depend on open logs. */
const OLD = { tasks: /^\d+\.\d+$/, lanes: /^\d+(-\d+)?$/, collapsed: /^\d+(-\d+)?$/ };

function isOld(values, name, log)
{
	return partsOf(values, name).some((text) => OLD[name].test(text) && hostOf(log, text) < 0);
}

/* Sentences for the user; '' if nothing is missing. @found: of findTasks(), maybe incomplete */
export function missingOf(values, log, end, found)
{
	const lacks = (name, is) => isOld(values, name, log) ? [] : partsOf(values, name).filter((text) => !is(text));
	const isHost = (text) => hostOf(log, text) >= 0;
	const old = Object.keys(OLD).filter((name) => isOld(values, name, log));
	const times = timesOutside(values, end);
	const missing = [
		...several('task', partsOf(values, 'tasks').filter((text) => !OLD.tasks.test(text) &&
			found.get(text) === null)),
		...several('host', [...lacks('collapsed', isHost),
			...partsOf(values, 'hosts').filter((text) => !isHost(text))]),
		...several('CPU', lacks('lanes', (text) => lanesOfPart(log, text))),
		...several('kind', partsOf(values, 'kinds').filter((kind) => !log.kinds.includes(kind))),
		...several('time', [...new Set(times)].map((t) => Number.isFinite(t) ? seconds(t) :
			'not a number')),
	];

	return [
		...(missing.length ? [`This log does not contain all that the link names: ${missing.join('; ')}${
			times.length ? ` (the log ends at ${seconds(end)})` : ''}.`] : []),
		...(old.length ? [`evtlog 0.11 or before made this link: ${old.map((name) => `${name}=${
			clean(values.get(name))}`).join(', ')} ${old.length > 1 ? 'are' : 'is'} left out, because ` +
			'such numbers depend on the order of the hosts. Choose them again and copy the new link.'] : []),
	].join(' ');
}
