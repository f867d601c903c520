// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page: connects its parts, and draws them after changes.
 *
 * Functions of keys and buttons are in ui/actions.js.
 */
import { Arrows } from './draw/arrows.js';
import { Chooser } from './ui/chooser.js';
import { Colours } from './draw/colours.js';
import { Counters } from './data/counters.js';
import { Gutter } from './draw/gutter.js';
import { Jitter } from './jitter/jitter.js';
import { Lanes } from './draw/lanes.js';
import { Legend } from './draw/legend.js';
import { Losses } from './draw/losses.js';
import { Marks } from './draw/marks.js';
import { Minimap } from './draw/minimap.js';
import { Names, clean } from './data/names.js';
import { Overlay } from './draw/overlay.js';
import { Paths } from './draw/paths.js';
import { Panels } from './ui/panels.js';
import { Profile } from './ui/profile.js';
import { Pointer } from './ui/pointer.js';
import { Rows, isLane } from './draw/rows.js';
import { Registered } from './draw/registered.js';
import { Ruler } from './draw/ruler.js';
import { Search } from './ui/search.js';
import { Selection } from './draw/selection.js';
import { SliceBegins } from './data/slice-begins.js';
import { Tiles, levelFor } from './data/tiles.js';
import { NEAR_PIXELS, Tooltip } from './draw/tooltip.js';
import { View } from './ui/view.js';
import { Found } from './ui/found.js';
import { bindActions } from './ui/actions.js';
import { expose } from './ui/expose.js';
import { byId } from './base/element.js';
import { packetText } from './draw/packet-text.js';
import { findTasks } from './data/link.js';
import { eventName, eventWords, kindBit } from './data/event-text.js';
import { seconds, short } from './data/times.js';
import { statistics } from './ui/statistics.js';
import { trackText } from './draw/track.js';
import { themeOf } from './draw/themes.js';

const ARROW_LANES = 64;
const BEYOND_PIXELS = 400;	/* lanes at this distance above and below are fetched ahead */

/* Numbers of the lanes of CPUs among @rows. */
function cpusOf(rows)
{
	return rows.filter(({ type }) => type === 'cpu').map(({ lane }) => lane);
}

export class Page {
	#dirty = new Set();
	#frame = 0;
	#resting = true;
	#scrolled = {};		/* last values set in the scroll bar */
	#first = true;
	#gone = null;
	#stepped = null;	/* { t, text } in the footer, of the last event or time shown */

	constructor(source, log)
	{
		this.source = source;
		this.log = log;
		this.names = new Names(source, log);
		this.colours = new Colours(this.names, log);
		this.view = new View(log, (texts) => this.#linked(texts));
		this.rows = new Rows();
		this.tiles = new Tiles(source);
		this.theme = themeOf(this.colours.theme);
		this.lanes = new Lanes(byId('lanes'));
		this.overlay = new Overlay(byId('overlay'));
		this.ruler = new Ruler(byId('ruler'));
		this.minimap = new Minimap(byId('minimap'), this.view);
		this.profile = source.profile ? new Profile(source, this.view) : null;
		this.gutter = new Gutter(byId('gutter'), this.profile &&
			((host, id) => this.#profileOf(host, id)));
		this.tooltip = new Tooltip(byId('tooltip'), source,
			() => this.invalidate('overlay'));
		this.arrows = new Arrows(source);
		this.paths = new Paths(source, log);
		this.registered = new Registered(source, log);
		this.losses = new Losses(source, log);
		this.counters = new Counters(source);
		this.begins = new SliceBegins(source);
		this.panels = new Panels();
		this.marks = new Marks(source, byId('panel-marks'), (t) => this.#goTo(t));
		this.pointer = new Pointer({ view: this.view, rows: this.rows, stage: byId('stage'),
			ruler: byId('ruler'), source });
	}

	async open()
	{
		const { view, log } = this;
		const named = clean(log.title || log.hosts.map(({ name }) => name).join(', '));
		const deep = /(^#|&)from=/.test(location.hash);

		byId('title').textContent = named;
		byId('title').title = named;
		document.title = `${named} – evtlog`;
		view.attach();
		this.selection = new Selection(byId('panel-selection'), this.source, view, this.profile);
		this.legend = new Legend(byId('panel-legend'), this);
		this.chooser = new Chooser(byId('chooser'), view, log, Boolean(this.source.counters));
		const found = new Found(this);

		this.search = new Search(byId('search'), byId('found'), this.source, log,
			found, () => this.view.from);
		this.jitter = new Jitter(this);
		this.#listen();
		bindActions(this);
		this.#statistics();
		expose(this);
		if (!deep)
			this.panels.show('start');
		else if (view.selection)
			this.panels.show('selection');
		this.#retheme();
		this.jitter.update();
		this.resize();
		this.#missing();
		this.marks.load();
		this.#settle();
		await this.minimap.load(this.source).catch((error) => this.fail(error));
	}

	#goTo(t)
	{
		this.view.reveal(t);
		this.view.changed(true);
	}

	/* Finds the tasks of a link. */
	async #linked(texts)
	{
		const found = await findTasks(texts, this.log, this.source).catch((error) => {
			this.fail(error);
			return new Map();
		});

		for (const task of found.values())
			if (task)
				this.names.put(task.host, task);
		return found;
	}

	#profileOf(host, id)
	{
		const { view } = this;

		this.profile.choose(`task=t${host}.${id}`);
		if (!view.selection) {
			view.selection = { from: Math.round(view.from), to: Math.round(view.to) };
			view.changed();
		}
		this.panels.show('selection');
		this.selection.draw();
	}

	#statistics()
	{
		statistics(byId('statistics'), this.log, { names: this.names,
			pin: (task) => this.view.pin(task.host, task) });
	}

	#listen()
	{
		const { view } = this;

		view.addEventListener('change', () => {
			this.#resting = false;
			this.colours.filter = view.filter;
			if (view.jitter !== null)
				this.tooltip.release();
			this.jitter.update();
			this.invalidate('all');
		});
		view.addEventListener('rest', () => this.#settle());
		view.addEventListener('rest', () => this.#note());
		view.addEventListener('history', () => this.#missing());
		this.tiles.addEventListener('change', () => {
			this.#works();
			this.invalidate('lanes');
		});
		this.tiles.addEventListener('idle', () => {
			if (this.#resting) {
				/* Draw first: a frame finds the stretches of lost events. */
				this.draw();
				this.#losses();
				this.#say();
			}
		});
		this.tiles.addEventListener('error', (event) => this.fail(event.detail));
		this.names.addEventListener('change', () => this.invalidate('lanes'));
		this.colours.addEventListener('change', () => this.#retheme());
		this.arrows.addEventListener('change', () => {
			this.#note();
			this.invalidate('overlay');
		});
		this.paths.addEventListener('change', () => {
			this.#note();
			this.invalidate('overlay');
		});
		this.registered.addEventListener('change', () => {
			this.#note();
			this.#legend();
			this.invalidate('lanes');
		});
		this.losses.addEventListener('change', () => this.invalidate('overlay'));
		this.begins.addEventListener('change', () => this.invalidate('lanes'));
		this.counters.addEventListener('change', () => this.invalidate('lanes'));
		this.counters.addEventListener('error', (event) => this.fail(event.detail));
		this.marks.addEventListener('change', () => this.invalidate('all'));
		this.minimap.addEventListener('change', () => this.invalidate('all'));
		this.pointer.addEventListener('point', () => this.#pointed());
		this.pointer.addEventListener('click', () => this.clicked());
		this.pointer.addEventListener('selected', () => this.panels.show('selection'));
		this.panels.addEventListener('change', () => this.resize());
		new ResizeObserver(() => this.resize()).observe(byId('stage'));
		matchMedia('(prefers-color-scheme: light)').addEventListener('change',
			() => this.#retheme());
		byId('scroller').addEventListener('scroll', (event) => {
			if (Math.abs(event.target.scrollTop - this.rows.scroll) > 1) {
				view.scroll = event.target.scrollTop;
				view.changed();
			}
		});
		byId('gutter').addEventListener('wheel', (event) => {
			event.preventDefault();
			view.scroll = Math.min(Math.max(this.rows.scroll + event.deltaY, 0),
				this.rows.scrollRange);
			view.changed();
		}, { passive: false });
	}

	#retheme()
	{
		this.theme = themeOf(this.colours.theme);
		this.colours.light = this.theme.name === 'light';
		document.documentElement.dataset.theme = this.theme.name;
		byId('theme').textContent = this.theme.name === 'dark' ? 'Light' : 'Dark';
		this.invalidate('all');
		this.jitter?.want();
		this.#legend();
	}

	resize()
	{
		const stage = byId('stage');
		const scale = devicePixelRatio || 1;
		const { clientWidth: width, clientHeight: height } = stage;
		const map = byId('minimap');

		if (!width || !height)
			return;
		this.lanes.resize(width, height, scale);
		this.overlay.resize(width, height, scale);
		this.ruler.resize(width, scale);
		this.minimap.resize(map.clientWidth, map.clientHeight, scale);
		this.invalidate('all');
		this.draw();
		this.#settle();
	}

	/* Draws @what, 'all', 'lanes' or 'overlay', in the next frame. */
	invalidate(what)
	{
		this.#dirty.add(what);
		this.#frame ||= requestAnimationFrame(() => this.draw());
	}

	draw()
	{
		const { view, rows, theme, colours, names, log } = this;
		const all = this.#dirty.has('all');
		const marks = this.marks.list;
		const stage = byId('stage');

		cancelAnimationFrame(this.#frame);
		this.#frame = 0;
		/* The timeline is hidden, and is drawn when it is shown again. */
		if (this.jitter?.open)
			return;
		if (all) {
			rows.update(view, log, stage.clientHeight);
			this.#scrollbar();
			/* A resting view stays refined, for example after a change of theme. */
			this.want(this.#resting);
			this.pointer.refresh();
		}
		const pointer = this.pointer.t;

		if (all || this.#dirty.has('lanes')) {
			this.lanes.paint({ rows, view, tiles: this.tiles, colours, names, begins: this.begins, theme,
				kinds: this.#tickKinds(), counters: this.counters });
			this.#markFirst();
			this.gutter.update({ view, rows, colours, names, log });
		}
		this.ruler.paint({ view, theme, marks, pointer });
		this.overlay.paint({ view, rows, theme, marks, pointer,
			pointerHost: this.pointer.row?.host ?? null, arrows: this.arrows,
			paths: this.paths, registered: this.registered, colours, losses: this.losses.list, bounds: (a, b) => this.bound(a, b) });
		if (all) {
			this.minimap.paint({ view, theme, colours, marks });
			this.#write('anchor', this.ruler.anchor);
			this.#write('span', short(view.span));
			this.zoomShown?.();
		}
		this.#dirty.clear();
	}

	/* The kinds with ticks: without registered events, if all their marks are loaded. */
	#tickKinds()
	{
		const { view, log, registered } = this;

		return registered.covers(view, cpusOf(this.rows.visibleLanes())) ?
			view.kinds & ~kindBit(log, 'put') : view.kinds;
	}

	/* Shows what the log lacks of the last link. */
	#missing()
	{
		this.#write('missing', this.view.missing);
		byId('missing').hidden = !this.view.missing;
	}

	/* For measurements: the time when all visible lanes were first drawn completely. */
	#markFirst()
	{
		if (!this.#first || !this.lanes.whole)
			return;
		this.#first = false;
		performance.mark('evtlog.lanes');
	}

	/* Sets a text only if it changed: otherwise each frame would lay out the page. */
	#write(id, text)
	{
		if (byId(id).textContent !== text)
			byId(id).textContent = text;
	}

	#scrollbar()
	{
		const scroller = byId('scroller');

		const high = this.rows.contentHeight + this.rows.pinnedHeight;

		if (this.#scrolled.high !== high || this.#scrolled.top !== this.rows.scroll) {
			scroller.firstElementChild.style.height = `${high}px`;
			scroller.scrollTop = this.rows.scroll;
			this.#scrolled = { high, top: this.rows.scroll };
		}
	}

	want(refine = false)
	{
		const { view, rows } = this;
		const level = levelFor(view.span / this.lanes.width);
		const seen = rows.visibleLanes().map(({ key }) => key);
		const seenSet = new Set(seen);
		const beyond = rows.visibleLanes(BEYOND_PIXELS).map(({ key }) => key)
			.filter((key) => !seenSet.has(key));

		this.tiles.want(seen, level, view.from, view.to, refine, beyond);
	}

	/* The view rests: requests the data that are not requested while it moves. */
	#settle()
	{
		if (this.jitter.open)
			return;
		/* Update the rows first, as the view may have changed since the last frame. */
		if (this.#dirty.has('all'))
			this.draw();
		const lanes = this.rows.visibleLanes();

		this.#resting = true;
		this.want(true);
		this.arrows.want(this.view, this.#arrowLanes(lanes).join(','));
		this.paths.want(this.view, byId('stage').clientWidth);
		this.registered.want(this.view, this.#arrowLanes(lanes));
		this.counters.want(this.view, this.rows.visibleTracks(), byId('stage').clientWidth);
		this.#losses();
		if (this.panels.shown === 'selection' || this.view.selection)
			this.selection.draw();
		this.#legend();
		this.#say();
	}

	/* If there are few lanes, all of them, so that arrows can lead to hidden lanes. */
	#arrowLanes(seen)
	{
		const all = this.rows.lanes();

		return cpusOf(all.length <= ARROW_LANES ? all : seen);
	}

	#losses()
	{
		this.losses.want(this.lanes.lossy, this.view.span / this.lanes.width);
	}

	#legend()
	{
		if (this.panels.shown !== 'legend' || !this.legend)
			return;
		this.lanes.counting = true;
		this.invalidate('lanes');
		this.draw();
		this.lanes.counting = false;
		this.legend.draw(this.lanes.inSight(), this.registered.inSight(this.view));
	}

	#say()
	{
		const { view } = this;
		const lanes = this.rows.visibleLanes().length;
		const all = this.rows.lanes().length;
		const seen = all > lanes ? `${lanes} of ${all} lanes` :
			`${lanes} ${lanes === 1 ? 'lane' : 'lanes'}`;
		const text = `From ${seconds(view.from)} to ${seconds(view.to)} (${short(view.span)}), ${
			seen}${view.filter ? `, tasks with "${clean(view.filter)}"` : ''}`;

		if (byId('status').textContent !== text)
			byId('status').textContent = text;
		byId('lanes').setAttribute('aria-label', `Lanes over time: ${text}`);
		this.#legend();
	}

	/*
	 * The clock error between two hosts at the pointer's time: the sum of both errors.  null
	 * if unknown, and until the tooltip's answer for this time is there.
	 */
	bound(a, b)
	{
		const at = this.tooltip.last?.at;

		if (at?.t !== Math.round(this.pointer.t))
			return null;
		const bounds = [at.bounds?.[a], at.bounds?.[b]];

		if (bounds.some((bound) => bound === null || bound === undefined))
			return null;
		return Number(bounds[0]) + Number(bounds[1]);
	}

	#pointed()
	{
		const { pointer } = this;
		const stage = byId('stage');

		const packet = this.#packetAt();

		byId('now').textContent = pointer.t === null ? '' : seconds(pointer.t);
		if (packet)
			this.tooltip.showText(packetText(packet, this.paths.stations, this.log.hosts), pointer.place);
		else if (pointer.row?.type === 'track')
			this.#showTrack(pointer.row, pointer.t, pointer.place);
		else if (isLane(pointer.row))
			this.tooltip.point({ row: pointer.row, t: pointer.t, place: pointer.place,
				moved: pointer.moved, nsPerPixel: this.view.span / stage.clientWidth, page: this });
		else
			this.tooltip.hide();
		this.invalidate('overlay');
	}

	#showTrack(row, t, place)
	{
		this.tooltip.showText(trackText(this.counters.at(row.host, row.lane, row.counter, t), row,
			this.log.hosts[row.host]), place);
	}

	/* The packet whose path is under the pointer; null if none. */
	#packetAt()
	{
		const { place, row } = this.pointer;
		const box = byId('stage').getBoundingClientRect();

		return row ? this.paths.at(place.x - box.left, place.y - box.top) : null;
	}

	/* Highlights the path of a packet; null: of none. */
	choosePacket(packet)
	{
		this.view.packet = packet?.id ?? null;
		this.view.changed();
	}

	/* Chooses the lane or packet under the pointer, and keeps its tooltip open. */
	async clicked()
	{
		const { row, t } = this.pointer;

		this.tooltip.release();
		if (!isLane(row))
			return;
		const packet = this.#packetAt();

		if (packet) {
			this.tooltip.showText(packetText(packet, this.paths.stations, this.log.hosts),
				{ ...this.pointer.place }, true);
			this.choosePacket(packet);
			return;
		}
		this.view.packet = null;
		this.view.active = row.key;
		this.view.changed();
		const place = { ...this.pointer.place };

		try {
			const at = await this.source.at(row.key, t,
				this.view.span / byId('stage').clientWidth * NEAR_PIXELS);
			const task = at.task?.id ? at.task : null;

			if (task) {
				this.names.put(row.host, task);
				this.choose(row.host, task.id);
				if (Number.isFinite(at.begin))
					this.followed({ lane: at.lane ?? row.lane, begin: at.begin, end: at.end });
			}
			this.tooltip.hold({ row, at, t, place, page: this, pin: task &&
				(() => this.view.pin(row.host, task)) });
		} catch (error) {
			this.fail(error);
		}
	}

	/* Sets the footer's text about a time; it is removed when the view leaves the time. */
	setNote(t, text)
	{
		this.#stepped = { t, text };
	}

	/* Writes an event to which the user stepped in the footer. */
	noteEvent(event, row)
	{
		const lane = row.type === 'cpu' ? `CPU ${row.cpu}` : this.names.label(row.host, row.id);
		const words = clean(eventWords(event));

		this.setNote(event.t, `${seconds(event.t)} ${clean(this.log.hosts[row.host].name)}, ${lane}: ${
			clean(eventName(event))} ${words}`);
		this.#note();
	}

	/* The footer: the text of setNote(), and why arrows, paths or marks are not shown. */
	#note()
	{
		const { from, to } = this.view.target;

		if (this.#stepped && (this.#stepped.t < from || this.#stepped.t > to))
			this.#stepped = null;
		this.#write('note', [this.#stepped?.text, this.arrows.note, this.paths.note, this.registered.note].filter((text) => text)
			.join(' · '));
	}

	/* The task that N and P follow. */
	choose(host, id)
	{
		this.chosen = { host, id };
		byId('prev-slice').disabled = byId('next-slice').disabled = false;
	}

	#works()
	{
		if (this.#gone === null)
			return;
		this.#gone = null;
		byId('banner').hidden = true;
	}

	/* Shows an error until a request succeeds. */
	fail(error)
	{
		if (error.name === 'AbortError')
			return;
		this.#gone = error;
		byId('banner').textContent = error.message;
		byId('banner').hidden = false;
	}
}

