/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of tasks that come from elsewhere than a file's records.
 *
 * Stage: between merged files and the table of tasks.
 */
#ifndef EVTLOG_LIB_STREAM_TASK_NAMES_H
#define EVTLOG_LIB_STREAM_TASK_NAMES_H

#include <evtlog/evtlog.h>

/* The snapshot is over when a CPU wrote that many other records since. */
#define SNAPSHOT_PATIENCE	131072

/* Of a run of one tree: whoever is not of it, pid 0. */
#define TASKS_OUTSIDE	"outside"

/* Only the idle task is known.  NULL when out of memory. */
struct evtlog_tasks *tasks_new_empty(void);

/* Calls pid 0 TASKS_OUTSIDE if the log is of one tree. */
void tasks_name_outside(struct evtlog_tasks *tasks, const struct evtlog_file *file);

/* @comm is EVTLOG_COMM_LEN bytes.  Returns 0 or -ENOMEM. */
int tasks_set_comm(struct evtlog_tasks *tasks, uint32_t pid, const void *comm);

/* ---- task-naming.c: which events give a task a name ---- */

/*
 * An event gives a task a name, from its time on.
 * @comm:	EVTLOG_COMM_LEN bytes, in the event
 * @is_seen:	it was seen to have the name, so that it may have had it before
 */
struct task_naming {
	uint32_t pid;
	const char *comm;
	bool is_seen;
};

/* Whether @event names a task, which is never the idle one. */
bool task_naming(const struct evtlog_event *event, struct task_naming *naming);

#endif /* EVTLOG_LIB_STREAM_TASK_NAMES_H */
