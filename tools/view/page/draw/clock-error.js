// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws the clock error between an arrow's hosts: bars at both ends, and a text.
 *
 * Stage: drawing only, for arrows and for paths of packets.
 */
import { short } from '../data/times.js';

/*
 * @a, @b: the ends, { x, y }; @ns: length of a pixel; @texts: places of texts in this frame, to
 * which the new text is added.  The colour is the context's current one.
 */
export function clockError(context, { bound, a, b, ns, light, texts })
{
	const half = bound / ns;

	context.lineWidth = 1;
	if (half >= 1.5)
		for (const { x, y } of [a, b]) {
			context.beginPath();
			context.moveTo(x - half, y);
			context.lineTo(x + half, y);
			context.moveTo(x - half, y - 4);
			context.lineTo(x - half, y + 4);
			context.moveTo(x + half, y - 4);
			context.lineTo(x + half, y + 4);
			context.stroke();
		}
	if (Math.hypot(b.x - a.x, b.y - a.y) < 60)
		return;
	const text = `±${short(bound)}`;

	context.font = '10px "DejaVu Sans", system-ui, sans-serif';
	context.textBaseline = 'middle';
	const wide = context.measureText(text).width;
	const x = (a.x + b.x) / 2 + 6, y = (a.y + b.y) / 2;
	const ink = context.fillStyle;

	if (texts.some((other) => Math.abs(other.y - y) < 15 && x < other.x + other.wide + 6 &&
	    other.x < x + wide + 6))
		return;
	texts.push({ x, y, wide });
	context.fillStyle = light ? 'rgb(255 255 255 / 80%)' : 'rgb(0 0 0 / 75%)';
	context.fillRect(x - 2, y - 7, wide + 4, 14);
	context.fillStyle = ink;
	context.fillText(text, x, y);
}
