// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds tasks.
 */
#include <stdio.h>
#include <string.h>


#include "tasks.h"
#include "view/http/request.h"
#include "view/session/task-colours.h"

/* By any of its names, or its pid */
static bool fits(const struct evtlog_index *index, uint32_t id,
		 const struct evtlog_index_task *task, const char *text)
{
	const struct evtlog_index_name *names;
	char comm[EVTLOG_COMM_LEN + 1] = "", pid[16];
	size_t count = evtlog_index_task_names(index, id, &names);

	if (!text)
		return true;
	snprintf(pid, sizeof(pid), "%u", task->pid);
	if (!strncmp(pid, text, strlen(text)))
		return true;
	for (size_t i = 0; i < count; i++) {
		memcpy(comm, names[i].comm, EVTLOG_COMM_LEN);
		if (strcasestr(comm, text))
			return true;
	}
	return false;
}

size_t tasks_busiest(const struct session *session, const char *text,
		     struct task_context *best, size_t max)
{
	size_t count = 0;

	for (uint32_t host = 0; host < session->host_count; host++) {
		uint32_t tasks = evtlog_index_task_count(session->hosts[host].index);

		for (uint32_t id = 1; id < tasks; id++) {
			const struct evtlog_index_task *task = session_task(session, host, id);
			size_t at = count;

			if ((count == max && task->run_ns <= best[max - 1].task->run_ns) ||
			    !fits(session->hosts[host].index, id, task, text))
				continue;
			if (count < max)
				count++;
			else
				at--;
			for (; at && best[at - 1].task->run_ns < task->run_ns; at--)
				best[at] = best[at - 1];
			best[at] = (struct task_context) { host, id, task, NULL };
		}
	}
	return count;
}

void task_members_json(struct json *json, struct session *session,
		       const struct task_context *context)
{
	const char *comm = context->comm ? context->comm : context->task->comm;
	char label[SESSION_LABEL_BYTES];

	json_u64(json, "id", context->id);
	json_u64(json, "pid", context->task->pid);
	json_bytes(json, "comm", comm, strnlen(comm, EVTLOG_COMM_LEN));
	json_bytes(json, "names", label,
		   session_task_label(session, context->host, context->id, label));
	task_colours_json(json, session, context->host, context->id);
}

void task_context_json(struct json *json, struct session *session,
		       const struct task_context *context)
{
	json_object(json, NULL);
	json_u64(json, "host", context->host);
	task_members_json(json, session, context);
	answer_u64(json, "run_ns", context->task->run_ns);
	answer_u64(json, "switches", context->task->switches);
	json_end(json);
}
