// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tooltip: the task under the pointer, its slice, why it left, the event and its time.
 *
 * Stage: requests /at for the pointer's time and shows the answer.
 */
import { element } from '../base/element.js';
import { clean } from '../data/names.js';
import { css } from './colours.js';
import { count, exact, seconds, short } from '../data/times.js';
import { eventName, eventWords } from '../data/event-text.js';

const ASK_MS = 50;
export const NEAR_PIXELS = 4;
const WORDS_MOST = 1000;	/* letters: a payload has up to 4,000 bytes */

export class Tooltip {
	#box;
	#source;
	#stop = null;
	#timer = 0;
	#shown;
	#held = false;	/* true: stays open, so that the user can copy its text */
	last = null;

	/* @shown(): called after an answer is shown */
	constructor(box, source, shown)
	{
		this.#shown = shown;
		this.#box = box;
		this.#source = source;
	}

	/* After a click on a lane: stays open until the next click or until the user closes it. */
	hold({ row, at, t, place, page, pin })
	{
		clearTimeout(this.#timer);
		this.#stop?.abort();
		this.last = { row, at };
		this.#show(row, at, t, page);
		this.#box.append(element('div', { className: 'buttons' },
			...(pin ? [element('button', { type: 'button', title: 'All slices of the task, on all CPUs',
				onclick: () => {
					this.release();
					pin();
				} }, 'Add lane')] : []),
			element('button', { type: 'button', onclick: () => this.release() }, 'Close')));
		this.#box.classList.add('held');
		this.#held = true;
		this.#place(place);
	}

	/* Shows the text of a packet or a track. @held: it stays open, as with hold() */
	showText(words, place, held = false)
	{
		clearTimeout(this.#timer);
		this.#stop?.abort();
		if (this.#held && !held)
			return;
		this.last = null;
		this.#box.replaceChildren(...words);
		if (held)
			this.#box.append(element('div', { className: 'buttons' }, element('button',
				{ type: 'button', onclick: () => this.release() }, 'Close')));
		this.#box.classList.add('packet');
		this.#box.classList.toggle('held', held);
		this.#box.hidden = false;
		this.#held = held;
		this.#place(place);
	}

	/* Closes a tooltip that stays open.  Returns true if there was one. */
	release()
	{
		const held = this.#held;

		this.#held = false;
		this.#box.classList.remove('held');
		if (held)
			this.hide();
		return held;
	}

	hide()
	{
		if (this.#held)
			return;
		clearTimeout(this.#timer);
		this.#stop?.abort();
		this.#box.hidden = true;
		this.last = null;
	}

	/*
	 * @place: { x, y } in the window; @moved: true: the pointer moved; false: the view changed
	 * under the pointer
	 */
	point({ row, t, place, moved, nsPerPixel, page })
	{
		if (this.#held)
			return;
		clearTimeout(this.#timer);
		this.#stop?.abort();
		if (!row || row.type === 'host') {
			this.hide();
			return;
		}
		if (!moved)
			this.hide();
		this.#place(place);
		this.#timer = setTimeout(() => this.#ask(row, t, place, nsPerPixel, page), ASK_MS);
	}

	async #ask(row, t, place, nsPerPixel, page)
	{
		const stop = this.#stop = new AbortController();
		let at;

		try {
			at = await this.#source.at(row.key, t,
				Math.max(nsPerPixel * NEAR_PIXELS, 1), stop.signal);
		} catch (error) {
			if (error.name !== 'AbortError')
				this.hide();
			return;
		}
		this.last = { row, at };
		this.#show(row, at, t, page);
		this.#place(place);
		this.#shown();
	}

	#line(name, text)
	{
		return element('div', { className: 'pair' },
			element('span', { className: 'faint' }, name), element('span', {}, text));
	}

	#show(row, at, t, { names, colours, log, view, losses })
	{
		const host = log.hosts[row.host];
		const lines = [];
		/* busy_ns is null if the log has no context switches. */
		const unknown = host.cpus[0]?.busy_ns === null ? 'not recorded' : 'not known';
		const nameOf = (task) => task ? task.id === 0 ? names.nobody(row.host) :
			`${clean(task.comm)} ${task.pid}` : unknown;
		const swatch = element('span', { className: 'swatch' });
		const { task } = at;

		if (task) {
			names.put(row.host, task);
			swatch.style.background = css(colours.task(row.host, task.id));
		}
		const where = at.context && at.context !== 'task' && at.context !== 'off' ?
			` in ${at.context}${at.context_name ? ` ${clean(at.context_name)}` : ''}` : '';

		lines.push(element('div', { className: 'title' }, swatch,
			element('b', {}, nameOf(task)), element('span', {}, where)));
		const loss = losses.list.find(({ lane, from, to }) => lane === row.lane &&
			from <= t && t <= to);

		if (!task && loss)
			lines.push(element('div', { className: 'lost' }, loss.lost === null ?
				'Events lost here' : `${count(loss.lost)} events lost here`));
		if (at.context === 'off')
			lines.push(element('div', {}, 'not running'));
		const long = (ns) => `${short(ns)}${ns >= 1000 ? ` = ${exact(ns)}` : ''}`;
		const spanned = Number.isFinite(at.begin) && Number.isFinite(at.end);

		if (where && Number.isFinite(at.context_begin) && Number.isFinite(at.context_end))
			lines.push(this.#line(`this ${at.context}`, long(at.context_end - at.context_begin)));
		/* As in evtlog stat, the task's time does not include interrupts. */
		if (Number.isFinite(at.ran_ns))
			lines.push(this.#line(task?.id === 0 ? `${names.nobody(row.host)} for` : 'ran', long(at.ran_ns)));
		if (spanned && at.ran_ns !== at.end - at.begin)
			lines.push(this.#line('with interrupts', long(at.end - at.begin)));
		if (spanned)
			lines.push(this.#line('from', `${seconds(at.begin)}`),
				this.#line('to', `${seconds(at.end)}`));
		if (at.left)
			lines.push(this.#line('left', `${clean(at.left)}${at.next ?
				`, then ${nameOf(at.next)}` : ''}`));
		else if (at.next)
			lines.push(this.#line('then', nameOf(at.next)));
		if (at.event && view.kinds & 1 << log.kinds.indexOf(at.event.kind) &&
		    !view.without.has(at.event.name)) {
			const words = clean(eventWords(at.event));

			lines.push(element('div', { className: 'event' },
				element('b', {}, clean(eventName(at.event))),
				` ${words.length > WORDS_MOST ? `${words.slice(0, WORDS_MOST)}…` : words}`),
				this.#line('at', seconds(at.event.t)));
		}
		const error = at.bounds[row.host];
		const bound = log.hosts.length < 2 || error === null ? '' : ` ±${short(error)}`;

		lines.push(element('div', { className: 'faint foot' },
			`${row.type === 'task' ? 'all CPUs' : `CPU ${row.cpu}`}, ${clean(
				host.name)} · ${seconds(t)}${bound}`));
		this.#box.replaceChildren(...lines);
		this.#box.classList.remove('packet');
		this.#box.hidden = false;
	}

	#place({ x, y })
	{
		const box = this.#box;

		if (box.hidden)
			return;
		const { offsetWidth: w, offsetHeight: h } = box;
		const left = x + 16 + w > innerWidth ? x - 16 - w : x + 16;
		const top = y + 18 + h > innerHeight ? y - 12 - h : y + 18;

		box.style.left = `${Math.max(left, 4)}px`;
		box.style.top = `${Math.max(top, 4)}px`;
	}
}
