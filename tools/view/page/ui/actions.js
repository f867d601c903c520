// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The functions of keys and buttons.
 *
 * Stage: between the controls and the page; keys.js calls the methods.
 */
import { bindKeys, keysTable } from './keys.js';
import { byId } from '../base/element.js';
import { isLane } from '../draw/rows.js';

const ZOOM_LEAST = 10;	/* ns visible at the slider's right end */
const ZOOM_STEPS = 1000;
const SLICE_MARGIN = 3;
const SKIPPED_MOST = 100;

export function bindActions(page)
{
	const { view } = page;
	const actions = new Actions(page);
	const slider = byId('zoom');
	const press = (id, action) => byId(id).addEventListener('click', action);

	/* The slider is logarithmic: left the whole run, right single ns. */
	slider.addEventListener('input', () => {
		const part = slider.value / ZOOM_STEPS;
		const span = view.end * (ZOOM_LEAST / view.end) ** part;
		const middle = actions.focus;

		view.zoom(span / view.span, middle);
	});
	page.zoomShown = () => {
		const part = Math.log(view.span / view.end) / Math.log(ZOOM_LEAST / view.end);

		slider.value = Math.round((part || 0) * ZOOM_STEPS);
		slider.setAttribute('aria-valuetext', `${byId('span').textContent} seen`);
	};
	page.goToTask = () => actions.goToTask();
	/* Sets the slice from which N and P continue. */
	page.followed = (slice) => { actions.followed = { ...page.chosen, ...slice }; };
	press('back', () => view.back());
	press('forward', () => view.forward());
	press('fit', () => view.fit());
	press('mark', () => actions.mark());
	press('copy', () => actions.copy());
	press('theme', () => actions.toggleTheme());
	press('help', () => actions.help());
	press('prev-slice', () => actions.slice('prev'));
	press('next-slice', () => actions.slice('next'));
	view.addEventListener('history', () => {
		byId('back').disabled = !view.canBack;
		byId('forward').disabled = !view.canForward;
	});
	byId('keys').append(keysTable());
	bindKeys(actions);
}

class Actions {
	#page;

	constructor(page)
	{
		this.#page = page;
	}

	get view()
	{
		return this.#page.view;
	}

	get targetSpan()
	{
		const { from, to } = this.view.target;

		return to - from;
	}

	/* The centre of a zoom: the pointer's time, else the middle of the view. */
	get focus()
	{
		const { t } = this.#page.pointer;
		const { from, to } = this.view.target;

		return t !== null && t >= from && t <= to ? t : (from + to) / 2;
	}

	/* The lane for keys: the lane under the pointer, else the chosen lane. */
	get #lane()
	{
		const { row } = this.#page.pointer;

		if (isLane(row))
			return row;
		return this.#page.rows.byKey(this.view.active) ?? this.#page.rows.visibleLanes()[0] ??
			null;
	}

	fit()
	{
		const { selection } = this.view;

		if (selection && selection.to > selection.from &&
		    (Math.abs(this.view.from - selection.from) > 1 ||
		     Math.abs(this.view.to - selection.to) > 1))
			this.view.glide(selection.from, selection.to);
		else
			this.view.fit();
	}

	nextLane(step)
	{
		const { rows } = this.#page;
		const lanes = rows.lanes();
		const at = lanes.findIndex(({ key }) => key === this.view.active);
		const row = lanes[Math.min(Math.max(at + step, 0), lanes.length - 1)];

		if (!row)
			return;
		this.view.active = row.key;
		if (row.type !== 'task') {
			const top = rows.top(row) - rows.pinnedHeight;
			const room = rows.height - rows.pinnedHeight;

			if (top < 0)
				this.view.scroll = row.y;
			else if (top + row.h > room)
				this.view.scroll = row.y + row.h - room;
		}
		this.view.changed();
	}

	scroll(pages)
	{
		const { rows } = this.#page;

		this.view.scroll = Math.min(Math.max(rows.scroll + pages * rows.height, 0),
			rows.scrollRange);
		this.view.changed();
	}

	/* Next or previous event, from the last event shown on this lane, else from the focus. */
	async step(direction)
	{
		const row = this.#lane;

		if (!row)
			return;
		const { view } = this;
		const inView = this.stepped && this.stepped.key === row.key &&
			this.stepped.t >= view.from && this.stepped.t <= view.to;
		const t = inView ? this.stepped.t : this.focus;

		try {
			const ask = (from) => this.#page.source.next(row.key,
				{ [direction === 'next' ? 'after' : 'before']: Math.round(from) }, { kinds: view.kinds });
			let { event } = await ask(t);

			/* Skip events that the legend hides by name. */
			for (let i = 0; event && view.without.has(event.name) && i < SKIPPED_MOST; i++)
				({ event } = await ask(event.t));
			if (!event)
				return;
			this.stepped = { key: row.key, t: event.t };
			view.active = row.key;
			if (!view.selection || view.selection.from === view.selection.to)
				view.selection = { from: event.t, to: event.t };
			view.reveal(event.t);
			view.changed(true);
			this.#page.noteEvent(event, row);
		} catch (error) {
			this.#page.fail(error);
		}
	}

	/* Next or previous slice, from the last slice shown if visible, else from the focus. */
	async slice(direction)
	{
		const { chosen, source, view } = this.#page;

		if (!chosen)
			return;
		const found = this.followed;
		const same = found && found.host === chosen.host && found.id === chosen.id &&
			found.end >= view.from && found.begin <= view.to;
		const from = same ? found.begin : this.focus;
		const find = (when) => source.find(chosen.host, chosen.id, when);

		try {
			let slice = await find(direction === 'next' ? { after: Math.floor(from) } :
				{ before: Math.ceil(from) });

			/* Skip the slice under the pointer. */
			if (slice && direction !== 'next' && !same && slice.end > from)
				slice = await find({ before: slice.begin });
			if (slice)
				this.#goTo(slice);
		} catch (error) {
			this.#page.fail(error);
		}
	}

	/* Shows the chosen task's first visible slice, else its nearest slice. */
	async goToTask()
	{
		const { chosen, source, view } = this.#page;
		const { from, to } = view;

		try {
			const after = await source.find(chosen.host, chosen.id,
				{ after: Math.ceil(from) - 1 });
			const before = after && after.begin < to ? null :
				await source.find(chosen.host, chosen.id, { before: Math.ceil(from) });
			const nearer = before && (!after || before.end > from ||
				from - before.end < after.begin - to);

			if (before || after)
				this.#goTo(nearer ? before : after);
		} catch (error) {
			this.#page.fail(error);
		}
	}

	#goTo(slice)
	{
		const { chosen, view } = this.#page;

		this.followed = { ...chosen, ...slice };
		view.active = String(slice.lane);
		view.selection = { from: slice.begin, to: slice.end };
		if (slice.end - slice.begin < view.span / 200) {
			const span = (slice.end - slice.begin) * SLICE_MARGIN * 10;
			const middle = (slice.begin + slice.end) / 2;

			view.jump(middle - span / 2, middle + span / 2);
		} else {
			view.reveal(slice.begin, slice.end);
		}
		view.changed(true);
	}

	searchFocus()
	{
		this.#page.search.focus();
	}

	mark()
	{
		const { row } = this.#page.pointer;

		this.#page.panels.show('marks');
		this.#page.marks.add(this.focus, row?.type === 'cpu' ? row.lane : null);
	}

	collapseAll()
	{
		const { view, log } = this.#page;

		view.collapsed = view.collapsed.size ? new Set() : new Set(log.hosts.keys());
		view.changed();
	}

	/* Hides the tracks, or shows the last hidden ones; at first, runnable tasks. */
	toggleTracks()
	{
		const { view, source } = this.#page;

		if (!source.counters)
			return;
		[view.tracks, this.hiddenTracks] = view.tracks.size ? [new Set(), view.tracks] :
			[this.hiddenTracks ?? new Set(['runnable']), null];
		view.changed();
	}

	togglePerCpu()
	{
		const { view } = this.#page;

		view.perCpu = !view.perCpu;
		view.changed();
	}

	async copy()
	{
		const url = location.href;
		const button = byId('copy');

		try {
			await navigator.clipboard.writeText(url);
			button.textContent = 'Copied';
		} catch {
			button.textContent = 'See the address bar';
		}
		setTimeout(() => { button.textContent = 'Copy link'; }, 1500);
	}

	toggleTheme()
	{
		const { colours, theme } = this.#page;

		colours.theme = theme.name === 'dark' ? 'light' : 'dark';
	}

	jitter()
	{
		if (this.#page.jitter.hosts.length)
			this.#page.jitter.toggle();
	}

	/* The jitter view gets all keys while it is open, except theme, help, back and forward. */
	jitterKey(event, field)
	{
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		const framed = ['t', '?', '[', ']'].includes(key) || document.querySelector('dialog[open]');

		if (!this.#page.jitter.open || framed || key === 'Tab')
			return false;
		if (field)
			return false;
		/* Buttons and boxes handle these keys themselves. */
		if (event.target.closest?.('button, input, select') && ['Enter', ' '].includes(key))
			return false;
		return this.#page.jitter.key(key) || key.length === 1;
	}

	help()
	{
		byId('help-dialog').showModal();
	}

	/* One at a time: what is open, the packet, the selection, the panel, the chosen lane. */
	escape()
	{
		const { view } = this;

		if (this.#page.tooltip.release())
			return;
		this.#page.tooltip.hide();
		if (document.querySelector('dialog[open]'))
			return;
		if (this.#page.search.close())
			return;
		if (document.activeElement?.matches?.('input'))
			document.activeElement.blur();
		else if (view.packet !== null)
			view.packet = null;
		else if (view.selection)
			view.selection = null;
		else if (this.#page.panels.shown)
			this.#page.panels.show(null);
		else
			view.active = null;
		view.changed();
	}
}
