// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers where registered events are, with their names; and the next event of a name.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "lane-registered.h"
#include "nearest-event.h"
#include "view/http/server.h"

#define MARKS_MAX	20000
#define NAME_MAX_BYTES	64

/* Numbers of the CPUs' lanes that are asked for; free() them. */
static int wanted_lanes(struct request *request, uint32_t **lanes, size_t *count)
{
	struct wanted_lane *wanted;
	int error = request_lanes(request, "lanes", false, &wanted, count);

	if (error)
		return error;
	*lanes = calloc(*count + 1, sizeof(**lanes));
	for (size_t i = 0; *lanes && i < *count; i++)
		(*lanes)[i] = wanted[i].lane;
	free(wanted);
	return *lanes ? 0 : -ENOMEM;
}

static void registered_json(struct json *json, const struct registered *registered)
{
	json_array(json, "names");
	for (size_t i = 0; i < registered->name_count; i++) {
		const struct registered_name *name = &registered->names[i];

		json_object(json, NULL);
		json_string(json, "name", name->text);
		json_u64(json, "id", name->id);
		json_u64(json, "count", name->count);
		json_end(json);
	}
	json_end(json);
	/* Lane, time, number of the name: many are told, so in short. */
	json_array(json, "marks");
	for (size_t i = 0; i < registered->mark_count; i++) {
		json_array(json, NULL);
		json_u64(json, NULL, registered->marks[i].lane);
		answer_s64(json, NULL, registered->marks[i].time_ns);
		json_u64(json, NULL, registered->marks[i].name);
		json_end(json);
	}
	json_end(json);
	json_bool(json, "more", registered->more);
	if (registered->too_many)
		answer_u64(json, "too_many", registered->too_many);
	else
		json_null(json, "too_many");
}

static unsigned int failed(struct request *request, int error)
{
	return error == -E2BIG ?
	       request_error(request, MHD_HTTP_BAD_REQUEST, "at most %u lanes", TRACKS_MAX) :
	       request_failed(request, error);
}

unsigned int answer_registered(struct request *request)
{
	struct registered registered = { 0 };
	uint32_t *lanes = NULL;
	uint64_t limit = 2000;
	int64_t from_ns, to_ns, step_ns;
	struct json json;
	size_t count;
	int error;

	if (request_time(request, "from", &from_ns) || request_time(request, "to", &to_ns) ||
	    request_u64(request, "limit", MARKS_MAX, &limit) == -EINVAL)
		return request_failed(request, -EINVAL);
	if (request_time(request, "step", &step_ns))
		step_ns = 0;
	error = wanted_lanes(request, &lanes, &count);
	if (!error)
		error = registered_read(&registered, request->session, request, lanes, count,
					from_ns, to_ns, step_ns, limit);
	free(lanes);
	if (!error)
		error = request_begin(request, &json);
	if (!error)
		registered_json(&json, &registered);
	registered_free(&registered);
	return error ? failed(request, error) : request_end(request, &json);
}

/* ---- The next one of a name ---- */

/* Of what kinds events of a name are: registered ones, and those of a type of that name */
static unsigned int kinds_of(const struct session *session, uint32_t host, const char *name)
{
	const struct evtlog_file *file = session->logs.files[session->hosts[host].file].file;
	unsigned int kinds = 1u << EVTLOG_KIND_PUT;

	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		const struct evtlog_type_info *type = evtlog_type_info(file, i);

		if (type && !strcmp(type->name, name))
			kinds |= 1u << evtlog_kind_of(type->known);
	}
	return kinds;
}

/* The nearest of all lanes: each is looked at no further than the nearest so far. */
static int find_named(struct request *request, const uint32_t *lanes, size_t count,
		      const char *name, int64_t time_ns, bool after, struct nearest *best)
{
	struct session *session = request->session;
	struct nearest_options opts = { .name = name };
	int64_t best_ns = 0;
	bool found = false;
	int result = 0;

	for (size_t i = 0; i < count && result >= 0; i++) {
		uint32_t host = session->lanes[lanes[i]].host;
		struct nearest nearest;

		/* Lanes of a host are side by side. */
		if (!i || host != session->lanes[lanes[i - 1]].host)
			opts.kinds = kinds_of(session, host, name);
		if (!(session_kinds(session, lanes[i]) & opts.kinds))
			continue;
		opts.limit_ns = found ? session_raw(session, host, best_ns) : 0;
		result = nearest_find(request, lanes[i],
				      session_raw(session, host, after ? time_ns + 1 : time_ns),
				      after ? NEAREST_AFTER : NEAREST_BEFORE, &opts, &nearest);
		if (result <= 0) {
			nearest_free(&nearest);
			continue;
		}
		if (found)
			nearest_free(best);
		*best = nearest;
		best_ns = nearest.time_ns;
		found = true;
	}
	return result < 0 ? result : found;
}

unsigned int answer_named(struct request *request)
{
	const char *name = request_text(request, "name");
	struct nearest best = { 0 };
	uint32_t *lanes = NULL;
	struct json json;
	int64_t time_ns;
	size_t count;
	bool after;
	int result;

	after = !request_time(request, "after", &time_ns);
	if ((!after && request_time(request, "before", &time_ns)) || !name ||
	    strlen(name) > NAME_MAX_BYTES)
		return request_failed(request, -EINVAL);
	result = wanted_lanes(request, &lanes, &count);
	if (!result)
		result = find_named(request, lanes, count, name, time_ns, after, &best);
	free(lanes);
	if (result >= 0 && request_begin(request, &json))
		result = -ENOMEM;
	if (result > 0)
		result = track_event_json(&best.tracks, best.track, &json, "event");
	else if (!result)
		json_null(&json, "event");
	nearest_free(&best);
	return result < 0 ? failed(request, result) : request_end(request, &json);
}
