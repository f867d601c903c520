/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Changes of one task, for replay.c.
 */
#ifndef EVTLOG_LIB_REPLAY_INTERNAL_H
#define EVTLOG_LIB_REPLAY_INTERNAL_H

#include "replay.h"

/* Limit for one record: a task leaves, ends and has an heir, and another comes from elsewhere */
#define CHANGES_MAX	16

/* Sets @no_switches. Call it when the streams are open. */
void replay_find_switches(struct replay *replay);

/* Adds a change, with the task's state now. The caller has made room for it. */
static inline struct replay_change *
replay_change(struct replay *replay, enum replay_kind kind, uint32_t number, int64_t time)
{
	const struct replay_task *task = &replay->tasks[number];
	struct replay_change *change = &replay->changes[replay->change_count++];

	*change = (struct replay_change) {
		.kind = kind,
		.state = task->state,
		.next = task->state,
		.woken = task->woken,
		.in_irq = task->in_irq,
		.task = number,
		.pid = task->pid,
		.cpu = task->cpu,
		.queue = task->queue,
		.next_queue = task->queue,
		.since = task->since,
		.time = time,
	};
	return change;
}

/*
 * Sets a new state from now on, on the CPU @cpu. @cut: the state before may end later, and the new
 * one may have begun earlier. Returns the change.
 */
struct replay_change *replay_begin_state(struct replay *replay, uint32_t number,
					 unsigned int state, uint32_t cpu, bool cut);

/* The same; while events are being lost, a task that does not run then becomes unknown. */
void replay_set_state(struct replay *replay, uint32_t number, unsigned int state, uint32_t cpu,
		      bool cut);

/* The same for a task that is woken. Returns the change, of the kind REPLAY_WAKE. */
struct replay_change *replay_wake(struct replay *replay, uint32_t number, uint32_t cpu, bool cut,
				  bool in_irq);

/* The task's state and place are unknown from @time on. */
void replay_forget_task(struct replay *replay, uint32_t number, int64_t time);

/* The task, which does not run, is now on another CPU. */
void replay_move(struct replay *replay, uint32_t number, uint32_t cpu, bool placed);

/* The task is gone: its number is free. */
void replay_end_task(struct replay *replay, uint32_t number);

#endif /* EVTLOG_LIB_REPLAY_INTERNAL_H */
