// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows a result of a search: a task, the next event of a name, a packet, a time.
 *
 * Stage: between the search and the page.
 */
import { clean } from '../data/names.js';
import { TIME } from '../draw/paths.js';
import { packetName } from '../draw/packet-text.js';
import { seconds } from '../data/times.js';

export class Found {
	#page;
	#last = null;	/* { name, t } of the event found last */

	constructor(page)
	{
		this.#page = page;
	}

	task(task)
	{
		const page = this.#page;

		page.names.put(task.host, task);
		page.choose(task.host, task.id);
		page.view.pin(task.host, task);
		page.goToTask();
	}

	time({ from, to })
	{
		const { view } = this.#page;

		this.#page.setNote(from, seconds(from));
		view.selection = { from, to };
		view.reveal(from, to);
		view.changed(true);
	}

	/* Shows the whole path of a packet, and its name in the footer. */
	packet(packet)
	{
		const times = packet.visits.map((visit) => visit[TIME]);
		const [from, to] = [Math.min(...times), Math.max(...times)];
		const beside = Math.max((to - from) * 0.1, 50);

		this.#page.setNote(from, `${seconds(from)} packet ${packet.id}: ${packetName(packet)}`);
		this.#page.choosePacket(packet);
		this.#page.view.glide(from - beside, to + beside);
	}

	/* Shows the next event of a name, after the last found one or from the view's start on. */
	async event(name)
	{
		const { view, log, source, rows } = this.#page;
		const lanes = `0-${log.lanes - 1}`;
		const again = this.#last?.name === name && this.#last.t >= view.from &&
			this.#last.t <= view.to;

		try {
			let { event } = await source.next(lanes,
				{ after: again ? this.#last.t : Math.ceil(view.from) - 1 }, { name });

			event ??= (await source.next(lanes,
				{ before: again ? this.#last.t : Math.ceil(view.from) }, { name })).event;
			if (!event) {
				this.#page.setNote((view.from + view.to) / 2, `No event ${clean(name)} in this log.`);
				view.changed();
				return;
			}
			this.#last = { name, t: event.t };
			view.active = String(event.lane);
			view.selection = { from: event.t, to: event.t };
			view.reveal(event.t);
			view.changed(true);
			const row = rows.byKey(view.active);

			if (row)
				this.#page.noteEvent(event, row);
		} catch (error) {
			this.#page.fail(error);
		}
	}
}
