// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers with the hosts, CPUs and tasks of the logs.
 *
 * Uses only the indexes.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "lane-events.h"
#include "tasks.h"
#include "view/http/server.h"

#define TOP_TASKS	50
#define NAMES_MAX	1000

static void cpu_json(struct json *json, const struct session *session, uint32_t lane)
{
	const struct evtlog_index_cpu *cpu = session_cpu(session, lane);
	uint32_t host = session->lanes[lane].host;

	json_object(json, NULL);
	json_u64(json, "cpu", cpu->cpu);
	json_u64(json, "lane", lane);
	answer_s64(json, "begin", session_time(session, host, cpu->begin_ns));
	answer_s64(json, "end", session_time(session, host, cpu->end_ns));
	answer_u64(json, "events", cpu->events);
	answer_u64(json, "lost", cpu->lost);
	answer_u64(json, "gaps", cpu->gaps);
	if (session->hosts[host].no_switches)
		json_null(json, "busy_ns");
	else
		answer_u64(json, "busy_ns", cpu->busy_ns);
	answer_u64(json, "irq_ns", cpu->irq_ns);
	answer_u64(json, "softirq_ns", cpu->softirq_ns);
	json_array(json, "counts");
	for (unsigned int kind = 0; kind < EVTLOG_KINDS; kind++)
		answer_u64(json, NULL, cpu->counts[kind]);
	json_end(json);
	json_end(json);
}

static void clock_json(struct json *json, const struct session *session,
		       const struct session_host *host)
{
	const struct evtlog_file *file = session->logs.files[host->file].file;
	const struct evtlog_host_clock *clock = NULL;

	if (session->logs.hosts)
		clock = evtlog_clocksync_clock(session->logs.hosts, host->file);
	json_string(json, "method",
		    evtlog_clock_method_name(clock ? clock->method : EVTLOG_CLOCK_REFERENCE));
	answer_bound(json, "bound_ns", clock ? clock->bound_ns : evtlog_clock_error_ns(file));
}

static void host_json(struct json *json, const struct session *session, uint32_t number)
{
	const struct session_host *host = &session->hosts[number];
	const struct evtlog_file *file = session->logs.files[host->file].file;
	uint64_t events = 0, lost = 0, gaps = 0;

	for (uint32_t i = 0; i < host->lane_count; i++) {
		const struct evtlog_index_cpu *cpu = session_cpu(session, host->first_lane + i);

		events += cpu->events;
		lost += cpu->lost;
		gaps += cpu->gaps;
	}
	json_object(json, NULL);
	json_string(json, "name", host->name);
	json_string(json, "run_name", evtlog_meta(file, "run_name"));
	json_string(json, "kernel", evtlog_meta(file, "kernel"));
	if (host->tree_pid)
		json_u64(json, "tree", host->tree_pid);
	clock_json(json, session, host);
	answer_u64(json, "events", events);
	answer_u64(json, "lost", lost);
	answer_u64(json, "gaps", gaps);
	json_u64(json, "tasks", evtlog_index_task_count(host->index));
	if (host->logger == EVTLOG_TASK_UNKNOWN)
		json_null(json, "logger");
	else
		json_u64(json, "logger", host->logger);
	json_bool(json, "complete", host->complete);
	json_string(json, "fault", host->fault);
	json_bool(json, "jitter", host->jitter);
	json_array(json, "cpus");
	for (uint32_t i = 0; i < host->lane_count; i++)
		cpu_json(json, session, host->first_lane + i);
	json_end(json);
	json_end(json);
}

static void title_json(struct json *json, const struct session *session)
{
	const struct session_host *first = &session->hosts[0];
	const char *run = evtlog_meta(session->logs.files[first->file].file, "run_name");
	char *title = NULL;

	if (session->host_count > 1 &&
	    asprintf(&title, "%s%s%" PRIu32 " hosts", run && *run ? run : "",
		     run && *run ? ", " : "", session->host_count) < 0)
		title = NULL;
	if (session->host_count == 1 &&
	    asprintf(&title, "%s%s%s", first->name, run && *run ? ", " : "",
		     run && *run ? run : "") < 0)
		title = NULL;
	json_string(json, "title", title ? title : "evtlog");
	free(title);
}

static void top_json(struct json *json, struct session *session)
{
	struct task_context top[TOP_TASKS];
	size_t count = tasks_busiest(session, NULL, top, TOP_TASKS);

	json_array(json, "top");
	for (size_t i = 0; i < count; i++)
		task_context_json(json, session, &top[i]);
	json_end(json);
}

unsigned int answer_log(struct request *request)
{
	struct session *session = request->session;
	struct json json;

	if (request_begin(request, &json))
		return request_failed(request, -ENOMEM);
	json_string(&json, "version", EVTLOG_VERSION);
	title_json(&json, session);
	answer_ns_text(&json, "base_ns", session->base_ns);
	answer_ns_text(&json, "base_real_ns", session_real(session, 0));
	answer_s64(&json, "end", session->length_ns);
	json_array(&json, "kinds");
	for (unsigned int kind = 0; kind < EVTLOG_KINDS; kind++)
		json_string(&json, NULL, evtlog_kind_name(kind));
	json_end(&json);
	json_u64(&json, "lanes", session->lane_count);
	json_array(&json, "hosts");
	for (uint32_t i = 0; i < session->host_count; i++)
		host_json(&json, session, i);
	json_end(&json);
	top_json(&json, session);
	json_object(&json, "notes");
	json_bool(&json, "writable", notes_writable(session));
	json_end(&json);
	return request_end(request, &json);
}

/* ---- Names ---- */

static int parse_id(const char **text, uint32_t *id)
{
	unsigned long long number;
	char *end;

	if (**text < '0' || **text > '9')
		return -EINVAL;
	errno = 0;
	number = strtoull(*text, &end, 10);
	if (errno || number > UINT32_MAX)
		return -EINVAL;
	*text = end;
	*id = number;
	return 0;
}

static void name_json(struct json *json, struct session *session, const char *key,
		      const struct task_context *context)
{
	const struct evtlog_index_task *task = context->task;

	json_object(json, key);
	task_members_json(json, session, context);
	json_u64(json, "tgid", task->tgid);
	json_bool(json, "kernel", task->kernel_thread);
	answer_u64(json, "run_ns", task->run_ns);
	answer_u64(json, "switches", task->switches);
	json_end(json);
}

/* Finds the task of a pid: for "77" the last one, for "77@TIME" the one at that time. */
static int parse_pid(const char **text, struct session *session, uint32_t host, uint32_t *id)
{
	uint64_t raw_ns = UINT64_MAX;
	uint32_t pid;
	int error = parse_id(text, &pid);

	if (!error && **text == '@') {
		long long time_ns;
		char *end;

		++*text;
		if ((*text)[**text == '-'] < '0' || (*text)[**text == '-'] > '9')
			return -EINVAL;
		errno = 0;
		time_ns = strtoll(*text, &end, 10);
		if (errno || time_ns == LLONG_MAX)
			return -EINVAL;
		*text = end;
		/* The last raw time that has this time on the timeline */
		raw_ns = session_raw(session, host, time_ns + 1);
		raw_ns -= raw_ns != 0;
	}
	*id = error ? 0 : session_task_at(session, host, pid, raw_ns);
	return error;
}

/* Tasks by ids or pids; these are the keys of the answer, as in the request. */
unsigned int answer_names(struct request *request)
{
	const char *ids = request_text(request, "ids"), *pids = request_text(request, "pids");
	const char *text = ids ? ids : pids;
	unsigned int names = 0;
	struct json json;
	uint64_t host;

	if (request_u64(request, "host", request->session->host_count - 1, &host) || !text)
		return request_failed(request, -EINVAL);
	if (request_begin(request, &json))
		return request_failed(request, -ENOMEM);
	while (*text) {
		struct task_context context = { .host = host };
		const char *begin = text;
		char key[64];
		int error = ids ? parse_id(&text, &context.id) :
				  parse_pid(&text, request->session, host, &context.id);

		snprintf(key, sizeof(key), "%.*s", (int)(text - begin), begin);
		if (error || (*text && *text++ != ',') || ++names > NAMES_MAX)
			return request_failed(request, -EINVAL);
		context.task = session_task(request->session, host, context.id);
		if (context.task)
			name_json(&json, request->session, key, &context);
	}
	return request_end(request, &json);
}
