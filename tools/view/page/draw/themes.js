// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The dark and the light theme: colours on canvases other than those of the lanes.
 *
 * app.css has the same colours for the document.  tools/draw/colours-table.mjs writes the
 * colours for pictures as C.
 */
import { pack } from './colours.js';

export const DARK = {
	ground: pack('#14171c'), head: pack('#262b34'), line: pack('#5cc8ff'),
	panel: '#1b1f26', text: '#c9d1dc', strong: '#f3f6fa', faint: '#5f6877',
	accent: '#5cc8ff', mark: '#ff9de0', load: '#6f8fae',
	selection: 'rgb(92 200 255 / 16%)', tint: 'rgb(92 200 255 / 7%)', shade: 'rgb(20 23 28 / 62%)',
	bound: 'rgb(255 184 77 / 13%)', boundEdge: 'rgb(255 184 77 / 80%)',
	chip: 'rgb(255 184 77 / 92%)', chipText: '#1a1200',
};

export const LIGHT = {
	ground: pack('#eef1f5'), head: pack('#e3e8ee'), line: pack('#0067b8'),
	panel: '#fafbfc', text: '#2b3340', strong: '#0b1017', faint: '#98a2b1',
	accent: '#1d8fe0', mark: '#e0389f', load: '#7fa3c6',
	selection: 'rgb(40 150 235 / 20%)', tint: 'rgb(40 150 235 / 8%)', shade: 'rgb(238 241 245 / 62%)',
	bound: 'rgb(255 170 40 / 15%)', boundEdge: 'rgb(230 140 10 / 90%)',
	chip: 'rgb(255 190 90 / 94%)', chipText: '#1a1200',
};

export function themeOf(name)
{
	const dark = name === 'dark' || (name === 'auto' &&
		!matchMedia('(prefers-color-scheme: light)').matches);

	return { ...(dark ? DARK : LIGHT), name: dark ? 'dark' : 'light' };
}
