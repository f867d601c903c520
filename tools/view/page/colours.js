// SPDX-License-Identifier: GPL-2.0-or-later
// Which colour means what on the time line: the twin of ../colours.c, which draws
// pictures. tests/view/colours.test compares them.

export const fixed = {
	idle: 0x000000,
	logger: 0xf01818,
	unknown: 0x777777,
	irq: 0xffd83d,
	softirq: 0xff7ec2,
	lost: 0x4a4a4a,
	lost_hatch: 0xbdbdbd,
};

// None is red, yellow or pink: the logger and interrupts are.
export const palette = [
	0xd6955c, 0xadd65c, 0x7ad65c, 0x5cd670, 0x5cd6a3, 0x5cd6cc,
	0x5cb8d6, 0x5c95d6, 0x5c70d6, 0x745cd6, 0xa35cd6, 0xd25cd6,
	0xa16836, 0x7da136, 0x50a136, 0x36a147, 0x36a174, 0x36a198,
	0x3686a1, 0x3668a1, 0x3647a1, 0x4b36a1, 0x7436a1, 0x9d36a1,
];

// After Okabe and Ito, without their vermilion, in two shades: for people who can't
// tell red from green.
export const safePalette = [
	0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xcc79a7,
	0xf5c869, 0xa5d8f5, 0x66c9ac, 0x99731a, 0x66a9d1, 0xe3b5cc,
];

// By kind; lengths are parts of 255 of the lane's height.
export const ticks = {
	switch: { colour: 0xd8d8d8, length: 255 },
	waking: { colour: 0x3ddc84, length: 217 },
	migration: { colour: 0xe05cff, length: 230 },
	softirq: { colour: 0xff7ec2, length: 128 },
	irq: { colour: 0xffd83d, length: 153 },
	vector: { colour: 0xb89a2b, length: 102 },
	icmp: { colour: 0x00e5ff, length: 191 },
	remote: { colour: 0xff7a1a, length: 204 },
	task: { colour: 0x6ea8ff, length: 166 },
	put: { colour: 0xb4ff39, length: 179 },
	other: { colour: 0x8c8c8c, length: 77 },
};

const encoder = new TextEncoder();

// FNV-1a of the name's UTF-8.
function hash(name) {
	let value = 0x811c9dc5;

	for (const byte of encoder.encode(name))
		value = Math.imul(value ^ byte, 0x01000193) >>> 0;
	return value;
}

// The colour of a task by its name, the same in every run and host: 0xrrggbb.
export function taskColour(comm, colours = palette) {
	return colours[hash(comm) % colours.length];
}
