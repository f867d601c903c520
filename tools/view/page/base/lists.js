// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lists of numbers in the format of URLs and of the command line: 0-15,20.
 */

export function listOf(numbers)
{
	const parts = [];
	const sorted = [...numbers].sort((a, b) => a - b);

	for (let i = 0; i < sorted.length;) {
		let j = i;

		while (j + 1 < sorted.length && sorted[j + 1] === sorted[j] + 1)
			j++;
		parts.push(i === j ? `${sorted[i]}` : `${sorted[i]}-${sorted[j]}`);
		i = j + 1;
	}
	return parts.join(',');
}

/* Returns a Set, or null if the text is no list. */
export function setOf(text, limit = 1 << 20)
{
	const set = new Set();

	if (!text.trim())
		return set;
	for (const part of text.split(',')) {
		const match = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part);

		if (!match)
			return null;
		const first = Number(match[1]);
		const last = match[2] === undefined ? first : Number(match[2]);

		if (last < first || last > limit)
			return null;
		for (let i = first; i <= last; i++)
			set.add(i);
	}
	return set;
}
