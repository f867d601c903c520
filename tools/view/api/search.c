// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds tasks and events by name, and the next slice of a task.
 *
 * Tasks and types of events are found in the indexes; the names of registered events are read from
 * the logs.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/event-format.h>

#include "tasks.h"
#include "view/http/server.h"

#define FOUND_MAX	1000
#define TEXT_MAX	64

/* Names of events that contain @text, each once. */
struct found_names {
	const char **at;
	size_t count;
	size_t max;
	const char *text;
};

static void add_name(struct found_names *found, const char *name)
{
	size_t k = 0;

	if (!strcasestr(name, found->text))
		return;
	while (k < found->count && strcmp(found->at[k], name))
		k++;
	if (k == found->count && found->count < found->max)
		found->at[found->count++] = name;
}

/* Adds names of types.  Registered events have their own names: see track_name(). */
static void add_types(struct found_names *found, const struct session *session,
		      const struct session_host *host, unsigned int kinds)
{
	const struct evtlog_file *file = session->logs.files[host->file].file;

	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		const struct evtlog_type_info *type = evtlog_type_info(file, i);

		if (type && type->known != EVTLOG_EVENT &&
		    !(type->known && evtlog_recorded(file, type->known) == EVTLOG_RECORDED_OFF) &&
		    kinds & 1u << evtlog_kind_of(type->known))
			add_name(found, type->name);
	}
}

/* Names of registered events are read once by each reader, and only if the log has such events. */
static int names_json(struct request *request, struct json *json, const char *text, size_t max)
{
	struct session *session = request->session;
	struct session_reader **readers = calloc(session->host_count + 1, sizeof(*readers));
	struct found_names found = { calloc(max + 1, sizeof(*found.at)), 0, max, text };
	int error = readers && found.at ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < session->host_count && !error; i++) {
		const struct session_host *host = &session->hosts[i];
		const struct evtlog_event_format *format;
		unsigned int kinds = 0;

		for (uint32_t k = 0; k < host->lane_count; k++)
			kinds |= session_kinds(session, host->first_lane + k);
		add_types(&found, session, host, kinds);
		if (!(kinds & 1u << EVTLOG_KIND_PUT))
			continue;
		error = session_reader_get(session, i, &readers[i]);
		for (size_t k = 0; !error && (format = evtlog_event_format_at(readers[i]->file, k));
		     k++)
			add_name(&found, format->name);
	}
	json_array(json, "events");
	for (size_t i = 0; i < found.count; i++)
		json_string(json, NULL, found.at[i]);
	json_end(json);
	for (uint32_t i = 0; readers && i < session->host_count; i++)
		session_reader_put(session, readers[i]);
	free(found.at);
	free(readers);
	return error;
}

unsigned int answer_search(struct request *request)
{
	const char *text = request_text(request, "q");
	struct task_context *found;
	uint64_t limit = 50;
	struct json json;
	size_t count;
	int error;

	if (!text || strlen(text) > TEXT_MAX ||
	    request_u64(request, "limit", FOUND_MAX, &limit) == -EINVAL)
		return request_failed(request, -EINVAL);
	found = calloc(limit + 1, sizeof(*found));
	if (!found || request_begin(request, &json)) {
		free(found);
		return request_failed(request, -ENOMEM);
	}
	count = limit ? tasks_busiest(request->session, text, found, limit) : 0;
	json_array(&json, "tasks");
	for (size_t i = 0; i < count; i++)
		task_context_json(&json, request->session, &found[i]);
	json_end(&json);
	free(found);
	error = names_json(request, &json, text, limit);
	return error ? request_failed(request, error) : request_end(request, &json);
}

/* ---- The next slice of a task ---- */

unsigned int answer_find(struct request *request)
{
	struct session *session = request->session;
	struct slice slice;
	uint64_t host, id;
	struct json json;
	int64_t time_ns;
	bool after;
	int result;

	after = !request_time(request, "after", &time_ns);
	if ((!after && request_time(request, "before", &time_ns)) ||
	    request_u64(request, "host", session->host_count - 1, &host) ||
	    request_u64(request, "id", UINT32_MAX, &id) || !id ||
	    !session_task(session, host, id))
		return request_failed(request, -EINVAL);
	/* Finds the first slice that begins after the time, or the last that begins before it. */
	result = session_slice(session, host, id, time_ns + after, after, &slice);
	if (result < 0)
		return request_failed(request, result);
	if (!result) {
		request->bytes = (char *)"null\n";
		request->length = strlen(request->bytes);
		request->type = "application/json";
		return MHD_HTTP_OK;
	}
	if (request_begin(request, &json))
		return request_failed(request, -ENOMEM);
	json_u64(&json, "lane", slice.lane);
	answer_s64(&json, "begin", slice.begin_ns);
	answer_s64(&json, "end", slice.end_ns);
	return request_end(request, &json);
}
