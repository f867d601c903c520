// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of a packet: its addresses, and its stations with their times and waits.
 *
 * Stage: between the answers of /paths and the tooltip and the list of found packets.
 */
import { element } from '../base/element.js';
import { clean } from '../data/names.js';
import { seconds, short } from '../data/times.js';
import { BOUND, CPU, HOST, PID, REASON, STATION, TIME } from './paths.js';

const end = (address, port) => address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

function ends(packet)
{
	return `${end(packet.source, packet.source_port)} > ${
		end(packet.destination, packet.destination_port)}`;
}

/* "udp 10.0.0.1:5000 > 10.0.0.2:7001" */
export function packetName(packet)
{
	return `${packet.protocol} ${ends(packet)}`;
}

function fate(packet, stations)
{
	const last = packet.visits.at(-1), before = packet.visits.at(-2);

	if (last[REASON] !== null)
		return `dropped${before ? ` behind ${clean(stations[before[STATION]])}` : ''}: ${
			clean(last[REASON])}`;
	return packet.read ? 'read by the program' : `last seen at ${clean(stations[last[STATION]])}`;
}

function station(packet, i, stations, hosts)
{
	const visit = packet.visits[i];
	const wait = i ? `+${short(visit[TIME] - packet.visits[i - 1][TIME])}`.replace('+-', '−') : '';
	const bound = visit[BOUND] === null ? '' : ` ±${short(visit[BOUND])}`;
	const where = `${hosts.length > 1 ? `${clean(hosts[visit[HOST]].name)} ` : ''}CPU ${visit[CPU]}${
		visit[PID] === null ? '' : ` pid ${visit[PID]}`}`;

	return element('tr', { className: visit[REASON] === null ? '' : 'dropped' },
		element('td', { className: 'number' }, seconds(visit[TIME])),
		element('td', { className: 'number' }, `${wait}${bound}`),
		element('td', {}, where),
		element('td', {}, `${clean(stations[visit[STATION]])}${
			visit[REASON] === null ? '' : `: ${clean(visit[REASON])}`}`));
}

/* The whole text, for the tooltip. */
export function packetText(packet, stations, hosts)
{
	const { translated: other } = packet;

	return [
		element('div', { className: 'title' }, element('b', {}, packetName(packet))),
		...(other ? [element('div', {}, `translated to ${ends(other)}`)] : []),
		element('div', { className: 'faint' }, `packet ${packet.id}, ${packet.bytes} bytes, IP id ${
			packet.ip_id}${packet.ambiguous ? ', several packets look alike' : ''}`),
		element('table', { className: 'stations' }, element('tbody', {},
			...packet.visits.map((_, i) => station(packet, i, stations, hosts)))),
		element('div', { className: 'fate' }, fate(packet, stations)),
	];
}
