// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of tasks, requested in batches when they are first drawn.
 *
 * Stage: between the source and the lanes, which have the host and the id of a task.
 * Names come from logs and are untrusted: clean() makes control characters visible, and
 * names are used only as textContent and in fillText().
 */

const BATCH = 200;
export const UNKNOWN = 0xffffffff;

export function clean(text)
{
	return String(text ?? '').replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
		(c) => c < ' ' ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : '\ufffd');
}

/* Matches a pid, a part of the names, or both as shown, "md5sum 77".  As the server's search. */
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
		}
		for (const task of log.top ?? [])
			this.#known[task.host]?.set(task.id, this.#tidy(task));
	}

	#tidy(task)
	{
		/* All names in their order; answers about a time contain the name at that time. */
		return { ...task, comm: clean(task.names || task.comm) };
	}

	/* The task; null if unknown: then it is requested. */
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

	/* Keeps a task that was part of another answer, if the answer contains its colours. */
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
			/* Draw without names; a later request reports the error. */
			setTimeout(() => this.dispatchEvent(new Event('change')), 1000);
		}
		for (const id of ids) {
			const task = answer[id];

			if (task)
				this.#known[host].set(id, this.#tidy({ ...task, id }));
			this.#wanted[host].delete(id);
		}
	}

	/* The name of task 0: idle, or outside the tree if the log is of one tree. */
	nobody(host)
	{
		return this.#nobody[host];
	}

	/*
	 * For the user: name and pid.  null if the task had several names from @from to @to.
	 */
	labelWithin(host, id, from, to)
	{
		const called = this.#known[host].get(id)?.called ?? [];
		const at = (t) => called.findLast((name) => name.from <= t) ?? called[0];

		if (called.length < 2)
			return this.label(host, id);
		return at(from) === at(to) ? `${clean(at(to).comm) || '?'} ${this.#known[host].get(id).pid}` : null;
	}

	/* For the user: name and pid. */
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
