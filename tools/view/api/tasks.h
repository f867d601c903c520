/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks of all hosts: the busiest, those that match a text; their processes and modes.
 */
#ifndef EVTLOG_VIEW_API_TASKS_H
#define EVTLOG_VIEW_API_TASKS_H

#include <stddef.h>
#include <stdint.h>

#include "common/json.h"
#include "view/http/request.h"
#include "view/session/session.h"

/* @comm: name at the time that the answer is about; NULL: the last name */
struct task_context {
	uint32_t host;
	uint32_t id;
	const struct evtlog_index_task *task;
	const char *comm;
};

/*
 * Gets the tasks with the most CPU time, without idle, in @best.
 * @text:	part of a name, first digits of the pid, or both: "md5sum 77"; NULL: any
 * Returns their number.
 */
size_t tasks_busiest(const struct session *session, const char *text,
		     struct task_context *best, size_t max);

/* Writes the members that a task has in all answers into an open object. */
void task_members_json(struct json *json, struct session *session,
		       const struct task_context *context);

/* Writes an object with these members, host and times. */
void task_context_json(struct json *json, struct session *session,
		       const struct task_context *context);

/* ---- Processes ---- */

/* @leader: id of the first thread; EVTLOG_TASK_UNKNOWN if it is not in the log */
struct process {
	uint32_t host, tgid, leader;
};

/* Gets the process of the task @id; returns false if there is no such task. */
bool process_of(struct session *session, uint32_t host, uint32_t id, struct process *process);

bool process_equal(const struct process *a, const struct process *b);

/* @task: a thread of the process */
struct thread_time {
	struct process process;
	uint32_t task;
	uint64_t ns;
};

/* @sums: of @sum_count processes, after thread_times_sum() */
struct thread_times {
	struct thread_time *items;
	size_t count, capacity;
	struct process_time *sums;
	size_t sum_count;
};

/* Adds a thread, except idle and unknown ones.  0; -ENOMEM */
int thread_times_add(struct thread_times *times, struct session *session, uint32_t host,
		     uint32_t id, uint64_t ns);

/* Sums up processes with two threads or more.  Call it once, after all are added.  0; -ENOMEM */
int thread_times_sum(struct thread_times *times);

/* Writes the busiest processes as "processes". */
void processes_json(struct json *json, struct session *session, const struct thread_times *times);

void thread_times_free(struct thread_times *times);

/* ---- Count and time of user mode, system calls and exceptions ---- */

/*
 * Writes "modes" into @json if @lanes, all of one host, have such events: { mode, count,
 * time_ns }, for exceptions also the vector.  0 or -errno.
 */
int modes_json(struct request *request, struct json *json, const uint32_t *lanes, size_t count,
	       int64_t from_ns, int64_t to_ns);

#endif /* EVTLOG_VIEW_API_TASKS_H */
