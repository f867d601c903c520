// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How different two colours look: their distance in OKLab, where equal steps look equal.
 */
'use strict';

const LMS = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
	[0.0883024619, 0.2817188376, 0.6299787005]];
const LAB = [[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099],
	[0.0259040371, 0.7827717662, -0.808675766]];

const times = (matrix, vector) => matrix.map((row) =>
	row.reduce((sum, value, i) => sum + value * vector[i], 0));

function labOf(colour) {
	const linear = colour.map((value) => value / 255).map((value) =>
		value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

	return times(LAB, times(LMS, linear).map(Math.cbrt));
}

/** 0: the same; 100: black and white */
function distance(a, b) {
	const [one, two] = [labOf(a), labOf(b)];

	return 100 * Math.hypot(...one.map((value, i) => value - two[i]));
}

/** Degrees between two hues; 180 if one of them is almost grey */
function hueApart(a, b) {
	const [one, two] = [labOf(a), labOf(b)];

	if ([one, two].some(([, x, y]) => Math.hypot(x, y) < 0.04))
		return 180;
	const apart = Math.abs(Math.atan2(one[2], one[1]) - Math.atan2(two[2], two[1])) * 180 / Math.PI;

	return Math.min(apart, 360 - apart);
}

module.exports = { distance, hueApart };
