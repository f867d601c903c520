/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of each task while a log is exported: its name, CPU, status and system call.
 *
 * Stage: updated with each event from run.h, read by the writer of a format.  A lookup by pid is
 * one array access, because formats need a task's name for each event.
 */
#ifndef EVTLOG_EXPORT_TASKS_H
#define EVTLOG_EXPORT_TASKS_H

#include <evtlog/evtlog.h>

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
 * @cpu:	CPU where the task runs, last ran, or will run; TASKS_NO_CPU if unknown
 * @call:	number of the task's system call plus one; 0 if unknown or in no call
 * @compat:	the call is of a 32-bit program
 * @losses:	@losses of struct export_tasks when the task entered @call
 * @named:	@comm, @tgid, @ppid and @flags are known
 */
struct export_task {
	char comm[EVTLOG_COMM_LEN];
	uint32_t pid;
	uint32_t tgid;
	uint32_t ppid;
	uint32_t flags;
	int32_t cpu;
	uint32_t losses;
	uint32_t call;
	uint8_t compat;
	uint8_t status;
	bool named;
};

/*
 * @at:		tasks; at index 0 is the unknown task
 * @by_pid:	indices into @at; 0 if the pid has no task yet
 * @losses:	gaps with lost events so far
 */
struct export_tasks {
	struct export_task *at;
	size_t count;
	size_t capacity;
	uint32_t *by_pid;
	uint32_t losses;
	struct evtlog_tasks *names;
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

int tasks_learn_slow(struct export_tasks *tasks, const struct evtlog_event *event);

/* Updates names; call it before the event is written.  Returns 0 or -ENOMEM. */
static inline int tasks_learn(struct export_tasks *tasks, const struct evtlog_event *event)
{
	if (__builtin_expect(evtlog_tasks_named(event) != EVTLOG_PID_UNKNOWN ||
			     event->kind != EVTLOG_EVENT_RECORD, 0))
		return tasks_learn_slow(tasks, event);
	return 0;
}

/* Updates CPU, status and system call of tasks; call it after the event is written. */
void tasks_follow(struct export_tasks *tasks, const struct evtlog_event *event);

/* @state: index into EVTLOG_STATES */
enum task_status tasks_status_of(unsigned int state);

#endif /* EVTLOG_EXPORT_TASKS_H */
