/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes: threads that have one tgid, and one process that had it.
 */
#ifndef EVTLOG_VIEW_API_PROCESSES_H
#define EVTLOG_VIEW_API_PROCESSES_H

#include "common/json.h"
#include "view/session/session.h"

/*
 * @leader:	the first thread's id; EVTLOG_TASK_UNKNOWN if the log does not have it
 */
struct process {
	uint32_t host, tgid, leader;
};

/* Of the task @id; false if there is no such task. */
bool process_of(struct session *session, uint32_t host, uint32_t id, struct process *process);

bool process_equal(const struct process *a, const struct process *b);

/*
 * @task:	one of its threads
 */
struct thread_time {
	struct process process;
	uint32_t task;
	uint64_t ns;
};

/*
 * @sums:	of processes, @sum_count of them, once thread_times_sum() has made them
 */
struct thread_times {
	struct thread_time *items;
	size_t count, capacity;
	struct process_time *sums;
	size_t sum_count;
};

/* Idle tasks and those that the log does not know are left out.  0; -ENOMEM */
int thread_times_add(struct thread_times *times, struct session *session, uint32_t host,
		     uint32_t id, uint64_t ns);

/* Once, when all are added: sums of processes of two threads or more.  0; -ENOMEM */
int thread_times_sum(struct thread_times *times);

/* The busiest of them, as "processes" */
void processes_json(struct json *json, struct session *session, const struct thread_times *times);

void thread_times_free(struct thread_times *times);

#endif
