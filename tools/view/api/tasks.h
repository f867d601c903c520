/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks of all hosts: the busiest, those that a text fits, their processes and modes.
 */
#ifndef EVTLOG_VIEW_API_TASKS_H
#define EVTLOG_VIEW_API_TASKS_H

#include <stddef.h>
#include <stdint.h>

#include "common/json.h"
#include "view/http/request.h"
#include "view/session/session.h"

/* @comm: its name at the time that the answer is about; NULL: its last one */
struct task_context {
	uint32_t host;
	uint32_t id;
	const struct evtlog_index_task *task;
	const char *comm;
};

/*
 * Those that ran most, idle left out, into @best.
 * @text:	part of the name, how the pid begins, or both: "md5sum 77"; NULL: any
 * Returns how many.
 */
size_t tasks_busiest(const struct session *session, const char *text,
		     struct task_context *best, size_t max);

/* The members of an object: what every answer tells of a task. */
void task_members_json(struct json *json, struct session *session,
		       const struct task_context *context);

/* An object with its host and times. */
void task_context_json(struct json *json, struct session *session,
		       const struct task_context *context);

/* ---- Processes: threads that have one tgid, and one process that had it ---- */

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

/* ---- How often and how long tasks were in user mode, system calls and exceptions ---- */

/*
 * Puts "modes" into @json if @lanes, all of one host, have such events: { mode, count,
 * time_ns }, of exceptions also the vector.  0 or -errno.
 */
int modes_json(struct request *request, struct json *json, const uint32_t *lanes, size_t count,
	       int64_t from_ns, int64_t to_ns);

#endif /* EVTLOG_VIEW_API_TASKS_H */
