// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds tasks.
 */
#include <stdio.h>
#include <string.h>


#include "tasks.h"
#include "view/http/request.h"
#include "view/session/task-colours.h"

static bool fits(const struct evtlog_index_task *task, const char *text)
{
	char comm[EVTLOG_COMM_LEN + 1] = "", pid[16];

	if (!text)
		return true;
	memcpy(comm, task->comm, EVTLOG_COMM_LEN);
	snprintf(pid, sizeof(pid), "%u", task->pid);
	return strcasestr(comm, text) || !strncmp(pid, text, strlen(text));
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
			    !fits(task, text))
				continue;
			if (count < max)
				count++;
			else
				at--;
			for (; at && best[at - 1].task->run_ns < task->run_ns; at--)
				best[at] = best[at - 1];
			best[at] = (struct task_context) { host, id, task };
		}
	}
	return count;
}

void task_members_json(struct json *json, struct session *session,
		       const struct task_context *context)
{
	json_u64(json, "id", context->id);
	json_u64(json, "pid", context->task->pid);
	json_bytes(json, "comm", context->task->comm,
		   strnlen(context->task->comm, sizeof(context->task->comm)));
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
