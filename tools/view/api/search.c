// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds tasks, and where one runs next.
 *
 * From the indexes.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "tasks.h"
#include "view/http/server.h"

#define FOUND_MAX	1000
#define TEXT_MAX	64

unsigned int answer_search(struct request *request)
{
	const char *text = request_text(request, "q");
	struct task_context *found;
	uint64_t limit = 50;
	struct json json;
	size_t count;

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
	return request_end(request, &json);
}

/* ---- Where a task runs next ---- */

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
	/* That begins behind the time, or before it: from one's begin to the next's */
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
