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
	tasks->at[tasks->count] = (struct export_task) { .comm = "?", .pid = pid, .cpu = TASKS_NO_CPU };
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
	if (!tasks->by_pid ||
	    array_reserve(&tasks->at, &tasks->capacity, 0, sizeof(*tasks->at)))
		return -ENOMEM;
	tasks->at[0] = (struct export_task) {
		.comm = "?",
		.pid = EVTLOG_PID_UNKNOWN,
		.cpu = TASKS_NO_CPU,
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
	evtlog_tasks_free(tasks->names);
	free(tasks->by_pid);
	free(tasks->at);
}

/* The child starts inside the system call that created it. */
static void take_fork(struct export_tasks *tasks, uint32_t pid, uint32_t parent_pid)
{
	const struct export_task parent = *tasks_of(tasks, parent_pid);
	struct export_task *child = tasks_of(tasks, pid);

	child->cpu = TASKS_NO_CPU;
	child->status = TASK_STATUS_BLOCKED;
	child->call = parent.call;
	child->compat = parent.compat;
	child->losses = parent.losses;
}

/* A thread that calls exec gets the pid of its process. */
static void take_exec(struct export_tasks *tasks, const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words), old_pid = event->words[1];
	struct export_task old;

	if (pid == old_pid)
		return;
	old = *tasks_of(tasks, old_pid);
	tasks_of(tasks, pid)->call = old.call;
	tasks_of(tasks, pid)->compat = old.compat;
	tasks_of(tasks, pid)->losses = old.losses;
	tasks_of(tasks, pid)->cpu = event->cpu;
}

int tasks_learn_slow(struct export_tasks *tasks, const struct evtlog_event *event)
{
	uint32_t pid = evtlog_tasks_named(event);
	const struct evtlog_task *known;
	struct export_task *task;
	int error = evtlog_tasks_update(tasks->names, event);

	if (error || event->kind == EVTLOG_EVENT_END)
		return error;
	if (event->kind == EVTLOG_EVENT_BEGIN || event->kind == EVTLOG_EVENT_GAP)
		tasks->losses += event->lost || event->lost_buffers;
	known = pid == EVTLOG_PID_UNKNOWN ? NULL : evtlog_tasks_find(tasks->names, pid);
	if (!known)
		return 0;
	task = tasks_of(tasks, pid);
	set_named(task, known);
	if (event->kind != EVTLOG_EVENT_RECORD) {
		task->cpu = event->cpu;
		task->status = TASK_STATUS_RUNNABLE;
	} else if (event->known == EVTLOG_SCHED_PROCESS_FORK) {
		take_fork(tasks, pid, event->words[1]);
	} else if (event->known == EVTLOG_SCHED_PROCESS_EXEC) {
		take_exec(tasks, event);
	} else if (event->known == EVTLOG_TASK) {
		task->cpu = (uint32_t)event->words[3];
		task->status = tasks_status_of(evtlog_switch_state(event->words));
	}
	return 0;
}

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

static void follow_switch(struct export_tasks *tasks, const struct evtlog_event *event)
{
	struct export_task *task;

	if (event->pid != EVTLOG_PID_UNKNOWN) {
		task = tasks_of(tasks, event->pid);
		task->cpu = event->cpu;
		task->status = tasks_status_of(evtlog_switch_state(event->words));
	}
	task = tasks_of(tasks, evtlog_record_pid(event->words));
	task->cpu = event->cpu;
	task->status = TASK_STATUS_RUNNABLE;
}

static void follow_user_exit(struct export_tasks *tasks, const struct evtlog_event *event)
{
	struct export_task *task = tasks_of(tasks, event->pid);
	unsigned int cause = evtlog_data(event->words, 0, 2);

	task->call = 0;
	if (cause != EVTLOG_USER_EXIT_SYSCALL && cause != EVTLOG_USER_EXIT_COMPAT)
		return;
	task->call = evtlog_data(event->words, 2, 16) + 1;
	task->compat = cause == EVTLOG_USER_EXIT_COMPAT;
	task->losses = tasks->losses;
}

void tasks_follow(struct export_tasks *tasks, const struct evtlog_event *event)
{
	struct export_task *task;

	if (event->kind != EVTLOG_EVENT_RECORD)
		return;
	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
		follow_switch(tasks, event);
		return;
	case EVTLOG_SCHED_WAKING:
		tasks_of(tasks, evtlog_record_pid(event->words))->status = TASK_STATUS_RUNNABLE;
		return;
	case EVTLOG_SCHED_WAKEUP_NEW:
		task = tasks_of(tasks, evtlog_record_pid(event->words));
		task->cpu = (uint32_t)event->words[1];
		task->status = TASK_STATUS_RUNNABLE;
		return;
	case EVTLOG_SCHED_MIGRATE_TASK:
		tasks_of(tasks, evtlog_record_pid(event->words))->cpu = event->words[1] >> 32;
		return;
	case EVTLOG_USER_EXIT:
		follow_user_exit(tasks, event);
		return;
	case EVTLOG_USER_ENTER:
		tasks_of(tasks, evtlog_record_pid(event->words))->call = 0;
		return;
	}
}
