// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The keys with their functions, and the list of keys for the help.
 *
 * Stage: turns keys into calls of actions.js.  Keys typed into a field are left to the field.
 */
import { element } from '../base/element.js';

const KEYS = [
	['W / S', 'zoom in / out (at the pointer, or the middle)'],
	['A / D, ← / →', 'move left / right'],
	['↑ / ↓', 'next lane up / down'],
	['Page up / down', 'scroll the lanes'],
	['F', 'fit the selection, then the whole run'],
	['. / ,', 'next / previous event of the lane under the pointer or chosen'],
	['N / P', 'next / previous slice of the chosen task'],
	['/', 'search a task, an event, a packet or a time'],
	['M', 'mark the time at the pointer'],
	['C', 'collapse or expand all hosts'],
	['R / E', 'counters as tracks (first: runnable tasks; chosen in the panel “Run”) / of each CPU'],
	['[ / ]', 'previous / next view, as in the browser'],
	['T', 'dark or light theme'],
	['J', 'jitter, if the log has samples; there L: linear, arrows: select a bar, Enter: list its interruptions'],
	['Esc', 'close, then clear the selection'],
	['?', 'this help'],
	['Wheel', 'zoom at the pointer; with Shift move, with Alt scroll lanes'],
	['Drag', 'move; with Shift, or on the ruler, select (snaps to edges; Alt: freely)'],
	['Click', 'on a slice: keep its details for copying; N and P go to the next and previous slice'],
];

export function keysTable()
{
	return element('dl', { className: 'keys' }, ...KEYS.flatMap(([key, what]) =>
		[element('dt', {}, key), element('dd', {}, what)]));
}

export function bindKeys(page)
{
	addEventListener('keydown', (event) => {
		const field = event.target.closest?.('input:not([type=checkbox]):not([type=range]), ' +
			'textarea, select');

		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (page.jitterKey(event, field)) {
			event.preventDefault();
			return;
		}
		if (event.key === 'Escape') {
			page.escape();
			return;
		}
		if (field || document.querySelector('dialog[open]'))
			return;
		const range = event.target.type === 'range' && event.key.startsWith('Arrow');
		const action = range ? null : actions[event.key.length === 1 ? event.key.toLowerCase() :
			event.key];

		if (!action)
			return;
		event.preventDefault();
		action(page);
	});
}

const ZOOM = 0.6;
const PAN = 0.22;

const actions = {
	w: (page) => page.view.zoom(ZOOM, page.focus, true),
	s: (page) => page.view.zoom(1 / ZOOM, page.focus, true),
	a: (page) => page.view.pan(-page.targetSpan * PAN, true),
	d: (page) => page.view.pan(page.targetSpan * PAN, true),
	ArrowLeft: (page) => page.view.pan(-page.targetSpan * PAN, true),
	ArrowRight: (page) => page.view.pan(page.targetSpan * PAN, true),
	ArrowUp: (page) => page.nextLane(-1),
	ArrowDown: (page) => page.nextLane(1),
	PageUp: (page) => page.scroll(-0.8),
	PageDown: (page) => page.scroll(0.8),
	f: (page) => page.fit(),
	'.': (page) => page.step('next'),
	',': (page) => page.step('prev'),
	n: (page) => page.slice('next'),
	p: (page) => page.slice('prev'),
	'/': (page) => page.searchFocus(),
	m: (page) => page.mark(),
	c: (page) => page.collapseAll(),
	r: (page) => page.toggleTracks(),
	e: (page) => page.togglePerCpu(),
	'[': (page) => page.view.back(),
	']': (page) => page.view.forward(),
	t: (page) => page.toggleTheme(),
	j: (page) => page.jitter(),
	'?': (page) => page.help(),
};
