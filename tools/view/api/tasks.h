/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks of all hosts: the busiest, and those that a text fits.
 */
#ifndef EVTLOG_VIEW_API_TASKS_H
#define EVTLOG_VIEW_API_TASKS_H

#include <stddef.h>
#include <stdint.h>

#include "common/json.h"
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

#endif /* EVTLOG_VIEW_API_TASKS_H */
