// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How threads come to their slices, and rows of that of which no slice tells.
 *
 *	sleep ──waking──▶ wait for the CPU ──switch──▶ slice
 *
 * Called by schedule.c.  What is held goes with the slice if all of it is known.
 */
#include "internal.h"

static void put_rest(struct tables *tables, const struct task *task, unsigned int state,
		     int64_t begin, int64_t dur, const struct wait *woken, bool cut)
{
	int64_t waker = woken ? woken->waker : -1;

	if (!tables_want(tables, TABLE_THREAD_WAIT_REST))
		return;
	tables_put_sourced(tables, TABLE_THREAD_WAIT_REST, (int64_t[]) {
		begin, dur, task->utid, schedule_state_text(tables, state), waker,
		woken && woken->in_irq, cut, SOURCE_VALUES(tables)
	}, NULL_IF(waker < 0, 4) | NULL_IF(!woken, 5));
}

void waits_put_wakeup(struct tables *tables, const struct task *task, uint32_t cpu, int64_t waker,
		      bool in_irq, bool spurious, int64_t time)
{
	if (tables_want(tables, TABLE_WAKEUP_REST))
		tables_put_sourced(tables, TABLE_WAKEUP_REST, (int64_t[]) {
			time, cpu, task->utid, waker, in_irq, spurious, SOURCE_VALUES(tables)
		}, NULL_IF(waker < 0, 3));
}

void waits_drop(struct tables *tables, struct task *task, int64_t until)
{
	struct wait *wait = &task->wait;

	if (wait->wait_state) {
		until -= wait->wait_dur;
		if (wait->wait_wanted)
			put_rest(tables, task, wait->wait_state, until, wait->wait_dur,
				 wait->woken ? wait : NULL, false);
	}
	if (wait->has_wake && wait->wake_wanted)
		waits_put_wakeup(tables, task, wait->wake_cpu, wait->waker, wait->in_irq, false,
				 until);
	if (wait->sleep_state && wait->sleep_wanted)
		put_rest(tables, task, wait->sleep_state, until - wait->sleep_dur, wait->sleep_dur,
			 NULL, false);
	*wait = (struct wait) { 0 };
}

void waits_end(struct tables *tables, struct task *task, unsigned int next, int64_t begin,
	       int64_t until, bool cut, bool wanted)
{
	struct wait *wait = &task->wait;
	bool runnable = schedule_is_runnable(task->state);

	if (runnable && next == STATE_RUNNING && !cut) {
		wait->wait_state = task->state;
		wait->wait_dur = until - begin;
		wait->wait_wanted = wanted;
		return;
	}
	if (wanted && (runnable || cut || next != STATE_FIRST))
		put_rest(tables, task, task->state, begin, until - begin,
			 wait->woken ? wait : NULL, cut);
	waits_drop(tables, task, task->since);
	if (!runnable && !cut && next == STATE_FIRST) {
		wait->sleep_state = task->state;
		wait->sleep_dur = until - begin;
		wait->sleep_wanted = wanted;
	}
}
