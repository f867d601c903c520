// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The part of the logs that `evtlog export --html` put into the page: inflated, and its
 * slices found by time.
 *
 * Stage: between the page's text and offline.js.  It answers no question of the page's.
 */
import { Failure } from './server.js';

const BLOCK = 'evtlog-data';
const SLICE_BYTES = 16;

/* Contexts of slices: CONTEXTS by number, and two that are none */
export const IN_TASK = 0, IN_SOFTIRQ = 1, NOT_KNOWN = 255, BEHIND_END = 254;
export const CONTEXTS = ['task', 'softirq', 'irq', 'vector'];

function bytesOf(text)
{
	const PART = 1 << 20;	/* whole groups of four letters */
	const bytes = new Uint8Array(Math.floor(text.length / 4) * 3);
	let at = 0;

	for (let i = 0; i < text.length; i += PART) {
		const part = atob(text.slice(i, i + PART));

		for (let k = 0; k < part.length; k++)
			bytes[at++] = part.charCodeAt(k);
	}
	return bytes.subarray(0, at);
}

async function inflate(bytes)
{
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));

	return new Response(stream).arrayBuffer();
}

/*
 * data: what the program wrote as JSON; view, base: its bytes, and where in them offsets
 * of bins and slices begin
 */
export class OfflineFile {
	constructor(data, view, base)
	{
		this.data = data;
		this.view = view;
		this.base = base;
		data.names = data.names.map((parts) => Object.assign({}, ...parts));
	}

	/* Whether this page has one. */
	static get here()
	{
		return document.getElementById(BLOCK) !== null;
	}

	static async open()
	{
		const buffer = await inflate(bytesOf(document.getElementById(BLOCK).textContent.trim()));
		const head = new DataView(buffer);
		const length = head.getUint32(8, true);

		if (head.getUint32(0) !== 0x4556544f || head.getUint32(4, true) !== 1)
			throw new Failure(0, 'This file is damaged: export it again.');
		return new OfflineFile(JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 16,
			length))), head, 16 + Math.ceil(length / 8) * 8);
	}

	sliceCount(lane)
	{
		return this.data.slices ? this.data.slices[lane].count : 0;
	}

	slice(lane, i)
	{
		const at = this.base + this.data.slices[lane].offset + i * SLICE_BYTES;
		const view = this.view;

		return { t: view.getFloat64(at, true), task: view.getUint32(at + 8, true),
			number: view.getUint16(at + 12, true), context: view.getUint8(at + 14),
			left: view.getUint8(at + 15) };
	}

	sliceTime(lane, i)
	{
		return i >= this.sliceCount(lane) ? this.data.to :
			this.view.getFloat64(this.base + this.data.slices[lane].offset +
				i * SLICE_BYTES, true);
	}

	/* The last that begins at or before @t; -1 if none does. */
	sliceAt(lane, t)
	{
		let low = -1, high = this.sliceCount(lane);

		while (high - low > 1) {
			const middle = (low + high) >> 1;

			if (this.sliceTime(lane, middle) <= t)
				low = middle;
			else
				high = middle;
		}
		return low;
	}

	/* visit(begin, end, slice) for what there is of a lane in [from, to) */
	walk(lane, from, to, visit)
	{
		const count = this.sliceCount(lane);

		for (let i = Math.max(this.sliceAt(lane, from), 0); i < count; i++) {
			const slice = this.slice(lane, i);

			if (slice.t >= to)
				break;
			visit(Math.max(slice.t, from), Math.min(this.sliceTime(lane, i + 1), to), slice);
		}
	}

	eventsIn(lane, from, to)
	{
		return this.data.events.events.filter((event) => event.lane === lane &&
			event.t >= from && event.t < to);
	}
}
