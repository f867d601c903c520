// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Search: tasks by name or pid, events by name, packets by number, port or address, and times.
 * A chosen task gets a lane and its nearest slice is shown; a chosen name shows its next event.
 *
 * Stage: the field in the tool bar and the list below it.
 */
import { element } from '../base/element.js';
import { clean } from '../data/names.js';
import { seconds, short, spansOf } from '../data/times.js';
import { packetName } from '../draw/packet-text.js';
import { TIME } from '../draw/paths.js';

const MOST = 50;
const PACKETS_MOST = 10;
const ASK_MS = 120;

export class Search {
	#input;
	#list;
	#source;
	#found;
	#from;
	#log;
	#stop = null;
	#timer = 0;

	/*
	 * @found: shows a task, an event, a packet or a time; see found.js
	 * @from(): the time from which packets are searched
	 */
	constructor(input, list, source, log, found, from)
	{
		this.#found = found;
		this.#from = from;
		this.#input = input;
		this.#list = list;
		this.#source = source;
		this.#log = log;
		input.addEventListener('input', () => {
			clearTimeout(this.#timer);
			this.#timer = setTimeout(() => this.#ask(), ASK_MS);
		});
		input.addEventListener('keydown', (event) => this.#key(event));
		list.addEventListener('keydown', (event) => this.#key(event));
		addEventListener('pointerdown', (event) => {
			if (!list.contains(event.target) && event.target !== input)
				this.close();
		});
	}

	focus()
	{
		this.#input.focus();
		this.#input.select();
	}

	close()
	{
		const open = !this.#list.hidden || document.activeElement === this.#input;

		this.#list.hidden = true;
		this.#input.setAttribute('aria-expanded', 'false');
		this.#input.blur();
		return open;
	}

	#key(event)
	{
		const options = [...this.#list.querySelectorAll('button')];
		const at = options.indexOf(document.activeElement);

		if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
			const next = options[at + (event.key === 'ArrowDown' ? 1 : -1)];

			(next ?? (event.key === 'ArrowUp' ? this.#input : null))?.focus();
			event.preventDefault();
			event.stopPropagation();
		} else if (event.key === 'Enter' && at < 0) {
			if (options.length && !this.#list.hidden)
				options[0].click();
			else
				this.#ask();
			event.preventDefault();
		}
	}

	async #ask()
	{
		const q = this.#input.value.trim();
		const stop = new AbortController();

		this.#stop?.abort();
		this.#stop = stop;
		if (!q) {
			this.#list.hidden = true;
			return;
		}
		let tasks, events, packets;

		try {
			[{ tasks, events }, packets] = await Promise.all([
				this.#source.search(q, MOST, stop.signal), this.#packets(q, stop.signal)]);
		} catch (error) {
			if (error.name !== 'AbortError')
				this.#say(error.message);
			return;
		}
		/* A plain number is listed first as a pid or a port, last as a time. */
		const isPlain = /^\d+$/.test(q);
		const shown = spansOf(q, this.#log, this.#log.end).map((span) => this.#time(span));

		if (!tasks.length && !events.length && !packets.length && !shown.length) {
			this.#say('No task has this name or pid, no event has this name, and it is not a time in the log.');
			return;
		}
		this.#list.replaceChildren(...(isPlain ? [] : shown), ...events.map((name) => this.#event(name)),
			...tasks.map((task) => element('li', {},
			element('button', { type: 'button', onclick: () => {
				this.close();
				this.#found.task(task);
			} },
			element('b', {}, clean(task.names || task.comm)), ` ${task.pid}`,
			element('span', { className: 'faint' },
				`${this.#log.hosts.length > 1 ? `${clean(this.#log.hosts[task.host].name)} · ` :
					''}${short(Number(task.run_ns))}`)))),
		...packets.map((packet) => this.#packet(packet)), ...(isPlain ? shown : []));
		this.#open();
	}

	#event(name)
	{
		return element('li', {}, element('button', { type: 'button', onclick: () => {
			this.close();
			this.#found.event(name);
		} }, element('b', {}, clean(name)), element('span', { className: 'faint' }, 'event')));
	}

	#time(span)
	{
		const length = span.to > span.from ? ` (${short(span.to - span.from)})` : '';

		return element('li', {}, element('button', { type: 'button', onclick: () => {
			this.close();
			this.#found.time(span);
		} }, element('b', {}, seconds(span.from)), length, element('span', { className: 'faint' }, 'time')));
	}

	/* Numbers, ports and addresses of packets contain a digit. */
	async #packets(q, signal)
	{
		if (!/\d/.test(q))
			return [];
		return (await this.#source.packets(q, Math.ceil(this.#from()), PACKETS_MOST, signal)).packets;
	}

	#packet(packet)
	{
		return element('li', {}, element('button', { type: 'button', onclick: () => {
			this.close();
			this.#found.packet(packet);
		} }, element('b', {}, packetName(packet)), ` #${packet.id} `,
		element('span', { className: 'faint' }, seconds(packet.visits[0][TIME]))));
	}

	#say(text)
	{
		this.#list.replaceChildren(element('li', { className: 'faint' }, text));
		this.#open();
	}

	#open()
	{
		this.#list.hidden = false;
		this.#input.setAttribute('aria-expanded', 'true');
	}
}
