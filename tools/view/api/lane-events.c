// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads events of some lanes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/event-format.h>

#include "lane-events.h"
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

/* Has the reader know the names that the event's text will want. */
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
