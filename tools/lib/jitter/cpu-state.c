// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * State of a CPU: the running task and its stack.
 *
 * Stage: replay.c passes the records; this file updates the wanted tasks that wait on the CPU.  It
 * does not read the log.
 *
 * Each CPU has a current task, and each task has a stack of handlers: exceptions and softirqs,
 * which stay when it is switched out, and interrupts, which end before.
 */
#include "attribution.h"

struct task *jitter_task_get(struct replay *replay, uint32_t pid)
{
	uint32_t number = key_table_find(&replay->by_pid, pid);
	struct task *task;

	if (number != KEY_NONE)
		return replay->tasks[number];
	if (array_reserve(&replay->tasks, &replay->task_capacity, replay->task_count,
			  sizeof(*replay->tasks)))
		goto fail;
	task = calloc(1, sizeof(*task));
	if (!task || key_table_add(&replay->by_pid, pid, replay->task_count)) {
		free(task);
		goto fail;
	}
	task->pid = pid;
	task->source = EVTLOG_JITTER_NONE;
	task->asleep = true;
	task->serial = ++replay->serial;
	replay->tasks[replay->task_count++] = task;
	return task;
fail:
	replay->failed = -ENOMEM;
	return NULL;
}

/* Each CPU has its own idle task.  Returns NULL if unknown or out of memory. */
static struct task *task_on(struct replay *replay, struct cpu *cpu, uint32_t pid)
{
	if (!pid)
		return &cpu->idle;
	return pid == EVTLOG_PID_UNKNOWN ? NULL : jitter_task_get(replay, pid);
}

void jitter_cpu_lose(struct replay *replay, struct cpu *cpu, uint64_t from, uint64_t to,
		     uint64_t records)
{
	for (size_t i = 0; i < replay->off_user_count && !replay->failed; i++) {
		struct off_user *off_user = &replay->off_users[i];

		if (off_user->open ? off_user->cpu != cpu : off_user->last != cpu)
			continue;
		replay->failed = track_lose(off_user->track, from, to, records);
		if (off_user->open)
			off_user_spoil(replay, off_user, to);
		off_user->in_user = false;
	}
}

static void charge_all(struct replay *replay, struct cpu *cpu, uint64_t now)
{
	for (size_t i = 0; i < cpu->waiting; i++)
		off_user_charge(cpu->off_users[i], cpu->current, now);
}

void jitter_cpu_enter(struct replay *replay, struct cpu *cpu, uint64_t now,
		      enum evtlog_jitter_kind kind, uint32_t number)
{
	struct task *task = cpu->current;
	struct frame *frame;

	if (!task)
		return;
	charge_all(replay, cpu, now);
	if (task->depth == FRAMES_MAX)
		return;
	frame = &task->frames[task->depth++];
	*frame = (struct frame) {
		.kind = kind,
		.number = number,
		.id = ++replay->serial,
		.serial = replay->serial,
	};
	for (size_t i = 0; i < cpu->waiting && !replay->failed; i++)
		replay->failed = off_user_frame(replay, cpu->off_users[i], task, frame, now);
}

/* Drops the frames of the current task above @depth. */
static void drop_frames(struct cpu *cpu, uint64_t now, unsigned int depth)
{
	struct task *task = cpu->current;

	for (size_t i = 0; i < cpu->waiting; i++)
		for (unsigned int k = depth; k < task->depth; k++)
			off_user_end_frame(cpu->off_users[i], task, &task->frames[k], now);
	task->depth = depth;
}

void jitter_cpu_leave(struct replay *replay, struct cpu *cpu, uint64_t now,
		      enum evtlog_jitter_kind kind, uint32_t number)
{
	struct task *task = cpu->current;

	if (!task)
		return;
	for (unsigned int k = task->depth; k--; ) {
		if (task->frames[k].kind != kind || task->frames[k].number != number)
			continue;
		charge_all(replay, cpu, now);
		drop_frames(cpu, now, k);
		return;
	}
}

/* A hard interrupt ends when its task is switched out, even if its exit is missing. */
static void drop_hard(struct cpu *cpu, uint64_t now)
{
	struct task *task = cpu->current;

	for (unsigned int k = 0; k < task->depth; k++)
		if (task->frames[k].kind == EVTLOG_SOURCE_IRQ ||
		    task->frames[k].kind == EVTLOG_SOURCE_VECTOR) {
			drop_frames(cpu, now, k);
			return;
		}
}

/* After it wakes up, its time belongs to another interval. */
static void fall_asleep(struct replay *replay, struct task *task)
{
	task->asleep = true;
	task->serial = ++replay->serial;
	for (unsigned int k = 0; k < task->depth; k++)
		task->frames[k].serial = ++replay->serial;
}

static void note_turn(struct replay *replay, struct cpu *cpu, uint64_t now)
{
	struct jitter_turns *turns = cpu->turns;
	bool busy = cpu->current != &cpu->idle;

	if (!turns || busy == turns->count % 2)
		return;
	if (array_reserve(&turns->at, &turns->capacity, turns->count, sizeof(*turns->at))) {
		replay->failed = -ENOMEM;
		return;
	}
	turns->at[turns->count++] = now;
}

static void come_to_run(struct replay *replay, struct cpu *cpu, struct task *task,
			uint64_t now)
{
	bool starts;

	cpu->current = task;
	note_turn(replay, cpu, now);
	if (!task)
		return;
	starts = task->asleep;
	task->asleep = false;
	task->on = cpu;
	if (task->off_user)
		off_user_arrive(replay, task->off_user, cpu, now);
	for (size_t i = 0; i < cpu->waiting && !replay->failed; i++)
		replay->failed = off_user_task(replay, cpu->off_users[i], task, now, starts);
}

void jitter_cpu_switch(struct replay *replay, struct cpu *cpu, const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	unsigned int state = evtlog_switch_state(event->words);
	/* Neither running nor preempted: the task sleeps, is stopped or ends. */
	bool sleeps = state && state != EVTLOG_STATE_PREEMPTED;
	struct task *task = cpu->current;

	if (task) {
		charge_all(replay, cpu, event->ticks);
		drop_hard(cpu, event->ticks);
		if (task == &cpu->idle)
			sleeps = true;
		for (size_t i = 0; i < cpu->waiting; i++)
			off_user_go(cpu->off_users[i], task, event->ticks, sleeps);
		if (sleeps)
			fall_asleep(replay, task);
	}
	come_to_run(replay, cpu, task_on(replay, cpu, pid), event->ticks);
}

void jitter_cpu_user_enter(struct replay *replay, struct cpu *cpu,
			   const struct evtlog_event *event)
{
	struct task *task = task_on(replay, cpu, evtlog_record_pid(event->words));
	struct off_user *off_user;

	if (!task)
		return;
	charge_all(replay, cpu, event->ticks);
	if (cpu->current != task)
		come_to_run(replay, cpu, task, event->ticks);
	off_user = task->off_user;
	if (off_user)
		off_user_arrive(replay, off_user, cpu, event->ticks);
	drop_frames(cpu, event->ticks, 0);
	if (!off_user || replay->failed)
		return;
	if (off_user->open)
		off_user_close(replay, off_user, event->ticks);
	off_user->in_user = true;
	off_user->last = cpu;
	off_user->user_since = event->ticks;
	off_user_advance(task, event->ticks);
}

void jitter_cpu_user_exit(struct replay *replay, struct cpu *cpu,
			  const struct evtlog_event *event)
{
	struct task *task = cpu->current;
	struct off_user *off_user = task ? task->off_user : NULL;

	if (!off_user)
		return;
	if (off_user->open)
		off_user_spoil(replay, off_user, event->ticks);
	off_user_advance(task, event->ticks);
	off_user = task->off_user;
	off_user->last = cpu;
	off_user->left = event->ticks;
	if (evtlog_data(event->words, 0, 2) == EVTLOG_USER_EXIT_OTHER)
		off_user_begin(replay, off_user, cpu, event->ticks);
}

void jitter_cpu_user_nmi(struct replay *replay, struct cpu *cpu,
			 const struct evtlog_event *event)
{
	struct off_user *off_user = cpu->current ? cpu->current->off_user : NULL;

	if (off_user)
		off_user_nmi(replay, off_user, evtlog_data(event->words, 0, EVTLOG_DATA_BITS),
			     event->words[1], event->words[2]);
}

void jitter_task_fork(struct replay *replay, const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	struct task *task = pid ? jitter_task_get(replay, pid) : NULL;

	if (!task)
		return;
	task->depth = 0;
	task->kernel_thread = (uint32_t)event->words[1] == KTHREADD_PID;
	fall_asleep(replay, task);
}

void jitter_task_rename(struct replay *replay, uint32_t pid, uint64_t now)
{
	uint32_t number = key_table_find(&replay->by_pid, pid);

	if (number == KEY_NONE)
		return;
	replay->tasks[number]->source = EVTLOG_JITTER_NONE;
	off_user_advance(replay->tasks[number], now);
}

void jitter_cpu_start(struct replay *replay, struct cpu *cpu, const struct evtlog_event *event)
{
	struct task *task = task_on(replay, cpu, event->begin_pid);

	/* The task may have continued on another CPU since it was lost here. */
	if (cpu->current && cpu->current->on == cpu)
		cpu->current->depth = 0;
	if (task) {
		task->depth = 0;
		task->asleep = false;
	}
	cpu->current = NULL;
	come_to_run(replay, cpu, task, event->ticks);
}
