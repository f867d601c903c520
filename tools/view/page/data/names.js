// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of tasks, asked for in batches when first drawn.
 *
 * Stage: between the lanes, which know a task by host and id, and the source.
 * Names come from logs and are hostile: clean() makes control characters visible,
 * and they only ever reach textContent and fillText.
 */

const BATCH = 200;
export const UNKNOWN = 0xffffffff;

export function clean(text)
{
	return String(text ?? '').replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
		(c) => c < ' ' ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : '\ufffd');
}

/* By its pid, a part of its names, or both as they are shown: "md5sum 77".  As the server finds it. */
export function fitsTask({ pid, comm, names }, text)
{
	const wanted = text.trim().toLowerCase();
	const [, before, digits] = /^(.*\S)\s+(\d+)$/.exec(wanted) ?? [];
	const called = (part) => [names, comm].some((name) => name?.toLowerCase().includes(part));

	return called(wanted) || String(pid).startsWith(wanted) ||
		(before !== undefined && String(pid).startsWith(digits) && called(before));
}

export class Names extends EventTarget {
	#source;
	#known = [];
	#nobody = [];
	#wanted = [];
	#timer = 0;

	constructor(source, log)
	{
		super();
		this.#source = source;
		for (const host of log.hosts) {
			this.#nobody.push(host.tree ? 'outside the tree' : 'idle');
			this.#known.push(new Map());
			this.#wanted.push(new Set());
			host.loggers = host.logger === null ? [] : [host.logger].flat();
		}
		for (const task of log.top ?? [])
			this.#known[task.host]?.set(task.id, this.#tidy(task));
	}

	#tidy(task)
	{
		/* All its names, in their order; answers about a time have the name of that. */
		return { ...task, comm: clean(task.names || task.comm) };
	}

	/* What is known of a task, or null and it is asked for. */
	get(host, id)
	{
		const known = this.#known[host].get(id);

		if (known !== undefined)
			return known;
		if (id === 0 || id === UNKNOWN)
			return null;
		this.#wanted[host].add(id);
		this.#timer ||= setTimeout(() => this.#ask(), 15);
		return null;
	}

	/* What was told of a task beside something else; without its colours it is asked for. */
	put(host, task)
	{
		if (task?.colours && !this.#known[host].get(task.id))
			this.#known[host].set(task.id, this.#tidy(task));
	}

	async #ask()
	{
		const asked = [];

		this.#wanted.forEach((wanted, host) => {
			const ids = [...wanted];

			for (let i = 0; i < ids.length; i += BATCH)
				asked.push(this.#askSome(host, ids.slice(i, i + BATCH)));
		});
		await Promise.all(asked);
		this.#timer = 0;
		if (this.#wanted.some((wanted) => wanted.size))
			this.#timer = setTimeout(() => this.#ask(), 15);
		this.dispatchEvent(new Event('change'));
	}

	async #askSome(host, ids)
	{
		let answer = {};

		try {
			answer = await this.#source.names(host, ids);
		} catch {
			/* The next frame draws without, the next request tells. */
			setTimeout(() => this.dispatchEvent(new Event('change')), 1000);
		}
		for (const id of ids) {
			const task = answer[id];

			if (task)
				this.#known[host].set(id, this.#tidy({ ...task, id }));
			this.#wanted[host].delete(id);
		}
	}

	/* What task 0 is: the idle ones, or all that are not of the tree that the log is of. */
	nobody(host)
	{
		return this.#nobody[host];
	}

	/*
	 * For people: what it was called at all times from @from to @to, and its pid.  null: it had
	 * several names then.
	 */
	labelWithin(host, id, from, to)
	{
		const called = this.#known[host].get(id)?.called ?? [];
		const at = (t) => called.findLast((name) => name.from <= t) ?? called[0];

		if (called.length < 2)
			return this.label(host, id);
		return at(from) === at(to) ? `${clean(at(to).comm) || '?'} ${this.#known[host].get(id).pid}` : null;
	}

	/* For people: name and pid. */
	label(host, id)
	{
		if (id === 0)
			return this.nobody(host);
		if (id === UNKNOWN)
			return 'not known';
		const task = this.get(host, id);

		return task ? `${task.comm} ${task.pid}` : '…';
	}
}
