// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The panels at the side.  At most one is open.
 *
 * Stage: handles their tabs in the tool bar.  Other files fill the panels.
 */
import { byId } from '../base/element.js';

const NAMES = ['start', 'selection', 'legend', 'marks'];

export class Panels extends EventTarget {
	shown = null;

	constructor()
	{
		super();
		for (const name of NAMES)
			byId(`tab-${name}`).addEventListener('click', () =>
				this.show(this.shown === name ? null : name));
		byId('close-panel').addEventListener('click', () => this.show(null));
	}

	show(name)
	{
		if (this.shown === name)
			return;
		this.shown = name;
		byId('panels').hidden = name === null;
		for (const one of NAMES) {
			byId(`panel-${one}`).hidden = one !== name;
			byId(`tab-${one}`).setAttribute('aria-selected', String(one === name));
		}
		this.dispatchEvent(new Event('change'));
	}
}
