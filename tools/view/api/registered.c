// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers with registered events and their names.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/event-format.h>

#include "lane-events.h"
#include "lib/base/array.h"
#include "lib/base/key-table.h"
#include "view/http/server.h"

/* ---- Finding registered events ---- */

/*
 * @by_id:	number of a name, by host and id; for types, the id is above EVTLOG_EVENT_ID_MAX
 * @marked:	index in @last, by lane and name; @last: time of the last mark
 */
struct reading {
	struct registered *to;
	struct key_table by_id;
	int64_t step_ns;
	struct key_table marked;
	int64_t *last;
	size_t last_count;
	size_t last_capacity;
};

static uint64_t key_of(const struct track *track)
{
	const struct evtlog_event *event = track->event;

	return (uint64_t)track->host << 32 |
	       (event->known == EVTLOG_EVENT ? evtlog_event_id(event) :
		EVTLOG_EVENT_ID_MAX + 1u + event->number);
}

/* Ids of different hosts may have the same name. */
static int add_name(struct reading *reading, const struct track *track, uint64_t key,
		    uint32_t *number)
{
	struct registered *to = reading->to;
	char text[TRACK_NAME_BYTES];
	const char *name = track_name(track, text);
	uint32_t id = track->event->known == EVTLOG_EVENT ? evtlog_event_id(track->event) : 0;

	for (*number = 0; *number < to->name_count; ++*number)
		if (!strcmp(to->names[*number].text, name))
			break;
	if (*number == to->name_count) {
		if (array_reserve(&to->names, &to->name_capacity, to->name_count,
				  sizeof(*to->names)))
			return -ENOMEM;
		to->names[*number] = (struct registered_name) { strdup(name), id, 0 };
		if (!to->names[*number].text)
			return -ENOMEM;
		to->name_count++;
	}
	if (id < to->names[*number].id)
		to->names[*number].id = id;
	return key_table_add(&reading->by_id, key, *number);
}

/* 1: the lane's last mark of the name is less than a step before; 0: mark this event; -ENOMEM */
static int is_near(struct reading *reading, const struct track *track, uint32_t name)
{
	uint64_t key = (uint64_t)track->lane << 32 | name;
	uint32_t number = key_table_find(&reading->marked, key);
	int error;

	if (number != KEY_NONE) {
		if (track->time_ns - reading->last[number] < reading->step_ns)
			return 1;
		reading->last[number] = track->time_ns;
		return 0;
	}
	error = array_reserve(&reading->last, &reading->last_capacity, reading->last_count,
			      sizeof(*reading->last));
	if (!error)
		error = key_table_add(&reading->marked, key, reading->last_count);
	if (!error)
		reading->last[reading->last_count++] = track->time_ns;
	return error;
}

static int add_mark(struct reading *reading, const struct track *track, uint64_t limit)
{
	struct registered *to = reading->to;
	uint64_t key = key_of(track);
	uint32_t number = key_table_find(&reading->by_id, key);
	int error = number == KEY_NONE ? add_name(reading, track, key, &number) : 0;

	if (error)
		return error;
	if (reading->step_ns) {
		int near = is_near(reading, track, number);

		if (near > 0)
			to->names[number].count++;
		if (near)
			return near < 0 ? near : 0;
	}
	to->more = to->mark_count == limit;
	if (to->more)
		return 0;
	error = array_reserve(&to->marks, &to->mark_capacity, to->mark_count, sizeof(*to->marks));
	if (error)
		return error;
	to->names[number].count++;
	to->marks[to->mark_count++] = (struct registered_mark) {
		.time_ns = track->time_ns, .lane = track->lane, .name = number,
	};
	return 0;
}

static int read_marks(struct reading *reading, struct tracks *tracks, struct request *request,
		      int64_t from_ns, int64_t to_ns, uint64_t limit)
{
	struct track *track;
	uint32_t seen = 0;
	int result;

	while ((result = tracks_next(tracks, &track)) > 0) {
		if (track->time_ns >= to_ns)
			return 0;
		if (!(++seen & 0xfff) && request && request_given_up(request))
			return -ECANCELED;
		if (track->time_ns < from_ns ||
		    !(track_kind(track->event) & 1u << EVTLOG_KIND_PUT))
			continue;
		result = add_mark(reading, track, limit);
		if (result || reading->to->more)
			return result;
	}
	return result;
}

/* Whether the lanes may have any, and an upper bound of their events. */
static int look(struct session *session, const uint32_t *lanes, size_t count, int64_t from_ns,
		int64_t to_ns, bool *may, uint64_t *events)
{
	const int64_t edges[2] = { from_ns, to_ns };
	struct evtlog_bin bin;
	int error = 0;

	*may = false;
	*events = 0;
	for (size_t i = 0; i < count && !error; i++) {
		if (!session_cpu(session, lanes[i])->counts[EVTLOG_KIND_PUT])
			continue;
		error = session_bins(session, lanes[i], edges, 1, false, &bin);
		if (!error && bin.kinds & 1u << EVTLOG_KIND_PUT) {
			*may = true;
			*events += session_count(session, lanes[i], from_ns, to_ns);
		}
	}
	return error;
}

int registered_read(struct registered *registered, struct session *session,
		    struct request *request, const uint32_t *lanes, size_t count,
		    int64_t from_ns, int64_t to_ns, int64_t step_ns, uint64_t limit)
{
	struct reading reading = { .to = registered, .step_ns = step_ns };
	struct tracks tracks = { 0 };
	uint64_t events;
	bool may;
	int error;

	*registered = (struct registered) { 0 };
	if (count > TRACKS_MAX)
		return -E2BIG;
	error = to_ns > from_ns ? look(session, lanes, count, from_ns, to_ns, &may, &events) : 0;
	if (error || to_ns <= from_ns || !may)
		return error;
	if (events > REGISTERED_READ_MAX) {
		registered->too_many = events;
		return 0;
	}
	error = tracks_open(&tracks, session, lanes, count, from_ns);
	if (!error)
		error = read_marks(&reading, &tracks, request, from_ns, to_ns, limit);
	tracks_close(&tracks);
	key_table_free(&reading.by_id);
	key_table_free(&reading.marked);
	free(reading.last);
	return error;
}

void registered_free(struct registered *registered)
{
	for (size_t i = 0; i < registered->name_count; i++)
		free(registered->names[i].text);
	free(registered->names);
	free(registered->marks);
	*registered = (struct registered) { 0 };
}

/* ---- Answers ---- */

#define MARKS_MAX	20000

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
	/* An array for each mark: lane, time, number of the name. */
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

unsigned int answer_registered(struct request *request)
{
	struct registered registered = { 0 };
	uint32_t *lanes;
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
	error = request_cpus(request, "lanes", &lanes, &count);
	if (!error)
		error = registered_read(&registered, request->session, request, lanes, count,
					from_ns, to_ns, step_ns, limit);
	free(lanes);
	if (!error)
		error = request_begin(request, &json);
	if (!error)
		registered_json(&json, &registered);
	registered_free(&registered);
	if (error == -E2BIG)
		return request_error(request, MHD_HTTP_BAD_REQUEST, "at most %u lanes", TRACKS_MAX);
	return error ? request_failed(request, error) : request_end(request, &json);
}
