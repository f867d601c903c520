// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chooses the source of the data, authenticates, and opens the page.
 *
 * Stage: the entry point of the bundle.  An exported page contains its data (#evtlog-data)
 * and needs no server.  Otherwise the token in the URL's fragment is first exchanged for a
 * cookie and removed from the address.
 */
import { Server } from './data/server.js';
import { Offline } from './data/offline.js';
import { Page } from './page.js';
import { byId } from './base/element.js';
import { clean } from './data/names.js';

function takeToken()
{
	const values = location.hash.slice(1).split('&');
	const token = values.find((value) => value.startsWith('token='))?.slice(6);

	if (token === undefined)
		return null;
	const rest = values.filter((value) => !value.startsWith('token=')).join('&');

	history.replaceState(null, '', rest ? `#${rest}` : location.pathname);
	return decodeURIComponent(token);
}

async function open()
{
	const source = Offline.here ? await Offline.open() : new Server();
	const token = source.offline ? null : takeToken();

	if (token !== null)
		await source.session(token);
	const log = await source.log();

	const notices = log.hosts.filter(({ fault }) => fault)
		.map(({ name, fault }) => `${clean(name)}: ${clean(fault)}.`);

	if (source.notice)
		notices.unshift(source.notice);
	byId('notice').textContent = notices.join(' ');
	byId('notice').hidden = !notices.length;
	await new Page(source, log).open();
}

/* The user pasted another address with a token into the same window. */
addEventListener('hashchange', () => {
	if (/(^#|&)token=/.test(location.hash))
		location.reload();
});

open().catch((error) => {
	byId('banner').textContent = error.message;
	byId('banner').hidden = false;
	byId('status').textContent = 'Not opened.';
	if (error.status === undefined)
		throw error;
});
