// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes elements of the document in one call.
 *
 * Text is never interpreted as HTML, because names come from logs.
 */

export function element(name, attributes = {}, ...children)
{
	const made = document.createElement(name);

	for (const [key, value] of Object.entries(attributes)) {
		if (value === undefined || value === null || value === false)
			continue;
		if (key.startsWith('on'))
			made.addEventListener(key.slice(2), value);
		else if (key in made && key !== 'list' && key !== 'form')
			made[key] = value;
		else
			made.setAttribute(key, value);
	}
	made.append(...children.filter((child) => child !== null && child !== undefined));
	return made;
}

export function byId(id)
{
	return document.getElementById(id);
}

/* Sets a canvas's size in device pixels from CSS pixels, and clears the canvas. */
export function sizeCanvas(canvas, width, height, scale)
{
	canvas.width = Math.max(Math.round(width * scale), 1);
	canvas.height = Math.max(Math.round(height * scale), 1);
}

/* A table.  @heads: texts or { text, number, title }; cells are texts or nodes. */
export function table(caption, heads, rows, attributes = {})
{
	const numbers = heads.map((head) => head.number === true);

	return element('table', attributes,
		element('caption', {}, caption),
		element('thead', {}, element('tr', {}, ...heads.map((head) =>
			element('th', { scope: 'col', className: head.number ? 'number' : '',
				title: head.title }, head.text ?? head)))),
		element('tbody', {}, ...rows.map((row) => element('tr', {},
			...row.map((cell, i) => element('td',
				{ className: numbers[i] ? 'number' : '' }, cell))))));
}

/* A swatch on which the user can choose another colour. */
export function colourInput(name, value, change)
{
	return element('input', { type: 'color', value, title: `Colour: ${name}`,
		'aria-label': `Colour: ${name}`,
		onchange: (event) => change(event.target.value) });
}
