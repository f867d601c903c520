// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marks and notes, kept in a file beside the log.
 *
 * Stage: between /notes and what draws marks; it owns their panel.  A change made
 * elsewhere meanwhile is told, never overwritten unasked.  What others keep in that
 * file stays in it; one that holds no list of marks is never written.
 */
import { element } from '../base/element.js';
import { clean } from '../data/names.js';
import { seconds } from '../data/times.js';

export class Marks extends EventTarget {
	#source;
	#panel;
	#go;
	#etag = null;
	#pending = [];		/* changes that were not saved, because the list was replaced */
	#written = Promise.resolve();	/* one after another: each needs the ETag of the one before */
	#replaced = 0;		/* how often the list was replaced by one without this page's changes */
	#rest = {};		/* what else the file has */
	#strange = [];		/* what is no mark among its marks */
	#readable = true;
	list = [];
	writable = true;
	message = '';

	/* @go(t): shows that time. */
	constructor(source, panel, go)
	{
		super();
		this.#source = source;
		this.#panel = panel;
		this.#go = go;
	}

	async load()
	{
		try {
			const { etag, notes } = await this.#source.notes();

			this.#take(notes);
			this.#etag = etag;
			this.#readable = true;
		} catch (error) {
			this.#readable = false;
			this.message = `Marks cannot be read, new ones are kept in this page only: ${
				error.message}`;
		}
		this.#changed();
	}

	#take(notes)
	{
		if (typeof notes !== 'object' || notes === null || Array.isArray(notes))
			throw new Error('the file of notes has another format.');
		const { marks = [], ...rest } = notes;

		if (!Array.isArray(marks))
			throw new Error('"marks" in the file of notes is no list.');
		const isMark = (mark) => typeof mark === 'object' && Number.isFinite(mark?.t) &&
			['string', 'undefined'].includes(typeof mark.text);

		this.list = this.#sorted(marks.filter(isMark).map((mark) =>
			({ lane: null, text: '', ...mark })));
		this.#replaced++;
		this.#strange = marks.filter((mark) => !isMark(mark));
		this.#rest = rest;
	}

	#sorted(marks)
	{
		return [...marks].sort((a, b) => a.t - b.t);
	}

	#changed()
	{
		this.#draw();
		this.dispatchEvent(new Event('change'));
	}

	/* Adds one and lets its text be written. */
	add(t, lane)
	{
		const mark = { t: Math.round(t), lane, text: '' };

		this.#save({ add: mark });
		const index = this.list.indexOf(mark);

		this.#panel.querySelectorAll('input')[index]?.focus();
	}

	#save(change)
	{
		const before = this.list;

		this.list = this.#sorted(this.#applied(change, this.list));
		if (change.add) {
			const same = this.list.findIndex(({ t, text }) => t === change.add.t &&
				text === change.add.text);

			this.list[same] = change.add;
		}
		if (!this.#readable) {
			this.#changed();
			return;
		}
		this.message = '';
		this.#changed();
		const replaced = this.#replaced;

		this.#written = this.#written.then(() => this.#write(change, before, replaced));
	}

	/* The change is in the list, unless that was replaced since; @before it, and @replaced so often. */
	async #write(change, before, replaced)
	{
		if (replaced !== this.#replaced) {
			this.#leave(change);
			this.#changed();
			return;
		}
		try {
			this.#etag = await this.#source.putNotes({ ...this.#rest,
				marks: [...this.list, ...this.#strange] }, this.#etag);
			this.#pending = [];
		} catch (error) {
			if (error.status === 409 || error.status === 412) {
				await this.load();
				if (!this.#readable)
					return;
				this.#leave(change);
				this.message = 'Another page changed the notes: they are shown ' +
					'now; your last change was not saved.';
			} else if (error.status === 403) {
				this.writable = false;
				this.message = `Not saved, only in this page: ${error.message}`;
			} else {
				this.list = before;
				this.#replaced++;
				this.message = `Not saved: ${error.message}`;
			}
			this.#changed();
		}
	}

	#leave(change)
	{
		this.#pending = [...this.#pending.filter((one) => one !== change), change];
	}

	#same(a, b)
	{
		return a.t === b.t && a.text === b.text && a.lane === b.lane;
	}

	#applied({ add, remove, from, text }, list)
	{
		if (add)
			return [...list, add];
		if (remove)
			return list.filter((mark) => !this.#same(mark, remove));
		return list.some((mark) => this.#same(mark, from)) ?
			list.map((mark) => this.#same(mark, from) ? { ...mark, text } : mark) :
			[...list, { ...from, text }];
	}

	#draw()
	{
		const focused = this.#panel.contains(document.activeElement) ?
			document.activeElement.dataset.t : null;

		this.#panel.replaceChildren(
			element('h2', {}, 'Marks'),
			element('p', { className: 'faint' }, this.#source.offline ?
				'Marks of the time of the export.' :
				'M marks the time at the pointer. Marks are saved in a file beside the log.'),
			...(this.message ? [element('p', { className: 'warning', role: 'alert' },
				this.message)] : []),
			...(this.#pending.length ? [element('button', { type: 'button',
				onclick: () => this.#pending.forEach((one) => this.#save(one)) },
				'Save mine as well')] : []),
			this.list.length ? element('ul', { className: 'marks' }, ...this.list.map((mark) =>
				element('li', {},
					element('button', { type: 'button', title: 'Show this time',
						onclick: () => this.#go(mark.t) }, seconds(mark.t)),
					element('input', { type: 'text', value: mark.text, maxLength: 400,
						placeholder: 'note', 'aria-label': `Note at ${seconds(mark.t)}`,
						'data-t': String(mark.t), 'data-shown': clean(mark.text),
						onchange: (event) => this.#save({ from: mark,
							text: event.target.value }),
						onkeydown: (event) => {
							if (event.key === 'Enter')
								event.target.blur();
						} }),
					element('button', { type: 'button', className: 'close',
						'aria-label': `Remove mark at ${seconds(mark.t)}`,
						onclick: () => this.#save({ remove: mark }) }, '×')))) :
				element('p', {}, 'None yet.'));
		if (focused !== null)
			this.#panel.querySelector(`input[data-t="${CSS.escape(focused)}"]`)?.focus();
	}
}
