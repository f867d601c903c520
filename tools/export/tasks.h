/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an export knows of each task while a log is read: its name, where it is and was.
 *
 * Stage: beside run.h, fed with each event.  Found by pid in one step, as formats want the
 * name of a task with each event.
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
 * @comm:	UTF-8, with NULs up to its end; "?" if none is known: readers take an empty text for
 *		none
 * @cpu:	where it runs or ran last, or is to run; TASKS_NO_CPU
 * @call:	system call that it is in, and one; 0: none is known
 * @compat:	of 32-bit programs
 * @losses:	of the log when it entered @call
 * @named:	@comm, @tgid, @ppid and @flags were told
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
 * @at:		by number; 0 is a task of which nothing is known
 * @by_pid:	numbers
 * @losses:	gaps in which events were lost, up to now
 */
struct export_tasks {
	struct export_task *at;
	size_t count;
	size_t capacity;
	uint32_t *by_pid;
	uint32_t losses;
	struct evtlog_tasks *names;
};

/* Names are those of the log's snapshot.  0; -ENOMEM; -errno of read(); tasks_end() in all cases. */
int tasks_begin(struct export_tasks *tasks, struct evtlog_file *file);
void tasks_end(struct export_tasks *tasks);

uint32_t tasks_add(struct export_tasks *tasks, uint32_t pid);

/* Valid up to the next call; of a number that is no pid, or without memory, one that is unknown. */
static inline struct export_task *tasks_of(struct export_tasks *tasks, uint32_t pid)
{
	uint32_t number = pid < TASKS_PIDS ? tasks->by_pid[pid] : 0;

	if (__builtin_expect(!number, 0))
		number = tasks_add(tasks, pid);
	return &tasks->at[number];
}

int tasks_learn_slow(struct export_tasks *tasks, const struct evtlog_event *event);

/* Names, before the event is written.  0 or -ENOMEM. */
static inline int tasks_learn(struct export_tasks *tasks, const struct evtlog_event *event)
{
	if (__builtin_expect(evtlog_tasks_named(event) != EVTLOG_PID_UNKNOWN ||
			     event->kind != EVTLOG_EVENT_RECORD, 0))
		return tasks_learn_slow(tasks, event);
	return 0;
}

/* Where tasks are, after the event was written. */
void tasks_follow(struct export_tasks *tasks, const struct evtlog_event *event);

/* Of EVTLOG_STATES */
enum task_status tasks_status_of(unsigned int state);

#endif /* EVTLOG_EXPORT_TASKS_H */
