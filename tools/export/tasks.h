/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of each task while a log is exported: its name, CPU, status and system call.
 *
 * Stage: updated with each event from run.h, read by the writer of a format.  A lookup by pid is
 * one array access, because formats need a task's name for each event.  lib/replay has the CPU and
 * the state of a task.
 */
#ifndef EVTLOG_EXPORT_TASKS_H
#define EVTLOG_EXPORT_TASKS_H

#include <evtlog/evtlog.h>

#include "lib/replay/replay.h"

#define TASKS_PIDS	(1u << EVTLOG_PID_BITS)
#define TASKS_NO_CPU	(-1)

enum task_status {
	TASK_STATUS_UNKNOWN,
	TASK_STATUS_RUNNABLE,
	TASK_STATUS_BLOCKED,
	TASK_STATUS_ZOMBIE,
	TASK_STATUS_DEAD,
};

/*
 * @comm:	UTF-8, padded with NULs; "?" if unknown, as readers ignore empty names
 * @call:	number of the task's system call plus one; 0 if unknown or in no call
 * @compat:	the call is of a 32-bit program
 * @named:	@comm, @tgid, @ppid and @flags are known
 * @left_in:	enum task_status in which it left its CPU for the last time, if it has exited
 */
struct export_task {
	char comm[EVTLOG_COMM_LEN];
	uint32_t pid;
	uint32_t tgid;
	uint32_t ppid;
	uint32_t flags;
	uint32_t call;
	bool compat;
	bool named;
	uint8_t left_in;
};

/*
 * @at:		tasks; at index 0 is the unknown task
 * @by_pid:	indices into @at; 0 if the pid has no task yet
 */
struct export_tasks {
	struct export_task *at;
	size_t count;
	size_t capacity;
	uint32_t *by_pid;
	struct evtlog_tasks *names;
	struct replay replay;
};

/* Takes names from the log's snapshot.  0; -ENOMEM; -errno of read().  tasks_end() in all cases. */
int tasks_begin(struct export_tasks *tasks, struct evtlog_file *file);
void tasks_end(struct export_tasks *tasks);

uint32_t tasks_add(struct export_tasks *tasks, uint32_t pid);

/* Valid until the next call.  The unknown task if @pid is out of range or memory is short. */
static inline struct export_task *tasks_of(struct export_tasks *tasks, uint32_t pid)
{
	uint32_t number = pid < TASKS_PIDS ? tasks->by_pid[pid] : 0;

	if (__builtin_expect(!number, 0))
		number = tasks_add(tasks, pid);
	return &tasks->at[number];
}

/*
 * Updates names and states; call it before the event is written.
 * @lanes: source of the events.  Returns 0 or -ENOMEM.
 */
int tasks_learn(struct export_tasks *tasks, struct lanes *lanes, const struct evtlog_event *event);

/* Updates system calls; call it after the event is written. */
void tasks_follow(struct export_tasks *tasks, const struct evtlog_event *event);

/* CPU where a task runs, last ran, or will run; TASKS_NO_CPU if unknown */
int32_t tasks_cpu(const struct export_tasks *tasks, uint32_t pid);

/* @state: index into EVTLOG_STATES */
enum task_status tasks_status_of(unsigned int state);
enum task_status tasks_status(const struct export_tasks *tasks, const struct export_task *task);

#endif /* EVTLOG_EXPORT_TASKS_H */
