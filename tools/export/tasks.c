// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state of each task while a log is exported.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "tasks.h"
#include "values.h"

static void set_comm(struct export_task *task, const char *comm)
{
	memset(task->comm, 0, sizeof(task->comm));
	if (!text_copy((uint8_t *)task->comm, comm, sizeof(task->comm) - 1))
		task->comm[0] = '?';
}

static void set_named(struct export_task *task, const struct evtlog_task *known)
{
	set_comm(task, known->comm);
	task->tgid = known->tgid;
	task->ppid = known->ppid;
	task->flags = known->flags;
	task->named = true;
}

uint32_t tasks_add(struct export_tasks *tasks, uint32_t pid)
{
	if (pid >= TASKS_PIDS ||
	    array_reserve(&tasks->at, &tasks->capacity, tasks->count, sizeof(*tasks->at)))
		return 0;
	tasks->at[tasks->count] = (struct export_task) { .comm = "?", .pid = pid };
	tasks->by_pid[pid] = tasks->count;
	return tasks->count++;
}

int tasks_begin(struct export_tasks *tasks, struct evtlog_file *file)
{
	const struct evtlog_task *known;
	int error;

	memset(tasks, 0, sizeof(*tasks));
	/* Pages of pids that do not occur are never touched. */
	tasks->by_pid = calloc(TASKS_PIDS, sizeof(*tasks->by_pid));
	if (!tasks->by_pid || replay_init(&tasks->replay, file) ||
	    array_reserve(&tasks->at, &tasks->capacity, 0, sizeof(*tasks->at)))
		return -ENOMEM;
	tasks->replay.omitted = REPLAY_BRIEF | REPLAY_QUEUES;
	tasks->at[0] = (struct export_task) {
		.comm = "?",
		.pid = EVTLOG_PID_UNKNOWN,
	};
	tasks->count = 1;
	error = evtlog_tasks_new(file, &tasks->names);
	for (size_t i = 0; !error && evtlog_tasks_at(tasks->names, i, &known); i++)
		if (known)
			set_named(tasks_of(tasks, known->pid), known);
	return error;
}

void tasks_end(struct export_tasks *tasks)
{
	replay_free(&tasks->replay);
	evtlog_tasks_free(tasks->names);
	free(tasks->by_pid);
	free(tasks->at);
}

/* ---- Events ---- */

enum task_status tasks_status_of(unsigned int state)
{
	switch (state < sizeof(EVTLOG_STATES) - 1 ? EVTLOG_STATES[state] : 0) {
	case 'R':
	case '+':
		return TASK_STATUS_RUNNABLE;
	case 'Z':
		return TASK_STATUS_ZOMBIE;
	case 'X':
		return TASK_STATUS_DEAD;
	case 0:
		return TASK_STATUS_UNKNOWN;
	default:
		return TASK_STATUS_BLOCKED;
	}
}

/* What a task is in stays known as long as its state. */
static void apply(struct export_tasks *tasks)
{
	for (size_t i = 0; i < tasks->replay.change_count; i++) {
		const struct replay_change *change = &tasks->replay.changes[i];

		if (change->kind == REPLAY_END)
			tasks_of(tasks, change->pid)->left_in =
				tasks_status_of(change->state - REPLAY_FIRST);
		else if (change->kind == REPLAY_STATE && !change->next)
			tasks_of(tasks, change->pid)->call = 0;
	}
}

static int take_gaps(struct export_tasks *tasks, struct lanes *lanes, uint64_t until_ns)
{
	const struct evtlog_event *event;
	uint64_t from_ns;

	while ((event = replay_gap(&tasks->replay, lanes, until_ns, &from_ns))) {
		if (replay_take_gap(&tasks->replay, event, from_ns))
			return -ENOMEM;
		apply(tasks);
	}
	return 0;
}

static int learn_name(struct export_tasks *tasks, const struct evtlog_event *event)
{
	uint32_t pid = evtlog_tasks_named(event);
	const struct evtlog_task *known;

	if (__builtin_expect(pid == EVTLOG_PID_UNKNOWN, 1))
		return 0;
	if (evtlog_tasks_update(tasks->names, event))
		return -ENOMEM;
	known = evtlog_tasks_find(tasks->names, pid);
	if (known)
		set_named(tasks_of(tasks, pid), known);
	return 0;
}

int tasks_learn(struct export_tasks *tasks, struct lanes *lanes, const struct evtlog_event *event)
{
	int error = take_gaps(tasks, lanes, event->time_ns);

	if (!error)
		error = replay_take(&tasks->replay, event, event->time_ns);
	if (error)
		return error;
	apply(tasks);
	return learn_name(tasks, event);
}

/* @from is in a call, and @to continues it: a child, or the thread after an exec. */
static void copy_call(struct export_tasks *tasks, uint32_t to, uint32_t from)
{
	const struct export_task of = *tasks_of(tasks, from);
	struct export_task *task = tasks_of(tasks, to);

	task->call = of.call;
	task->compat = of.compat;
}

static void take_user_exit(struct export_tasks *tasks, const struct evtlog_event *event)
{
	struct export_task *task = tasks_of(tasks, event->pid);
	unsigned int cause = evtlog_data(event->words, 0, 2);

	task->call = 0;
	if (cause != EVTLOG_USER_EXIT_SYSCALL && cause != EVTLOG_USER_EXIT_COMPAT)
		return;
	task->call = evtlog_data(event->words, 2, 16) + 1;
	task->compat = cause == EVTLOG_USER_EXIT_COMPAT;
}

void tasks_follow(struct export_tasks *tasks, const struct evtlog_event *event)
{
	if (event->kind != EVTLOG_EVENT_RECORD)
		return;
	switch (event->known) {
	case EVTLOG_SCHED_PROCESS_FORK:
	case EVTLOG_SCHED_PROCESS_EXEC:
		/* The parent, or the thread's pid before the exec */
		copy_call(tasks, evtlog_record_pid(event->words), event->words[1]);
		return;
	case EVTLOG_USER_EXIT:
		take_user_exit(tasks, event);
		return;
	case EVTLOG_USER_ENTER:
		tasks_of(tasks, evtlog_record_pid(event->words))->call = 0;
		return;
	}
}

/* ---- States ---- */

int32_t tasks_cpu(const struct export_tasks *tasks, uint32_t pid)
{
	const struct replay *replay = &tasks->replay;
	uint32_t slot = replay->tasks[replay_find(replay, pid)].cpu;

	return slot == NO_SLOT ? TASKS_NO_CPU : (int32_t)replay->cpus[slot].number;
}

enum task_status tasks_status(const struct export_tasks *tasks, const struct export_task *task)
{
	uint32_t number = replay_find(&tasks->replay, task->pid);
	unsigned int state = tasks->replay.tasks[number].state;

	if (number == REPLAY_NOBODY)
		return task->left_in;
	if (state == REPLAY_UNKNOWN)
		return TASK_STATUS_UNKNOWN;
	return state == REPLAY_RUNNING ? TASK_STATUS_RUNNABLE :
					 tasks_status_of(state - REPLAY_FIRST);
}
