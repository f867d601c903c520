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

static int step_lane(struct request *request, struct json *json, uint32_t lane,
		     int64_t time_ns, bool next, const struct nearest_options *opts)
{
	struct session *session = request->session;
	uint32_t host = session->lanes[lane].host;
	uint64_t raw_ns = session_raw(session, host, next ? time_ns + 1 : time_ns);
	struct nearest nearest;
	int result;

	result = nearest_find(request, lane, raw_ns, next ? NEAREST_AFTER : NEAREST_BEFORE,
			      opts, &nearest);
	if (result > 0)
		result = track_event_json(&nearest.tracks, nearest.track, json, "event");
	else if (!result)
		json_null(json, "event");
	nearest_free(&nearest);
	return result;
}

unsigned int answer_step(struct request *request)
{
	const char *direction = request_text(request, "direction");
	uint64_t kinds = TRACKS_ALL_KINDS;
	struct nearest_options opts = { 0 };
	struct wanted_lane wanted;
	struct json json;
	int64_t time_ns;
	bool next;
	int error;

	if (request_lane(request, "lane", &wanted) || wanted.is_task ||
	    request_time(request, "t", &time_ns) || !direction ||
	    request_u64(request, "kinds", TRACKS_ALL_KINDS, &kinds) == -EINVAL)
		return request_failed(request, -EINVAL);
	next = !strcmp(direction, "next");
	if (!next && strcmp(direction, "prev"))
		return request_failed(request, -EINVAL);
	opts.kinds = kinds;
	error = request_begin(request, &json);
	if (!error)
		error = step_lane(request, &json, wanted.lane, time_ns, next, &opts);
	return error ? request_failed(request, error) : request_end(request, &json);
}
