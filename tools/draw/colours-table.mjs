// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the page's colours as a C header, for pictures.
 *
 * Stage: runs during the build.
 */
import { ARROW_STYLES, CHART_COLOURS, DEFAULT_PALETTE, DROP_STYLE, INKS, KIND_STYLES, LANE_STYLE, PALETTES,
	PALETTE_STEP, STATES, STATES_LIGHT, hex, shadesOf } from '../view/page/draw/colours.js';
import { DARK, LIGHT } from '../view/page/draw/themes.js';

const number = (colour) => `0x${colour.slice(1)}`;

console.log('/* Made by colours-table.mjs of view/page/draw/colours.js and themes.js. */');
for (const [name, colour] of Object.entries(STATES_LIGHT))
	console.log(`#define VIEW_LIGHT_${name.toUpperCase()} ${number(colour)}`);
for (const [name, colour] of Object.entries(STATES))
	console.log(`#define VIEW_${name.toUpperCase()} ${number(colour)}`);
console.log(`#define VIEW_LOAD ${number(DARK.load)}\n#define VIEW_LIGHT_LOAD ${number(LIGHT.load)}`);
console.log(`#define VIEW_PALETTE ${shadesOf(DEFAULT_PALETTE).map(hex).map(number).join(', ')}`);
const palettes = Object.keys(PALETTES);

console.log(`#define VIEW_PALETTE_SIZES ${palettes.map((name) => shadesOf(name).length).join(', ')}`);
console.log(`#define VIEW_PALETTE_DEFAULT ${palettes.indexOf(DEFAULT_PALETTE)}`);
console.log(`#define VIEW_PALETTE_STEP ${PALETTE_STEP}u`);
console.log(`#define VIEW_CHART ${CHART_COLOURS.map(number).join(', ')}`);
for (const [name, { colour, light }] of [['PATH', ARROW_STYLES.path], ['DROP', DROP_STYLE]])
	console.log(`#define VIEW_${name} ${number(colour)}\n#define VIEW_${name}_LIGHT ${number(light)}`);
for (const [name, value] of Object.entries(LANE_STYLE))
	console.log(`#define VIEW_LANE_${name.toUpperCase()} ${value}`);
console.log(`#define VIEW_INKS ${INKS.map(number).join(', ')}`);
console.log(`#define VIEW_DROP_LABEL ${JSON.stringify(DROP_STYLE.label)}`);
console.log(`#define VIEW_TICKS ${Object.entries(KIND_STYLES).map(([kind, { colour, light, length, label }]) =>
	`[EVTLOG_KIND_${kind.toUpperCase()}] = { ${number(colour)}, ${number(light)}, ${Math.round(length * 100)}, ${
		JSON.stringify(label)} }`).join(', ')}`);
