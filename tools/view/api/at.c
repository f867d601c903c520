// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers with the state of a lane at a time: the task, why it left, and the nearest event.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "lane-events.h"
#include "tasks.h"
#include "view/http/server.h"
#include "view/session/session.h"

#define NEAR_MAX_NS	(INT64_C(1) << 40)

/* Slices with more events are not read, because this would take too long. */
#define INSIDE_EVENTS	50000

/*
 * State of a lane at an instant; times are raw.
 * @looked:	the slice was read: @own_ns is the task's time in it without interrupts and
 *		softirqs
 * @context_begin_ns, @context_end_ns: the time that the CPU spends in @context; 0 if unknown
 */
struct instant {
	uint32_t pid;
	uint32_t next_pid;
	uint8_t context;
	uint32_t context_number;
	const char *left;
	bool known;
	uint64_t begin_ns;
	uint64_t end_ns;
	bool looked;
	uint64_t own_ns;
	uint64_t context_begin_ns;
	uint64_t context_end_ns;
};

/* Gets the state, which is in the first event after @raw_ns. */
static int state_at(struct session *session, uint32_t lane, uint64_t raw_ns,
		    struct instant *instant)
{
	uint32_t host = session->lanes[lane].host;
	struct tracks tracks;
	struct track *track;
	int result;

	result = tracks_open(&tracks, session, &lane, 1, session_time(session, host, raw_ns));
	while (!result && (result = tracks_next(&tracks, &track)) > 0) {
		const struct evtlog_event *event = track->event;

		result = 0;
		if (event->time_ns <= raw_ns)
			continue;
		instant->known = event->kind != EVTLOG_EVENT_BEGIN &&
				 !(event->kind == EVTLOG_EVENT_GAP && event->from_ns <= raw_ns) &&
				 !(session->hosts[host].no_switches &&
				   event->pid == EVTLOG_PID_UNKNOWN &&
				   event->context == EVTLOG_IN_TASK);
		instant->pid = instant->known ? event->pid : EVTLOG_PID_UNKNOWN;
		instant->context = event->context;
		instant->context_number = event->context_number;
		break;
	}
	tracks_close(&tracks);
	return result < 0 ? result : 0;
}

/* Gets begin and end of the slice, and why its task left the CPU. */
static int bounds_of(struct request *request, uint32_t lane, uint64_t raw_ns,
		     struct instant *instant)
{
	static const struct nearest_options opts = {
		.kinds = 1 << EVTLOG_KIND_SWITCH, .gaps = true,
	};
	const struct evtlog_index_cpu *cpu = session_cpu(request->session, lane);
	struct nearest nearest;
	int result;

	instant->begin_ns = cpu->begin_ns;
	instant->end_ns = cpu->end_ns;
	result = nearest_find(request, lane, raw_ns + 1, NEAREST_BEFORE, &opts, &nearest);
	if (result > 0)
		instant->begin_ns = nearest.raw_ns;
	nearest_free(&nearest);
	if (result < 0)
		return result;
	result = nearest_find(request, lane, raw_ns + 1, NEAREST_AFTER, &opts, &nearest);
	if (result > 0) {
		const struct evtlog_event *event = nearest.track->event;

		instant->end_ns = nearest.raw_ns;
		if (event->kind == EVTLOG_EVENT_GAP) {
			instant->left = "events lost";
		} else if (event->words) {
			instant->next_pid = evtlog_record_pid(event->words);
			if (instant->pid)
				instant->left = left_name(evtlog_state_letter(
					nearest.track->reader->file,
					evtlog_switch_state(event->words)));
		}
	}
	nearest_free(&nearest);
	return result < 0 ? result : 0;
}

/* Reads the slice: the task's own time, and begin and end of the context. */
static int look_inside(struct session *session, uint32_t lane, uint64_t raw_ns,
		       struct instant *instant)
{
	uint32_t host = session->lanes[lane].host;
	int64_t from_ns = session_time(session, host, instant->begin_ns);
	int64_t to_ns = session_time(session, host, instant->end_ns);
	uint64_t at = instant->begin_ns, since = at;
	uint32_t number = EVTLOG_NUMBER_UNKNOWN;
	int context = -1, result;
	struct tracks tracks;
	struct track *track;

	if (session_count(session, lane, from_ns, to_ns) > INSIDE_EVENTS)
		return 0;
	result = tracks_open(&tracks, session, &lane, 1, from_ns);
	while (!result && at < instant->end_ns && (result = tracks_next(&tracks, &track)) > 0) {
		const struct evtlog_event *event = track->event;
		uint64_t till = event->kind == EVTLOG_EVENT_GAP ? event->from_ns :
				event->time_ns;

		result = 0;
		if (till <= instant->begin_ns)
			continue;
		if (till > instant->end_ns)
			till = instant->end_ns;
		if (event->context != context || event->context_number != number) {
			if (since <= raw_ns && raw_ns < at) {
				instant->context_begin_ns = since;
				instant->context_end_ns = at;
			}
			since = at;
			context = event->context;
			number = event->context_number;
		}
		if (context == EVTLOG_IN_TASK)
			instant->own_ns += till - at;
		at = till;
	}
	tracks_close(&tracks);
	if (result < 0)
		return result;
	if (since <= raw_ns && raw_ns < at) {
		instant->context_begin_ns = since;
		instant->context_end_ns = at;
	}
	instant->looked = at == instant->end_ns;
	return 0;
}

static int read_instant(struct request *request, uint32_t lane, uint64_t raw_ns,
			struct instant *instant)
{
	int error;

	*instant = (struct instant) {
		.pid = EVTLOG_PID_UNKNOWN,
		.next_pid = EVTLOG_PID_UNKNOWN,
	};
	error = state_at(request->session, lane, raw_ns, instant);
	if (!error && instant->known)
		error = bounds_of(request, lane, raw_ns, instant);
	return error;
}

static int context_json(struct json *json, struct session *session, uint32_t host,
			const struct instant *instant)
{
	const struct evtlog_file *file = session->logs.files[session->hosts[host].file].file;
	char name[CONTEXT_NAME_BYTES];
	int error;

	if (!instant->known) {
		json_null(json, "context");
		json_null(json, "context_name");
		json_null(json, "context_begin");
		json_null(json, "context_end");
		return 0;
	}
	error = context_name(file, instant->context, instant->context_number, name);
	json_string(json, "context", context_kind(instant->context));
	json_string(json, "context_name", !error && name[0] ? name : NULL);
	if (instant->context_end_ns) {
		answer_s64(json, "context_begin",
			   session_time(session, host, instant->context_begin_ns));
		answer_s64(json, "context_end", session_time(session, host, instant->context_end_ns));
	} else {
		json_null(json, "context_begin");
		json_null(json, "context_end");
	}
	return error;
}

/* Writes the nearest event, or null if none is within @near_ns. */
static int event_json(struct request *request, struct json *json, uint32_t lane,
		      int64_t time_ns, int64_t near_ns)
{
	struct session *session = request->session;
	uint64_t raw_ns = session_raw(session, session->lanes[lane].host, time_ns);
	const struct nearest_options opts = { .kinds = TRACKS_ALL_KINDS };
	struct nearest before, after, *best = NULL;
	int64_t best_ns = near_ns;
	int result;

	result = nearest_find(request, lane, raw_ns, NEAREST_BEFORE, &opts, &before);
	if (result > 0 && time_ns - before.time_ns <= best_ns) {
		best = &before;
		best_ns = time_ns - before.time_ns;
	}
	if (result < 0) {
		nearest_free(&before);
		return result;
	}
	result = nearest_find(request, lane, raw_ns, NEAREST_AFTER, &opts, &after);
	if (result > 0 && after.time_ns - time_ns <= best_ns)
		best = &after;
	if (result >= 0 && best)
		result = track_event_json(&best->tracks, best->track, json, "event");
	else if (result >= 0)
		json_null(json, "event");
	nearest_free(&before);
	nearest_free(&after);
	return result < 0 ? result : 0;
}

/* The lane on which a task runs at a time; lane_count if it does not run. */
static int lane_of_task(struct session *session, const struct wanted_lane *task,
			int64_t time_ns, uint32_t *lane)
{
	struct slice slice;
	int result = session_slice(session, task->host, task->task, time_ns + 1, false, &slice);

	*lane = result > 0 && slice.end_ns > time_ns ? slice.lane : session->lane_count;
	return result < 0 ? result : 0;
}

static void instant_json(struct request *request, struct json *json, uint32_t host,
			 const struct instant *instant, uint64_t raw_ns)
{
	struct session *session = request->session;

	/* A slice has the name of its begin. */
	task_json(json, "task", session, host, instant->pid,
		  instant->known ? instant->begin_ns : raw_ns);
	if (instant->known) {
		answer_s64(json, "begin", session_time(session, host, instant->begin_ns));
		answer_s64(json, "end", session_time(session, host, instant->end_ns));
	} else {
		json_null(json, "begin");
		json_null(json, "end");
	}
	if (instant->looked)
		answer_u64(json, "ran_ns", instant->own_ns);
	else
		json_null(json, "ran_ns");
	json_string(json, "left", instant->left);
	task_json(json, "next", session, host, instant->next_pid, instant->end_ns);
}

/* Writes a task that is on no CPU at this time. */
static void off_json(struct request *request, struct json *json,
		     const struct wanted_lane *wanted)
{
	struct task_context context = {
		.host = wanted->host,
		.id = wanted->task,
		.task = session_task(request->session, wanted->host, wanted->task),
	};

	json_null(json, "lane");
	json_object(json, "task");
	task_members_json(json, request->session, &context);
	json_end(json);
	json_string(json, "context", "off");
	json_null(json, "context_name");
	json_null(json, "context_begin");
	json_null(json, "context_end");
	json_null(json, "begin");
	json_null(json, "end");
	json_null(json, "ran_ns");
	json_null(json, "left");
	json_null(json, "next");
	json_null(json, "event");
}

/* Clock error of each host at a time. */
static void bounds_json(struct json *json, const struct session *session, int64_t time_ns)
{
	json_array(json, "bounds");
	for (uint32_t host = 0; host < session->host_count; host++)
		answer_bound(json, NULL, session_bound(session, host,
						       session_raw(session, host, time_ns)));
	json_end(json);
}

unsigned int answer_at(struct request *request)
{
	struct session *session = request->session;
	uint64_t near_ns = 0, raw_ns;
	struct wanted_lane wanted;
	struct instant instant = { 0 };
	struct json json;
	int64_t time_ns;
	uint32_t lane;
	int error = 0;

	if (request_lane(request, "lane", &wanted) ||
	    request_time(request, "t", &time_ns) ||
	    request_u64(request, "near", NEAR_MAX_NS, &near_ns) == -EINVAL)
		return request_failed(request, -EINVAL);
	lane = wanted.lane;
	if (wanted.is_task)
		error = lane_of_task(session, &wanted, time_ns, &lane);
	raw_ns = session_raw(session, wanted.host, time_ns);
	if (!error && lane < session->lane_count)
		error = read_instant(request, lane, raw_ns, &instant);
	if (!error && lane < session->lane_count && instant.known)
		error = look_inside(session, lane, raw_ns, &instant);
	if (!error)
		error = request_begin(request, &json);
	if (error)
		return request_failed(request, error);
	answer_s64(&json, "t", time_ns);
	if (lane == session->lane_count) {
		off_json(request, &json, &wanted);
	} else {
		json_u64(&json, "lane", lane);
		instant_json(request, &json, wanted.host, &instant, raw_ns);
		error = context_json(&json, session, wanted.host, &instant);
		if (!error)
			error = event_json(request, &json, lane, time_ns, near_ns);
	}
	if (error)
		return request_failed(request, error);
	bounds_json(&json, session, time_ns);
	return request_end(request, &json);
}
