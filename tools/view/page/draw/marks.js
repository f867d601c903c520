// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marks and notes, stored in a file next to the log.
 *
 * Stage: between /notes and the code that draws marks; the panel of marks is made here.  If
 * another page has changed the file, the user is informed and nothing is overwritten unless
 * the user asks for it.  Other contents of the file are kept.  A file without a list of marks
 * is never written.
 */
import { element } from '../base/element.js';
import { clean } from '../data/names.js';
import { seconds } from '../data/times.js';

export class Marks extends EventTarget {
	#source;
	#panel;
	#go;
	#etag = null;
	#kept = [];		/* marks in the file, as last read or written */
	#unsaved = [];		/* later changes, in order; they are in list */
	#pending = [];		/* changes that could not be saved; they are not in list */
	#queue = Promise.resolve();	/* serialises requests: each needs the previous ETag */
	#rest = {};		/* other contents of the file */
	#strange = [];		/* elements of the file's list that are no marks */
	#readable = true;
	#drawing = false;
	list = [];
	writable = true;
	message = '';

	/* @go(t): shows the time @t */
	constructor(source, panel, go)
	{
		super();
		this.#source = source;
		this.#panel = panel;
		this.#go = go;
	}

	load()
	{
		this.#queue = this.#queue.then(() => this.#load());
	}

	async #load()
	{
		try {
			const { etag, notes } = await this.#source.notes();

			this.#take(notes);
			this.#etag = etag;
			this.#readable = true;
		} catch (error) {
			this.#readable = false;
			this.message = `Marks cannot be read; new marks are kept only in this page: ${
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
			throw new Error('"marks" in the file of notes is not a list.');
		const isMark = (mark) => typeof mark === 'object' && Number.isFinite(mark?.t) &&
			['string', 'undefined'].includes(typeof mark.text);

		this.#kept = marks.filter(isMark).map((mark) => ({ lane: null, text: '', ...mark }));
		this.#strange = marks.filter((mark) => !isMark(mark));
		this.#rest = rest;
	}

	/* The file's marks after these changes. */
	#with(changes)
	{
		return changes.reduce((list, change) => this.#applied(change, list), this.#kept)
			.sort((a, b) => a.t - b.t);
	}

	#changed()
	{
		this.list = this.#with(this.#unsaved);
		this.#draw();
		this.dispatchEvent(new Event('change'));
	}

	/* Adds a mark and focuses the field for its text. */
	add(t, lane)
	{
		const mark = { t: Math.round(t), lane, text: '' };

		this.#save({ add: mark });
		const index = this.list.indexOf(mark);

		this.#panel.querySelectorAll('input')[index]?.focus();
	}

	#save(change)
	{
		this.#unsaved.push(change);
		if (this.#readable)
			this.message = '';
		this.#changed();
		this.#queue = this.#queue.then(() => this.#write(change));
	}

	/* Saves a change and all unsaved changes before it. */
	async #write(change)
	{
		const sent = this.#unsaved.slice(0, this.#unsaved.indexOf(change) + 1);
		const marks = this.#with(sent);

		if (!sent.length || !this.#readable)
			return;
		try {
			this.#etag = await this.#source.putNotes({ ...this.#rest,
				marks: [...marks, ...this.#strange] }, this.#etag);
			this.#kept = marks;
			this.#unsaved = this.#unsaved.filter((one) => !sent.includes(one));
			if (this.#pending.length) {
				this.#pending = this.#pending.filter((one) => !sent.includes(one));
				this.#draw();
			}
		} catch (error) {
			if (error.status === 403) {
				this.writable = false;
				this.message = `Not saved, only in this page: ${error.message}`;
			} else if (error.status === 409 || error.status === 412) {
				await this.#load();
				if (!this.#readable)
					return;
				this.#leave(this.#unsaved);
				this.message = 'Another page changed the notes: they are shown ' +
					'now; your last change was not saved.';
			} else {
				this.#leave([change]);
				this.message = `Not saved: ${error.message}`;
			}
			this.#changed();
		}
	}

	#leave(changes)
	{
		this.#pending = [...new Set([...this.#pending, ...changes])];
		this.#unsaved = this.#unsaved.filter((one) => !changes.includes(one));
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
		const { activeElement: active } = document;
		const written = this.#panel.contains(active) && active.dataset.t ? active : null;

		this.#drawing = true;
		this.#panel.replaceChildren(
			element('h2', {}, 'Marks'),
			element('p', { className: 'faint' }, this.#source.offline ?
				'Marks of the time of the export.' :
				'M marks the time at the pointer. Marks are saved in a file next to the log.'),
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
						onblur: ({ target }) => {
							if (!this.#drawing && target.value !== mark.text)
								this.#save({ from: mark, text: target.value });
						},
						onkeydown: (event) => {
							if (event.key === 'Enter')
								event.target.blur();
						} }),
					element('button', { type: 'button', className: 'close',
						'aria-label': `Remove mark at ${seconds(mark.t)}`,
						onclick: () => this.#save({ remove: mark }) }, '×')))) :
				element('p', {}, 'None yet.'));
		this.#drawing = false;
		/* Keep the text that the user is typing. */
		const again = written && this.#panel.querySelector(`input[data-t="${
			CSS.escape(written.dataset.t)}"]`);

		if (again) {
			again.value = written.value;
			again.focus();
		}
	}
}
