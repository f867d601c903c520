// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the part of the logs that `evtlog export --html` stored in the page: decompresses it,
 * and finds slices by time.
 *
 * Stage: between the page's text and offline.js, which answers the page's requests.
 */
import { Failure } from './server.js';

const BLOCK = 'evtlog-data';
const SLICE_BYTES = 16;

/* Contexts of slices: indices of CONTEXTS, and two values that are no context */
export const IN_TASK = 0, IN_SOFTIRQ = 1, NOT_KNOWN = 255, BEHIND_END = 254;
export const CONTEXTS = ['task', 'softirq', 'irq', 'vector'];

function bytesOf(text)
{
	const PART = 1 << 20;	/* a multiple of 4, as 4 letters are 3 bytes */
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
 * data: the JSON part; view: all bytes; base: the origin of the offsets of bins and slices
 * in view
 */
export class OfflineFile {
	constructor(data, view, base)
	{
		this.data = data;
		this.view = view;
		this.base = base;
		data.names = data.names.map((parts) => Object.assign({}, ...parts));
	}

	/* True: this page contains a part of logs. */
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

	/* The last slice that begins at or before @t; -1 if none. */
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

	/* Calls visit(begin, end, slice) for each slice of a lane in [from, to), cut to it. */
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
