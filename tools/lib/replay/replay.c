// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Applies events, gaps and losses to the CPUs and tasks of a host.
 *
 * Tables, interval counters and exports call it. tasks.c has the changes of one task.
 */
#include <errno.h>

#include "internal.h"

/* ---- CPUs ---- */

/* The idle task has a slice on each CPU, and no state of its own. */
static void end_idle(struct replay *replay, struct replay_cpu *cpu, unsigned int state,
		     int64_t time)
{
	struct replay_change *change;

	if (cpu->task != REPLAY_IDLE || !replay_wants(replay, REPLAY_STATE))
		return;
	change = replay_change(replay, REPLAY_STATE, REPLAY_IDLE, time);
	change->cpu = cpu - replay->cpus;
	change->next = state;
	change->since = cpu->since;
	change->cut = cpu->cut || !state;
}

/* What the running task does next is unknown. */
static void stop(struct replay *replay, struct replay_cpu *cpu, int64_t time)
{
	uint32_t number = cpu->task;

	end_idle(replay, cpu, REPLAY_UNKNOWN, time);
	cpu->task = REPLAY_NOBODY;
	cpu->runs = EVTLOG_PID_UNKNOWN;
	if (number > REPLAY_IDLE)
		replay_forget_task(replay, number, time);
}

/* The task no longer runs on its CPU: the events of its switch out there are missing. */
static __attribute__((noinline)) void stop_task(struct replay *replay, uint32_t number)
{
	uint32_t index = replay->tasks[number].cpu;
	struct replay_cpu *cpu = &replay->cpus[index];

	stop(replay, cpu, cpu->last);
	if (replay_wants(replay, REPLAY_RUN))
		replay_change(replay, REPLAY_RUN, REPLAY_NOBODY, replay->now)->cpu = index;
}

/* The task is gone, whatever it did before. */
static void end_task(struct replay *replay, uint32_t number)
{
	if (replay->tasks[number].state == REPLAY_RUNNING)
		stop_task(replay, number);
	else
		replay_forget_task(replay, number, replay->now);
	replay_end_task(replay, number);
}

/* Inline, as it is called for each switch. */
static inline __attribute__((always_inline)) void
run(struct replay *replay, struct replay_cpu *cpu, uint32_t pid, bool cut)
{
	uint32_t number = replay_task(replay, pid), index = cpu - replay->cpus;
	struct replay_task *task = &replay->tasks[number];

	if (number > REPLAY_IDLE) {
		if (task->state == REPLAY_RUNNING)
			stop_task(replay, number);
		replay_set_state(replay, number, REPLAY_RUNNING, index, cut);
	}
	cpu->task = number;
	cpu->runs = pid;
	cpu->since = replay->now;
	cpu->cut = cut;
	if (replay_wants(replay, REPLAY_RUN))
		replay_change(replay, REPLAY_RUN, number, replay->now)->cpu = index;
}

/* The running task leaves the CPU in @state. */
static void leave(struct replay *replay, uint32_t index, unsigned int state)
{
	struct replay_cpu *cpu = &replay->cpus[index];
	uint32_t number = cpu->task, heir = replay->tasks[number].heir;
	bool ends = replay->tasks[number].exits && !replay_is_waiting(state);

	end_idle(replay, cpu, state, replay->now);
	cpu->task = REPLAY_NOBODY;
	if (number <= REPLAY_IDLE)
		return;
	if (__builtin_expect(!ends && heir == REPLAY_NOBODY, 1)) {
		replay_set_state(replay, number, state, index, false);
		return;
	}
	replay_begin_state(replay, number, state, index, false);
	if (!ends && replay->tasks[heir].is_used && replay->tasks[heir].state != REPLAY_RUNNING)
		replay_set_state(replay, heir, state, index, false);
	replay_end_task(replay, number);
}

/* Puts tasks that wait on a CPU into its queue, or out of it, when the CPU becomes known or not. */
static void queue_waiting(struct replay *replay, uint32_t index)
{
	if (!replay_has_queues(replay))
		return;
	for (uint32_t i = REPLAY_IDLE + 1; i < replay->task_count; i++)
		if (replay->tasks[i].cpu == index && replay_is_waiting(replay->tasks[i].state))
			replay_move(replay, i, index, replay->tasks[i].placed);
}

/* ---- Losses ---- */

/* Makes room for changes of all tasks, and of each CPU. */
static int reserve_all(struct replay *replay)
{
	return array_reserve_more(&replay->changes, &replay->change_capacity, replay->change_count,
				  2 * replay->task_count + 3 * replay->cpu_count + CHANGES_MAX,
				  sizeof(*replay->changes));
}

static void forget(struct replay *replay, uint32_t index, int64_t time)
{
	struct replay_cpu *cpu = &replay->cpus[index];

	stop(replay, cpu, time);
	cpu->known = false;
	if (cpu->count)
		queue_waiting(replay, index);
	replay_change(replay, REPLAY_FORGET, REPLAY_NOBODY, time)->cpu = index;
}

static void set_lossy(struct replay *replay, struct replay_cpu *cpu, bool lossy)
{
	replay->lossy += lossy - cpu->lossy;
	cpu->lossy = lossy;
}

static void forget_tasks(struct replay *replay, int64_t time)
{
	for (uint32_t i = REPLAY_IDLE + 1; i < replay->task_count; i++)
		if (replay->tasks[i].state != REPLAY_RUNNING)
			replay_forget_task(replay, i, time);
}

static void lose(struct replay *replay, uint32_t index, int64_t time)
{
	forget_tasks(replay, time);
	forget(replay, index, time);
	set_lossy(replay, &replay->cpus[index], true);
}

const struct evtlog_event *replay_gap_slow(struct replay *replay, struct lanes *lanes,
					   uint64_t until_ns, uint64_t *from_ns)
{
	const struct evtlog_event *event;

	while ((event = lanes_take_gap(lanes, until_ns, from_ns))) {
		uint32_t index = file_slot(replay->file, event->cpu);

		if (index == NO_SLOT || replay->cpus[index].gap_taken)
			continue;
		if (!*from_ns)
			*from_ns = evtlog_begin_ns(replay->file);
		return event;
	}
	return NULL;
}

int replay_take_gap(struct replay *replay, const struct evtlog_event *event, int64_t time)
{
	uint32_t index = file_slot(replay->file, event->cpu);

	replay->change_count = 0;
	if (reserve_all(replay))
		return -ENOMEM;
	replay->now = time;
	replay->cpus[index].gap_taken = true;
	if (lanes_is_loss(event))
		lose(replay, index, time);
	else
		forget(replay, index, time);
	return 0;
}

int replay_forget(struct replay *replay, int64_t time)
{
	replay->change_count = 0;
	if (reserve_all(replay))
		return -ENOMEM;
	forget_tasks(replay, time);
	return 0;
}

int replay_close(struct replay *replay, int64_t time)
{
	replay->change_count = 0;
	if (reserve_all(replay))
		return -ENOMEM;
	replay->now = time;
	for (uint32_t i = 0; i < replay->cpu_count; i++)
		forget(replay, i, time);
	for (uint32_t i = REPLAY_IDLE + 1; i < replay->task_count; i++)
		replay_forget_task(replay, i, time);
	return 0;
}

/* ---- Events ---- */

/* A CPU begins, or continues after a gap, with the task in its buffer's header. */
static void take_begin(struct replay *replay, uint32_t index, const struct evtlog_event *event)
{
	struct replay_cpu *cpu = &replay->cpus[index];

	replay_find_switches(replay);
	if (lanes_is_loss(event) && !cpu->gap_taken)
		lose(replay, index, replay->now);
	else
		forget(replay, index, replay->now);
	set_lossy(replay, cpu, false);
	cpu->known = true;
	cpu->gap_taken = false;
	run(replay, cpu, replay->no_switches ? EVTLOG_PID_UNKNOWN : event->begin_pid, true);
	queue_waiting(replay, index);
}

static __attribute__((noinline)) int
take_other(struct replay *replay, uint32_t index, const struct evtlog_event *event)
{
	struct replay_cpu *cpu = &replay->cpus[index];

	if (reserve_all(replay))
		return -ENOMEM;
	switch (event->kind) {
	case EVTLOG_EVENT_BEGIN:
	case EVTLOG_EVENT_GAP:
		take_begin(replay, index, event);
		break;
	case EVTLOG_EVENT_BUFFER:
		if (!cpu->known || replay->no_switches || event->begin_pid == cpu->runs)
			break;
		stop(replay, cpu, replay->now);
		run(replay, cpu, event->begin_pid, true);
		break;
	case EVTLOG_EVENT_END:
		if (event->rest_missing)
			lose(replay, index, replay->now);
		else
			forget(replay, index, replay->now);
		break;
	}
	return 0;
}

static void take_switch(struct replay *replay, uint32_t index, const uint64_t *words)
{
	if (replay->no_switches)
		return;
	leave(replay, index, REPLAY_FIRST + evtlog_switch_state(words));
	run(replay, &replay->cpus[index], evtlog_record_pid(words), false);
}

/* @target: slot of a new task's CPU; NO_SLOT: unknown, or the task is not new */
static void take_waking(struct replay *replay, uint32_t index, const struct evtlog_event *event,
			bool is_new, uint32_t target)
{
	uint32_t number = replay_task(replay, evtlog_record_pid(event->words));
	struct replay_task *task = &replay->tasks[number];
	bool in_irq = event->context != EVTLOG_IN_TASK;
	struct replay_change *change = NULL;

	if (number <= REPLAY_IDLE ||
	    (is_new && (task->state == REPLAY_RUNNING || replay->no_switches)))
		return;
	if (is_new || !(replay_is_runnable(task->state) || replay->no_switches)) {
		task->placed |= target != NO_SLOT;
		/* A new task has no earlier state that is missing. */
		change = replay_begin_state(replay, number, REPLAY_FIRST,
					    target == NO_SLOT ? task->cpu : target,
					    !is_new && task->state == REPLAY_UNKNOWN);
		task->woken = true;
		task->in_irq = in_irq;
		replay_hide(replay, number);
	} else if (replay_wants(replay, REPLAY_WAKE)) {
		change = replay_change(replay, REPLAY_WAKE, number, replay->now);
	}
	if (!change)
		return;
	change->kind = REPLAY_WAKE;
	change->is_new = is_new;
	change->by = index;
	change->waker = replay->cpus[index].task;
	change->wake_in_irq = in_irq;
}

/* A running task does not move: its switch will come, or was lost. */
static void take_migration(struct replay *replay, const uint64_t *words)
{
	uint32_t number = replay_task(replay, evtlog_record_pid(words));
	uint32_t to = file_slot(replay->file, words[1] >> 32);

	if (number > REPLAY_IDLE && to != NO_SLOT &&
	    replay->tasks[number].state != REPLAY_RUNNING)
		replay_move(replay, number, to, !replay->lossy);
}

static void take_fork(struct replay *replay, const uint64_t *words)
{
	uint32_t pid = evtlog_record_pid(words), number = replay_find(replay, pid);

	if (number > REPLAY_IDLE)
		end_task(replay, number);
	number = replay_task(replay, pid);
	if (number > REPLAY_IDLE)
		replay->tasks[number].start_boot_ns = words[2];
}

static void take_exec(struct replay *replay, const uint64_t *words)
{
	uint32_t pid = evtlog_record_pid(words), old = (uint32_t)words[1], number, heir;

	if (old == pid)
		return;
	number = replay_task(replay, old);
	heir = replay_task(replay, pid);
	if (number > REPLAY_IDLE && heir > REPLAY_IDLE)
		replay->tasks[number].heir = heir;
}

static void take_exit(struct replay *replay, const uint64_t *words)
{
	uint32_t number = replay_task(replay, evtlog_record_pid(words));

	if (number > REPLAY_IDLE)
		replay->tasks[number].exits = true;
}

/* The state of a task at the begin of the log, or when it was recorded again. */
static void take_snapshot(struct replay *replay, const uint64_t *words)
{
	uint32_t pid = evtlog_record_pid(words), number = replay_task(replay, pid);
	uint32_t cpu = file_slot(replay->file, (uint32_t)words[3]);
	struct replay_task *task = &replay->tasks[number];

	if (number <= REPLAY_IDLE)
		return;
	if (task->start_boot_ns && task->start_boot_ns != words[2]) {
		end_task(replay, number);
		task = &replay->tasks[number = replay_task(replay, pid)];
	}
	task->start_boot_ns = words[2];
	if (task->state == REPLAY_RUNNING)
		return;
	if (!task->placed && cpu != NO_SLOT)
		replay_move(replay, number, cpu, !replay->lossy);
	if (task->state == REPLAY_UNKNOWN && !replay->no_switches)
		replay_set_state(replay, number, REPLAY_FIRST + evtlog_switch_state(words),
				 task->cpu, true);
}

static __attribute__((noinline)) void
take_record(struct replay *replay, uint32_t index, const struct evtlog_event *event)
{
	const uint64_t *words = event->words;

	switch (event->known) {
	case EVTLOG_SCHED_WAKING:
		take_waking(replay, index, event, false, NO_SLOT);
		return;
	case EVTLOG_SCHED_WAKEUP_NEW:
		take_waking(replay, index, event, true,
			    file_slot(replay->file, (uint32_t)words[1]));
		return;
	case EVTLOG_SCHED_MIGRATE_TASK:
		take_migration(replay, words);
		return;
	case EVTLOG_SCHED_PROCESS_FORK:
		take_fork(replay, words);
		return;
	case EVTLOG_SCHED_PROCESS_EXEC:
		take_exec(replay, words);
		return;
	case EVTLOG_SCHED_PROCESS_EXIT:
		take_exit(replay, words);
		return;
	case EVTLOG_TASK:
		take_snapshot(replay, words);
		return;
	}
}

int replay_take_slow(struct replay *replay, uint32_t index, const struct evtlog_event *event)
{
	if (__builtin_expect(replay_reserve(replay), 0))
		return -ENOMEM;
	if (__builtin_expect(event->kind != EVTLOG_EVENT_RECORD, 0))
		return take_other(replay, index, event);
	if (__builtin_expect(!replay->cpus[index].known, 0))
		return 0;
	if (event->known == EVTLOG_SCHED_SWITCH)
		take_switch(replay, index, event->words);
	else
		take_record(replay, index, event);
	return 0;
}
