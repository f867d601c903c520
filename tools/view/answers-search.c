// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds tasks, and where one runs next.
 *
 * Stage: within the server; from the indexes.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "server.h"
#include "tasks.h"

#define FOUND_MAX	1000
#define TEXT_MAX	64

unsigned int answer_search(struct request *request)
{
	const char *text = request_text(request, "q");
	struct task_place *found;
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
		task_place_json(&json, request->session, &found[i]);
	json_end(&json);
	free(found);
	return request_end(request, &json);
}

/* ---- Where a task runs next ---- */

/* So many parts of a stretch are looked at together. */
#define PARTS	64

/*
 * The first, or last, part of [@from, @to) in which the task may run, made as short as
 * can be.  1; 0: none; -errno.
 */
static int narrow(struct request *request, uint32_t host, uint32_t task, int64_t *from,
		  int64_t *to, bool after)
{
	struct evtlog_bin bins[PARTS];
	int64_t edges[PARTS + 1];

	for (;;) {
		int64_t length = *to - *from;
		bool refine = length < PARTS << 20;
		int found = -1, error;

		for (int i = 0; i <= PARTS; i++)
			edges[i] = *from + (__int128)length * i / PARTS;
		error = session_task_bins(request->session, host, task, edges, PARTS, refine,
					  bins);
		if (!error && request_given_up(request))
			error = -ECANCELED;
		if (error)
			return error;
		for (int i = 0; i < PARTS; i++)
			if (bins[i].busy && edges[i] < edges[i + 1] && (found < 0 || !after))
				found = i;
		if (found < 0)
			return 0;
		*from = edges[found];
		*to = edges[found + 1];
		if (*to - *from <= 1)
			return 1;
	}
}

static int find_slice(struct request *request, uint32_t host, uint32_t task, int64_t *time_ns,
		      bool after)
{
	int64_t length = request->session->length_ns, at = *time_ns, width = INT64_C(1) << 24;

	if (at < 0)
		at = 0;
	if (at > length)
		at = length;
	while (after ? at < length : at > 0) {
		int64_t from = after ? at : at > width ? at - width : 0;
		int64_t to = after ? length - at > width ? at + width : length : at;
		int64_t part_from = from, part_to = to;
		int result = narrow(request, host, task, &part_from, &part_to, after);

		if (result < 0)
			return result;
		if (result) {
			*time_ns = part_from;
			return 1;
		}
		at = after ? to : from;
		if (width < INT64_MAX / 8)
			width *= 4;
	}
	return 0;
}

unsigned int answer_find(struct request *request)
{
	struct session *session = request->session;
	struct wanted_lane wanted = { .is_task = true };
	struct slice slice = { 0 };
	uint64_t host, id;
	struct json json;
	int64_t time_ns;
	bool after;
	int result;

	after = !request_s64(request, "after", &time_ns);
	if ((!after && request_s64(request, "before", &time_ns)) ||
	    request_u64(request, "host", session->host_count - 1, &host) ||
	    request_u64(request, "id", UINT32_MAX, &id) || !session_task(session, host, id))
		return request_failed(request, -EINVAL);
	wanted.host = host;
	wanted.task = id;
	/* Not the slice that the time is in */
	result = slice_of_task(request, &wanted, time_ns, &slice);
	if (result > 0)
		time_ns = after ? slice.end_ns : slice.begin_ns;
	if (result >= 0)
		result = find_slice(request, host, id, &time_ns, after);
	if (result > 0)
		result = slice_of_task(request, &wanted, time_ns, &slice);
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
