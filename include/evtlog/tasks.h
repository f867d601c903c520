/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of tasks, learnt from the events as they come.
 *
 * Stage: beside a stream or merge, fed with each of its events.  It does not tell what
 * tasks do.
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
 * struct evtlog_task - what is known of a pid
 * @comm: not terminated if all 16 bytes are used; from the log, untrusted
 */
struct evtlog_task {
	uint32_t pid;
	uint32_t tgid;
	uint32_t ppid;
	uint32_t flags;
	char comm[EVTLOG_COMM_LEN];
};

/**
 * evtlog_tasks_new() - names of tasks, from the first snapshot of the run
 * @file: the log, which must outlive the names
 * @tasksp: where the names are stored; free them with evtlog_tasks_free()
 *
 * The snapshot is read ahead, so that tasks have names from the first event on; but a task that
 * was forked, executed a program or was renamed before the snapshot came to it has an empty name
 * until then. Memory grows with the number of pids.
 *
 * Return: 0; -ENOMEM; -errno of read().
 */
int evtlog_tasks_new(struct evtlog_file *file, struct evtlog_tasks **tasksp);

/**
 * evtlog_tasks_free() - free names of tasks
 * @tasks: NULL is allowed
 */
void evtlog_tasks_free(struct evtlog_tasks *tasks);

/**
 * evtlog_tasks_named() - the task that an event may give a name
 * @event: any event
 *
 * Return: its pid; EVTLOG_PID_UNKNOWN if the event names none.
 */
uint32_t evtlog_tasks_named(const struct evtlog_event *event);

/**
 * evtlog_tasks_update() - learn from an event
 * @tasks: the names
 * @event: any event; all events of the log, in order
 *
 * Fork, exec, rename and snapshot give names. So does the task that runs where a buffer
 * begins, which helps if the others were not recorded.
 *
 * Return: 0; -ENOMEM.
 */
int evtlog_tasks_update(struct evtlog_tasks *tasks,
			const struct evtlog_event *event);

/**
 * evtlog_tasks_at() - a task, by its number
 * @tasks: the names
 * @number: from 0
 * @task: where the task is stored; NULL where the table has a hole
 *
 * Return: true; false behind the last number.
 */
bool evtlog_tasks_at(const struct evtlog_tasks *tasks, size_t number,
		     const struct evtlog_task **task);

/**
 * evtlog_tasks_find() - a task, by its pid
 * @tasks: the names
 * @pid: of the task
 *
 * Return: the task, valid until the next evtlog_tasks_update(); NULL if nothing is known of it.
 */
const struct evtlog_task *evtlog_tasks_find(const struct evtlog_tasks *tasks,
					    uint32_t pid);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_TASKS_H */
