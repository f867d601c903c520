// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the events of several lanes in order of time.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/event-format.h>

#include "lane-events.h"
#include "lib/stream/lanes.h"
#include "print/fields.h"
#include "tasks.h"

static int advance(struct tracks *tracks, struct track *track)
{
	int result = evtlog_stream_next(track->stream, &track->event);

	if (result <= 0) {
		track->event = NULL;
		return result;
	}
	track->time_ns = session_time(tracks->session, track->host, track->event->time_ns);
	track->is_gap = track->event->kind == EVTLOG_EVENT_GAP ||
			(track->event->kind == EVTLOG_EVENT_BEGIN && lanes_is_loss(track->event));
	tracks->has_gaps |= track->is_gap;
	return 0;
}

static int open_track(struct tracks *tracks, uint32_t lane, int64_t from_ns)
{
	const struct session_lane *which = &tracks->session->lanes[lane];
	struct track *track = &tracks->at[tracks->count];
	int error;

	*track = (struct track) { .lane = lane, .host = which->host };
	if (!tracks->readers[which->host]) {
		error = session_reader_get(tracks->session, which->host,
					   &tracks->readers[which->host]);
		if (error)
			return error;
	}
	track->reader = tracks->readers[which->host];
	error = evtlog_stream_new(track->reader->file, which->slot, &track->stream);
	if (error)
		return error;
	tracks->count++;
	error = evtlog_stream_seek(track->stream,
				   session_raw(tracks->session, which->host, from_ns));
	return error ? error : advance(tracks, track);
}

int tracks_open(struct tracks *tracks, struct session *session, const uint32_t *lanes,
		size_t count, int64_t from_ns)
{
	int error = 0;

	*tracks = (struct tracks) { .session = session };
	if (count > TRACKS_MAX)
		return -E2BIG;
	tracks->readers = calloc(session->host_count, sizeof(struct session_reader *));
	tracks->at = calloc(count + 1, sizeof(*tracks->at));
	if (!tracks->readers || !tracks->at)
		return -ENOMEM;
	for (size_t i = 0; i < count && !error; i++)
		error = open_track(tracks, lanes[i], from_ns);
	return error;
}

void tracks_close(struct tracks *tracks)
{
	for (size_t i = 0; i < tracks->count; i++)
		evtlog_stream_free(tracks->at[i].stream);
	for (uint32_t i = 0; tracks->readers && i < tracks->session->host_count; i++)
		session_reader_put(tracks->session, tracks->readers[i]);
	free(tracks->readers);
	free(tracks->at);
	*tracks = (struct tracks) { 0 };
}

int tracks_next(struct tracks *tracks, struct track **trackp)
{
	struct track *first = NULL;

	if (tracks->last) {
		int error = advance(tracks, tracks->last);

		if (error)
			return error;
	}
	for (size_t i = 0; i < tracks->count; i++) {
		struct track *track = &tracks->at[i];

		if (track->event && (!first || track->time_ns < first->time_ns))
			first = track;
	}
	tracks->last = first;
	*trackp = first;
	return first != NULL;
}

struct track *tracks_gap(struct tracks *tracks, int64_t until_ns, int64_t *from_ns)
{
	struct track *first = NULL;

	if (__builtin_expect(!tracks->has_gaps, 1))
		return NULL;
	tracks->has_gaps = false;
	for (size_t i = 0; i < tracks->count; i++) {
		struct track *track = &tracks->at[i];
		int64_t ns = INT64_MIN;

		if (!track->event || !track->is_gap)
			continue;
		tracks->has_gaps = true;
		if (track->event->kind == EVTLOG_EVENT_GAP)
			ns = session_time(tracks->session, track->host, track->event->from_ns);
		if (ns > until_ns || (first && ns >= *from_ns))
			continue;
		first = track;
		*from_ns = ns;
	}
	if (first)
		first->is_gap = false;
	return first;
}

unsigned int track_kind(const struct evtlog_event *event)
{
	return event->kind == EVTLOG_EVENT_RECORD ? 1u << evtlog_kind_of(event->known) : 0;
}

void task_json(struct json *json, const char *key, struct session *session, uint32_t host,
	       uint32_t pid, uint64_t raw_ns)
{
	uint32_t id = session_task_at(session, host, pid, raw_ns);
	struct task_context context = { .host = host, .id = id };

	if (id != EVTLOG_TASK_UNKNOWN)
		context.task = session_task(session, host, id);
	context.comm = session_task_name(session, host, id, raw_ns);
	if (!context.task) {
		json_null(json, key);
		return;
	}
	json_object(json, key);
	task_members_json(json, session, &context);
	json_end(json);
}

const char *track_name(const struct track *track, char text[TRACK_NAME_BYTES])
{
	const struct evtlog_event *event = track->event;
	const struct evtlog_event_format *format;

	if (event->known != EVTLOG_EVENT)
		return evtlog_type_info(track->reader->file, event->number)->name;
	format = evtlog_event_format(track->reader->file, evtlog_event_id(event));
	if (format)
		return format->name;
	snprintf(text, TRACK_NAME_BYTES, "event %u", evtlog_event_id(event));
	return text;
}

/* Gives the reader the task names that the text of the event contains. */
static int learn_names(struct tracks *tracks, const struct track *track)
{
	const struct evtlog_event *event = track->event;
	const struct evtlog_type_info *type;
	int error = 0;

	type = evtlog_type_info(track->reader->file, event->number);
	for (unsigned int i = 0; i < type->field_count && !error; i++)
		if (type->fields[i].kind == 'p')
			error = session_name(tracks->session, track->reader,
					     evtlog_field_u64(&type->fields[i],
							      event->file_words),
					     event->time_ns);
	return error;
}

int track_event_json(struct tracks *tracks, const struct track *track, struct json *json,
		     const char *key)
{
	const struct evtlog_event *event = track->event;
	struct line line = { .length = 0 };
	char name[TRACK_NAME_BYTES];
	struct fields fields;
	size_t skipped = 0;
	uint32_t id;
	int error = learn_names(tracks, track);

	if (error)
		return error;
	error = fields_init(&fields, track->reader->file, track->reader->names);
	if (error)
		goto out;
	json_object(json, key);
	answer_s64(json, "t", track->time_ns);
	json_u64(json, "lane", track->lane);
	json_string(json, "kind", evtlog_kind_name(evtlog_kind_of(event->known)));
	json_string(json, "type",
		    evtlog_type_info(track->reader->file, event->number)->name);
	json_string(json, "name", track_name(track, name));
	fields_show(&fields, &line, event);
	while (skipped < line.length && line.text[skipped] == ' ')
		skipped++;
	json_bytes(json, "text", line.text + skipped, line.length - skipped);
	id = session_task_at(tracks->session, track->host, event->pid, event->time_ns);
	if (id == EVTLOG_TASK_UNKNOWN)
		json_null(json, "task");
	else
		json_u64(json, "task", id);
	fields_json(&fields, json, event);
	json_end(json);
out:
	fields_free(&fields);
	return error;
}

/* ---- Finding the event that is next to a time ---- */

/* First and smallest width of a segment; segments with more than READ_EVENTS are divided */
#define FIRST_NS	(UINT64_C(1) << 20)
#define SHORTEST_NS	1024
#define READ_EVENTS	20000

/* True if the event is selected; *@raw_ns is its time. */
static bool is_wanted(const struct nearest_options *opts, enum nearest_direction direction,
		      const struct track *track, uint64_t *raw_ns)
{
	const struct evtlog_event *event = track->event;
	char name[TRACK_NAME_BYTES];

	*raw_ns = event->time_ns;
	if (event->kind == EVTLOG_EVENT_GAP && opts->gaps) {
		if (direction == NEAREST_AFTER)
			*raw_ns = event->from_ns;
		return true;
	}
	return track_kind(event) & opts->kinds &&
	       (!opts->name || !strcmp(opts->name, track_name(track, name)));
}

/* Finds the first or the last selected event in [@from, @to).  1; 0 if none; -errno. */
static int read_segment(struct session *session, uint32_t lane, uint64_t from, uint64_t to,
			enum nearest_direction direction, const struct nearest_options *opts,
			struct nearest *nearest)
{
	uint32_t host = session->lanes[lane].host;
	uint64_t found = 0, count = 0, wanted = 0, raw_ns;
	struct track *track;
	int result;

	/* To find the last event, read twice: count, then stop at the last one. */
	for (int again = 0; again < 2; again++) {
		result = tracks_open(&nearest->tracks, session, &lane, 1,
				     session_time(session, host, from));
		count = 0;
		while (!result && (result = tracks_next(&nearest->tracks, &track)) > 0) {
			result = 0;
			if (is_wanted(opts, direction, track, &raw_ns) &&
			    raw_ns >= from && raw_ns < to) {
				count++;
				found = raw_ns;
				if (direction == NEAREST_AFTER || (again && count == wanted)) {
					nearest->track = track;
					nearest->time_ns = session_time(session, host, found);
					nearest->raw_ns = found;
					return 1;
				}
			}
			/* The event of a gap is at its end, which may be after @to. */
			if (track->event->time_ns >= to &&
			    !(direction == NEAREST_AFTER && opts->gaps &&
			      track->event->kind == EVTLOG_EVENT_GAP))
				break;
		}
		tracks_close(&nearest->tracks);
		if (result < 0 || !count)
			return result < 0 ? result : 0;
		wanted = count;
	}
	return 0;
}

/* Whether [@from, @to) may have a selected event, and an upper bound of its events. */
static int look(struct session *session, uint32_t lane, uint64_t from, uint64_t to,
		const struct nearest_options *opts, bool *may, uint64_t *events)
{
	const struct session_lane *which = &session->lanes[lane];
	struct session_host *host = &session->hosts[which->host];
	uint64_t edges[2] = { from, to };
	struct evtlog_bin bin;
	int error;

	/* Exact if the lane has gaps: the approximate share of a short gap may be 0. */
	pthread_mutex_lock(&host->lock);
	error = evtlog_index_bins(host->index, which->slot, edges, 1,
				  opts->gaps && session_cpu(session, lane)->gaps, &bin);
	*events = evtlog_index_count(host->index, which->slot, from, to);
	pthread_mutex_unlock(&host->lock);
	if (!error)
		*may = bin.kinds & opts->kinds || (opts->gaps && bin.lost);
	return error;
}

int nearest_find(struct request *request, uint32_t lane, uint64_t raw_ns,
		 enum nearest_direction direction, const struct nearest_options *opts,
		 struct nearest *nearest)
{
	struct session *session = request->session;
	const struct evtlog_index_cpu *cpu = session_cpu(session, lane);
	bool after = direction == NEAREST_AFTER;
	uint64_t width = FIRST_NS, first = cpu->begin_ns, last = cpu->end_ns + 1;
	uint64_t at = raw_ns;

	memset(nearest, 0, sizeof(*nearest));
	if (opts->limit_ns && after && opts->limit_ns < last)
		last = opts->limit_ns;
	if (opts->limit_ns && !after && opts->limit_ns > first)
		first = opts->limit_ns;
	if (after && at < first)
		at = first;
	if (!after && at > last)
		at = last;
	while (after ? at < last : at > first) {
		uint64_t from = after ? at : at - first > width ? at - width : first;
		uint64_t to = after ? last - at > width ? at + width : last : at;
		uint64_t events;
		bool may = false;
		int result = look(session, lane, from, to, opts, &may, &events);

		if (!result && request_given_up(request))
			result = -ECANCELED;
		if (result)
			return result;
		if (may && events > READ_EVENTS && width > SHORTEST_NS) {
			width /= 8;
			continue;
		}
		if (may) {
			result = read_segment(session, lane, from, to, direction, opts,
					      nearest);
			if (result)
				return result;
		}
		at = after ? to : from;
		if (width <= UINT64_MAX / 4)
			width *= 4;
	}
	return 0;
}

void nearest_free(struct nearest *nearest)
{
	if (nearest->track)
		tracks_close(&nearest->tracks);
	nearest->track = NULL;
}
