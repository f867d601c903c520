// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pointer on lanes and ruler: zooms by wheel, moves by dragging, selects, clicks, points.
 *
 * Stage: turns pointer events into changes of the view and of the time and row under the pointer.
 */

const CLICK_PIXELS = 4;
const WHEEL_STEP = 0.0022;
const SNAP_PIXELS = 8;

/* Finds the edge of a slice, or the event, that is nearest to a time on a lane. */
class Snap {
	#source;
	#busy = false;

	constructor(source)
	{
		this.#source = source;
	}

	/* Returns the snapped time, or @t if nothing is near. */
	async to(lane, t, nsPerPixel)
	{
		const near = Math.max(nsPerPixel * SNAP_PIXELS, 1);
		let at;

		if (lane === null)
			return t;
		try {
			at = await this.#source.at(lane, t, near);
		} catch {
			return t;
		}
		const candidates = [at.begin, at.end, at.event?.t]
			.filter((c) => Number.isFinite(c) && Math.abs(c - t) <= near);

		return candidates.reduce((best, c) => best === null ||
			Math.abs(c - t) < Math.abs(best - t) ? c : best, null) ?? t;
	}

	/* As to(), for use while dragging.  Returns null if another request is under way. */
	async hint(lane, t, nsPerPixel)
	{
		if (this.#busy)
			return null;
		this.#busy = true;
		try {
			return await this.to(lane, t, nsPerPixel);
		} finally {
			this.#busy = false;
		}
	}
}

export class Pointer extends EventTarget {
	#view;
	#rows;
	#stage;
	#snap;
	#drag = null;
	#selecting = 0;
	#last = null;	/* key of the last CPU's lane under the pointer */
	t = null;	/* time under the pointer */
	row = null;
	place = { x: 0, y: 0 };
	moved = false;	/* true: the pointer moved, not the view */
	#over = null;	/* element under the pointer: the stage or the ruler */

	constructor({ view, rows, stage, ruler, source })
	{
		super();
		this.#view = view;
		this.#rows = rows;
		this.#stage = stage;
		this.#snap = new Snap(source);
		stage.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
		ruler.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
		stage.addEventListener('pointermove', (event) => this.#move(event));
		stage.addEventListener('pointerleave', () => this.#leave());
		stage.addEventListener('pointerdown', (event) => this.#down(event));
		stage.addEventListener('pointerup', (event) => this.#up(event));
		stage.addEventListener('pointercancel', () => { this.#drag = null; });
		ruler.addEventListener('pointerdown', (event) => this.#rulerDown(event));
		ruler.addEventListener('pointermove', (event) => this.#rulerMove(event));
		ruler.addEventListener('pointerup', (event) => this.#rulerUp(event));
		ruler.addEventListener('pointerleave', () => this.#leave());
	}

	get nsPerPixel()
	{
		return this.#view.span / this.#stage.clientWidth;
	}

	#time(event)
	{
		const box = this.#stage.getBoundingClientRect();

		return this.#view.from + (event.clientX - box.left) * this.nsPerPixel;
	}

	#emit(name)
	{
		this.dispatchEvent(new Event(name));
	}

	/* Updates the time and the row under the pointer after the view has changed. */
	refresh()
	{
		if (!this.#over || this.#drag)
			return;
		const box = this.#over.getBoundingClientRect();
		const { x, y } = this.place;

		if (x < box.left || x >= box.right || y < box.top || y >= box.bottom) {
			this.#leave();
			return;
		}
		const t = this.#time({ clientX: x });
		const row = this.#over === this.#stage ? this.#rows.at(y - box.top) : null;

		if (t === this.t && row?.key === this.row?.key) {
			this.row = row;
			return;
		}
		this.t = t;
		this.row = row;
		this.#emit('point');
	}

	#wheel(event)
	{
		const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 200 : 1;
		const down = event.deltaY * unit, right = event.deltaX * unit;

		event.preventDefault();
		this.#over = event.currentTarget;
		this.place = { x: event.clientX, y: event.clientY };
		this.t ??= this.#time(event);
		if (event.altKey) {
			this.#scroll(down);
		} else if (event.shiftKey || Math.abs(right) > Math.abs(down)) {
			this.#view.pan((right || down) * this.nsPerPixel);
		} else {
			const most = Math.min(Math.max(down, -300), 300);

			this.#view.zoom(Math.exp(most * WHEEL_STEP), this.#time(event));
		}
	}

	#scroll(pixels)
	{
		this.#view.scroll = Math.min(Math.max(this.#rows.scroll + pixels, 0),
			this.#rows.scrollRange);
		this.#view.changed();
	}

	#point(event)
	{
		const box = this.#stage.getBoundingClientRect();

		this.#over = this.#stage;
		this.t = this.#time(event);
		this.row = this.#rows.at(event.clientY - box.top);
		if (this.row?.type === 'cpu')
			this.#last = this.row.key;
		this.place = { x: event.clientX, y: event.clientY };
	}

	#leave()
	{
		if (this.#drag)
			return;
		this.#over = null;
		this.t = null;
		this.row = null;
		this.#emit('point');
	}

	#down(event)
	{
		if (event.button !== 0)
			return;
		this.#point(event);
		this.#stage.setPointerCapture(event.pointerId);
		this.#drag = { x: event.clientX, y: event.clientY, moved: false,
			from: this.#view.from, scroll: this.#rows.scroll,
			select: event.shiftKey && this.row ? this.#laneOf(this.row) : null, start: this.t };
		if (this.#drag.select !== null)
			this.#begin(this.t, this.#drag.select, event.altKey);
		event.preventDefault();
		document.activeElement?.blur?.();
	}

	#move(event)
	{
		const drag = this.#drag;

		this.#point(event);
		if (!drag) {
			this.moved = true;
			this.#emit('point');
			this.moved = false;
			return;
		}
		const dx = event.clientX - drag.x, dy = event.clientY - drag.y;

		drag.moved ||= Math.hypot(dx, dy) >= CLICK_PIXELS;
		if (!drag.moved)
			return;
		if (drag.select !== null) {
			this.#extend(this.t, drag.select, event.altKey);
			return;
		}
		this.#stage.classList.add('panning');
		const from = drag.from - dx * this.nsPerPixel;

		this.#view.scroll = Math.min(Math.max(drag.scroll - dy, 0), this.#rows.scrollRange);
		this.#view.show(from, from + this.#view.span);
		this.t = this.#time(event);
		this.#emit('point');
	}

	#up(event)
	{
		const drag = this.#drag;

		this.#drag = null;
		this.#stage.classList.remove('panning');
		if (!drag)
			return;
		this.#point(event);
		if (drag.select !== null && drag.moved)
			this.#finish(this.t, drag.select, event.altKey);
		else if (!drag.moved)
			this.#emit('click');
	}

	/* The lane to whose edges a selection on a row snaps; a track has no edges. */
	#laneOf(row)
	{
		return row.type === 'track' ? this.#lane() ?? row.key : row.key;
	}

	/* The lane to whose edges a selection on the ruler snaps. */
	#lane()
	{
		const { active } = this.#view;

		if (this.#rows.byKey(active)?.type === 'cpu')
			return active;
		if (this.#rows.byKey(this.#last))
			return this.#last;
		return this.#rows.visibleLanes().find(({ type }) => type === 'cpu')?.key ?? null;
	}

	#rulerDown(event)
	{
		if (event.button !== 0)
			return;
		event.currentTarget.setPointerCapture(event.pointerId);
		this.#drag = { ruler: true, x: event.clientX, moved: false };
		this.#begin(this.#time(event), this.#lane(), event.altKey);
		event.preventDefault();
	}

	#rulerMove(event)
	{
		this.#over = event.currentTarget;
		this.place = { x: event.clientX, y: event.clientY };
		this.t = this.#time(event);
		this.row = null;
		if (this.#drag?.ruler) {
			this.#drag.moved ||= Math.abs(event.clientX - this.#drag.x) >= CLICK_PIXELS;
			if (this.#drag.moved)
				this.#extend(this.t, this.#lane(), event.altKey);
		}
		this.#emit('point');
	}

	#rulerUp(event)
	{
		const drag = this.#drag;

		if (!drag?.ruler)
			return;
		this.#drag = null;
		if (drag.moved) {
			this.#finish(this.#time(event), this.#lane(), event.altKey);
		} else {
			this.#view.selection = null;
			this.#view.changed();
		}
	}

	#within(t)
	{
		return Math.min(Math.max(Math.round(t), 0), this.#view.end);
	}

	#set(a, b)
	{
		this.#view.selection = { from: Math.min(a, b), to: Math.max(a, b) };
		this.#view.changed();
	}

	async #begin(t, lane, free)
	{
		const selecting = ++this.#selecting;
		const start = this.#within(t);

		this.selectStart = start;
		if (free)
			return;
		const snapped = this.#within(await this.#snap.to(lane, t, this.nsPerPixel));

		if (selecting !== this.#selecting)
			return;
		this.selectStart = snapped;
		if (this.#view.selection && this.selectEnd !== undefined)
			this.#set(this.selectStart, this.selectEnd);
	}

	async #extend(t, lane, free)
	{
		const selecting = this.#selecting;

		this.selectEnd = this.#within(t);
		this.#set(this.selectStart, this.selectEnd);
		if (free)
			return;
		const snapped = await this.#snap.hint(lane, t, this.nsPerPixel);

		if (snapped === null || selecting !== this.#selecting || !this.#drag ||
		    Math.abs(this.selectEnd - snapped) > 8 * this.nsPerPixel)
			return;
		this.selectEnd = this.#within(snapped);
		this.#set(this.selectStart, this.selectEnd);
	}

	async #finish(t, lane, free)
	{
		const selecting = this.#selecting;

		if (!free)
			t = await this.#snap.to(lane, t, this.nsPerPixel);
		if (selecting !== this.#selecting)
			return;
		this.selectEnd = this.#within(t);
		this.#set(this.selectStart, this.selectEnd);
		this.selectEnd = undefined;
		this.#emit('selected');
	}
}
