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

static inline bool replay_wants(const struct replay *replay, enum replay_kind kind)
{
	return !(replay->omitted >> kind & 1);
}

static inline bool replay_has_queues(const struct replay *replay)
{
	return !(replay->omitted & REPLAY_QUEUES);
}

/* Sets the queue of a task after its state, its place or its CPU has changed. */
void replay_set_queue(struct replay *replay, struct replay_task *task);

static inline void replay_put_state(struct replay_task *task, unsigned int state, int64_t time,
				    bool cut)
{
	task->state = state;
	task->since = time;
	task->cut = cut;
	task->woken = false;
}

/*
 * Sets a new state from now on, on the CPU @cpu. @cut: the state before may end later, and the new
 * one may have begun earlier. Returns the change, or NULL if it is omitted.
 */
static inline struct replay_change *
replay_begin_state(struct replay *replay, uint32_t number, unsigned int state, uint32_t cpu,
		   bool cut)
{
	struct replay_task *task = &replay->tasks[number];
	struct replay_change *change = NULL;

	if (replay_wants(replay, REPLAY_STATE)) {
		change = replay_change(replay, REPLAY_STATE, number, replay->now);
		change->next = state;
		change->cut = task->cut || cut;
	}
	replay_put_state(task, state, replay->now, cut);
	task->cpu = cpu;
	task->placed |= state == REPLAY_RUNNING;
	if (replay_has_queues(replay))
		replay_set_queue(replay, task);
	if (change)
		change->next_queue = task->queue;
	return change;
}

/* The task's state and place are unknown from @time on. */
void replay_forget_task(struct replay *replay, uint32_t number, int64_t time);

/* Lost events may end the state of a task that does not run at any time. */
static inline void replay_hide(struct replay *replay, uint32_t number)
{
	if (__builtin_expect(replay->lossy, 0) && replay->tasks[number].state != REPLAY_RUNNING)
		replay_forget_task(replay, number, replay->now);
}

/* As replay_begin_state(), but while events are lost, a task that does not run is then unknown. */
static inline void replay_set_state(struct replay *replay, uint32_t number, unsigned int state,
				    uint32_t cpu, bool cut)
{
	replay_begin_state(replay, number, state, cpu, cut);
	replay_hide(replay, number);
}

/* The task, which does not run, is now on another CPU. */
void replay_move(struct replay *replay, uint32_t number, uint32_t cpu, bool placed);

/* The task is gone: its number is free. */
void replay_end_task(struct replay *replay, uint32_t number);

#endif /* EVTLOG_LIB_REPLAY_INTERNAL_H */
