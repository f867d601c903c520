// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers with the events of a span, or with the next event.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "lane-events.h"
#include "view/http/server.h"

#define EVENTS_MAX	20000
#define NAME_BYTES_MAX	64

/*
 * Lanes to read, and which of their events are selected.
 * @whole:	by lane: all events are selected, not only those of @tasks
 */
struct choosing {
	uint32_t *lanes;
	size_t count;
	bool *whole;
	const struct wanted_lane *tasks;
	size_t task_count;
};

static int choose_lanes(struct choosing *choosing, const struct session *session,
			const struct wanted_lane *wanted, size_t count)
{
	bool *read = calloc(session->lane_count + 1, sizeof(*read));

	choosing->lanes = calloc(session->lane_count + 1, sizeof(*choosing->lanes));
	choosing->whole = calloc(session->lane_count + 1, sizeof(*choosing->whole));
	if (!read || !choosing->lanes || !choosing->whole) {
		free(read);
		return -ENOMEM;
	}
	choosing->tasks = wanted;
	choosing->task_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct session_host *host = &session->hosts[wanted[i].host];

		if (wanted[i].is_task)
			memset(read + host->first_lane, true, host->lane_count);
		else
			read[wanted[i].lane] = choosing->whole[wanted[i].lane] = true;
	}
	for (uint32_t lane = 0; lane < session->lane_count; lane++)
		if (read[lane])
			choosing->lanes[choosing->count++] = lane;
	free(read);
	return 0;
}

/* True for a switch, wake-up or migration of the task. */
static bool is_about(const struct evtlog_event *event, uint32_t pid)
{
	switch (evtlog_kind_of(event->known)) {
	case EVTLOG_KIND_SWITCH:
		return event->pid == pid || evtlog_record_pid(event->words) == pid;
	case EVTLOG_KIND_WAKING:
	case EVTLOG_KIND_MIGRATION:
		return evtlog_record_pid(event->words) == pid;
	default:
		return false;
	}
}

static bool is_chosen(const struct choosing *choosing, const struct session *session,
		      const struct track *track)
{
	if (choosing->whole[track->lane])
		return true;
	for (size_t i = 0; i < choosing->task_count; i++) {
		const struct wanted_lane *wanted = &choosing->tasks[i];

		if (wanted->is_task && wanted->host == track->host &&
		    is_about(track->event,
			     session_task(session, wanted->host, wanted->task)->pid))
			return true;
	}
	return false;
}

static int events_json(struct request *request, struct json *json,
		       const struct choosing *choosing, int64_t from_ns, int64_t to_ns,
		       uint64_t limit, uint64_t kinds)
{
	uint32_t seen = 0;
	struct tracks tracks;
	struct track *track;
	bool more = false;
	int result;

	result = tracks_open(&tracks, request->session, choosing->lanes, choosing->count,
			     from_ns);
	json_array(json, "events");
	while (!result && (result = tracks_next(&tracks, &track)) > 0) {
		result = 0;
		if (!(++seen & 0xfff) && request_given_up(request))
			result = -ECANCELED;
		if (track->time_ns >= to_ns)
			break;
		if (track->time_ns < from_ns || !(track_kind(track->event) & kinds) ||
		    !is_chosen(choosing, request->session, track))
			continue;
		more = !limit;
		if (more)
			break;
		limit--;
		result = track_event_json(&tracks, track, json, NULL);
	}
	json_end(json);
	json_bool(json, "more", more);
	tracks_close(&tracks);
	return result < 0 ? result : 0;
}

unsigned int answer_events(struct request *request)
{
	uint64_t limit = 2000, kinds = TRACKS_ALL_KINDS;
	struct choosing choosing = { 0 };
	struct wanted_lane *lanes;
	int64_t from_ns, to_ns;
	struct json json;
	size_t count;
	int error;

	if (request_time(request, "from", &from_ns) || request_time(request, "to", &to_ns) ||
	    request_u64(request, "limit", EVENTS_MAX, &limit) == -EINVAL ||
	    request_u64(request, "kinds", TRACKS_ALL_KINDS, &kinds) == -EINVAL)
		return request_failed(request, -EINVAL);
	error = request_lanes(request, "lanes", true, &lanes, &count);
	if (!error)
		error = choose_lanes(&choosing, request->session, lanes, count);
	if (!error)
		error = request_begin(request, &json);
	if (!error)
		error = events_json(request, &json, &choosing, from_ns, to_ns, limit, kinds);
	free(choosing.lanes);
	free(choosing.whole);
	free(lanes);
	if (error == -E2BIG)
		return request_error(request, MHD_HTTP_BAD_REQUEST,
				     "at most %u lanes", TRACKS_MAX);
	return error ? request_failed(request, error) : request_end(request, &json);
}

/* ---- The next event ---- */

/* Kinds of events with this name: registered events, and types of this name. */
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

/* Finds the nearest event on all lanes; searches each lane only as far as the nearest so far. */
static int find_next(struct request *request, const struct wanted_lane *lanes, size_t count,
		     struct nearest_options opts, int64_t time_ns, bool after, struct nearest *best)
{
	struct session *session = request->session;
	int64_t best_ns = 0;
	bool found = false;
	int result = 0;

	for (size_t i = 0; i < count && result >= 0; i++) {
		uint32_t host = lanes[i].host;
		struct nearest nearest;

		/* Lanes of a host are consecutive. */
		if (opts.name && (!i || host != lanes[i - 1].host))
			opts.kinds = kinds_of(session, host, opts.name);
		if (opts.name && !(session_kinds(session, lanes[i].lane) & opts.kinds))
			continue;
		opts.limit_ns = found ? session_raw(session, host, best_ns) : 0;
		result = nearest_find(request, lanes[i].lane,
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

/* The next event after or before a time, of some kinds or of a name. */
unsigned int answer_next(struct request *request)
{
	struct nearest_options opts = { .name = request_text(request, "name") };
	uint64_t kinds = TRACKS_ALL_KINDS;
	struct nearest best = { 0 };
	struct wanted_lane *lanes;
	struct json json;
	int64_t time_ns;
	size_t count;
	bool after;
	int result;

	after = !request_time(request, "after", &time_ns);
	if ((!after && request_time(request, "before", &time_ns)) ||
	    (opts.name && strlen(opts.name) > NAME_BYTES_MAX) ||
	    request_u64(request, "kinds", TRACKS_ALL_KINDS, &kinds) == -EINVAL)
		return request_failed(request, -EINVAL);
	opts.kinds = kinds;
	result = request_lanes(request, "lanes", false, &lanes, &count);
	if (!result)
		result = find_next(request, lanes, count, opts, time_ns, after, &best);
	free(lanes);
	if (result >= 0 && request_begin(request, &json))
		result = -ENOMEM;
	if (result > 0)
		result = track_event_json(&best.tracks, best.track, &json, "event");
	else if (!result)
		json_null(&json, "event");
	nearest_free(&best);
	return result < 0 ? request_failed(request, result) : request_end(request, &json);
}
