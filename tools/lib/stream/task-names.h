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

/* Only the idle task is known.  NULL when out of memory. */
struct evtlog_tasks *tasks_new_empty(void);

/* @comm is EVTLOG_COMM_LEN bytes.  Returns 0 or -ENOMEM. */
int tasks_set_comm(struct evtlog_tasks *tasks, uint32_t pid, const void *comm);

#endif /* EVTLOG_LIB_STREAM_TASK_NAMES_H */
