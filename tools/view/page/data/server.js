// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The source of all data for a page that `evtlog view` serves.
 *
 * Stage: between the page and the HTTP server of `evtlog view`.  Each method returns plain
 * objects or binary data, or throws a Failure whose message explains what to do.  offline.js
 * has the same methods.  Nothing is cached here.
 */

export class Failure extends Error {
	constructor(status, message)
	{
		super(message);
		this.status = status;
	}
}

const GONE = 'The server does not answer: it ended, or the connection is broken. ' +
	'Start "evtlog view" again and open the URL it prints.';
const NO_RIGHT = 'This page may not read the log: open the whole URL that ' +
	'"evtlog view" printed.';

function query(path, parameters)
{
	const text = Object.entries(parameters)
		.filter(([, value]) => value !== undefined && value !== null && value !== '')
		.map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%2C/g, ',')}`)
		.join('&');

	return text ? `${path}?${text}` : path;
}

const whole = (ns) => Math.round(ns);

export class Server {
	offline = false;

	async #fetch(path, options)
	{
		let answer;

		try {
			answer = await fetch(path, { credentials: 'same-origin', ...options });
		} catch (error) {
			if (error.name === 'AbortError')
				throw error;
			throw new Failure(0, GONE);
		}
		if (answer.ok)
			return answer;
		let message = `${answer.status} ${answer.statusText}`;

		try {
			message = (await answer.json()).error ?? message;
		} catch {
			/* No JSON: the message is the HTTP status. */
		}
		throw new Failure(answer.status, answer.status === 401 ? NO_RIGHT : message);
	}

	async #json(path, parameters = {}, signal = undefined)
	{
		return (await this.#fetch(query(path, parameters), { signal })).json();
	}

	/* Exchanges the token for a cookie. */
	async session(token)
	{
		await this.#fetch('/session', {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify({ token }),
		});
	}

	log()
	{
		return this.#json('/log.json');
	}

	async tiles(level, first, count, lanes, refine, signal)
	{
		return (await this.#fetch(query('/tiles', {
			level, first, count, lanes, refine: refine ? 1 : undefined,
		}), { signal })).arrayBuffer();
	}

	async overview(bins)
	{
		return (await this.#fetch(query('/overview', { bins }))).arrayBuffer();
	}

	names(host, ids)
	{
		return this.#json('/names', { host, ids: ids.join(',') });
	}

	/* @pids: "77", or "77@TIME" if several tasks had that pid; these are the answer's keys */
	tasks(host, pids)
	{
		return this.#json('/names', { host, pids: pids.join(',') });
	}

	at(lane, t, near, signal)
	{
		return this.#json('/at', { lane, t: whole(t), near: whole(near) }, signal);
	}

	events(lanes, from, to, limit, kinds, signal)
	{
		return this.#json('/events',
			{ lanes, from: whole(from), to: whole(to), limit, kinds }, signal);
	}

	/*
	 * The next event of some kinds, or of a name.  @when: { after } or { before }
	 * @of: { kinds } or { name }
	 */
	next(lanes, when, of)
	{
		return this.#json('/next', { lanes, ...when, ...of });
	}

	arrows(lanes, from, to, limit, kinds, signal)
	{
		return this.#json('/arrows',
			{ from: whole(from), to: whole(to), lanes, limit, kinds: kinds.join(',') },
			signal);
	}

	registered(lanes, from, to, { step, limit }, signal)
	{
		return this.#json('/registered',
			{ lanes, from: whole(from), to: whole(to), step: whole(step), limit }, signal);
	}

	/* @question: { host, level, first, count, tracks, lanes }; bins are 2^level ns wide */
	counters(question, signal)
	{
		return this.#json('/counters', question, signal);
	}

	paths(from, to, limit, bins, signal)
	{
		return this.#json('/paths', { from: whole(from), to: whole(to), limit, bins }, signal);
	}

	packets(q, after, limit, signal)
	{
		return this.#json('/packets', { q, after: whole(after), limit }, signal);
	}

	summary(from, to, lanes, signal)
	{
		return this.#json('/summary', { from: whole(from), to: whole(to), lanes }, signal);
	}

	/* @of: { task }, { process } or { lanes }; {} for all tasks */
	profile(from, to, of, signal)
	{
		return this.#json('/profile', { from: whole(from), to: whole(to), ...of }, signal);
	}

	search(q, limit, signal)
	{
		return this.#json('/search', { q, limit }, signal);
	}

	find(host, id, when)
	{
		return this.#json('/find', { host, id, ...when });
	}

	jitter(parameters, signal)
	{
		return this.#json('/jitter.json', parameters, signal);
	}

	async notes()
	{
		const answer = await this.#fetch('/notes', {});

		return { etag: answer.headers.get('ETag'), notes: await answer.json() };
	}

	/* Returns the new ETag.  Throws a Failure, status 409 or 412, if the notes have changed. */
	async putNotes(notes, etag)
	{
		const headers = { 'Content-Type': 'application/json' };

		if (etag)
			headers['If-Match'] = etag;
		const answer = await this.#fetch('/notes', {
			method: 'PUT', headers, body: JSON.stringify(notes),
		});

		return answer.headers.get('ETag');
	}
}
