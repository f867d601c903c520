/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of tasks, learned from events in order.
 *
 * Stage: the caller passes each event of a stream or merge, and looks up names by pid.
 */
#ifndef EVTLOG_TASKS_H
#define EVTLOG_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_event;
struct evtlog_file;
struct evtlog_tasks;

/**
 * struct evtlog_task - a task
 * @comm: name, without NUL if all 16 bytes are used; read from the log, untrusted
 */
struct evtlog_task {
	uint32_t pid;
	uint32_t tgid;
	uint32_t ppid;
	uint32_t flags;
	char comm[EVTLOG_COMM_LEN];
};

/**
 * evtlog_tasks_new() - create a table of task names from the snapshot at the start of the run
 * @file: the log, which must outlive the table
 * @tasksp: where the table is stored; free it with evtlog_tasks_free()
 *
 * The snapshot is read in advance, so tasks have names from the first event on.  A task that was
 * forked, executed a program or was renamed before the snapshot reached it has an empty name until
 * the snapshot reaches it.  Memory grows with the number of pids.
 *
 * Return: 0; -ENOMEM; -errno of read().
 */
int evtlog_tasks_new(struct evtlog_file *file, struct evtlog_tasks **tasksp);

/**
 * evtlog_tasks_free() - free a table of task names
 * @tasks: the table; NULL is allowed
 */
void evtlog_tasks_free(struct evtlog_tasks *tasks);

/**
 * evtlog_tasks_named() - get the task that an event may name
 * @event: any event
 *
 * Return: the pid of the task; EVTLOG_PID_UNKNOWN if the event names no task.
 */
uint32_t evtlog_tasks_named(const struct evtlog_event *event);

/**
 * evtlog_tasks_update() - update the names from an event
 * @tasks: the table
 * @event: any event; the caller passes all events of the log in order
 *
 * Names come from fork, exec, rename and snapshot records.  The start of a buffer also names the
 * running task, which helps if those records are missing.
 *
 * Return: 0; -ENOMEM.
 */
int evtlog_tasks_update(struct evtlog_tasks *tasks,
			const struct evtlog_event *event);

/**
 * evtlog_tasks_at() - get a task by its place in the table
 * @tasks: the table
 * @number: from 0
 * @task: where the task is stored; NULL if this place is empty
 *
 * Return: true; false after the last place.
 */
bool evtlog_tasks_at(const struct evtlog_tasks *tasks, size_t number,
		     const struct evtlog_task **task);

/**
 * evtlog_tasks_find() - find a task by its pid
 * @tasks: the table
 * @pid: pid of the task
 *
 * Return: the task, valid until the next evtlog_tasks_update(); NULL if the pid is unknown.
 */
const struct evtlog_task *evtlog_tasks_find(const struct evtlog_tasks *tasks,
					    uint32_t pid);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_TASKS_H */
