/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of some lanes in the order of time, from a time on.
 *
 * It reads with files of its own: see session_reader_get().
 */
#ifndef EVTLOG_VIEW_API_LANE_EVENTS_H
#define EVTLOG_VIEW_API_LANE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "view/http/request.h"
#include "view/session/session.h"

/* Each holds a buffer. */
#define TRACKS_MAX	512

/* Kinds as bits; those of all. */
#define TRACKS_ALL_KINDS	((1u << EVTLOG_KINDS) - 1)

/*
 * @event:	the one that is next; NULL: there are no more
 * @time_ns:	its time
 */
struct track {
	uint32_t lane;
	uint32_t host;
	struct session_reader *reader;
	struct evtlog_stream *stream;
	const struct evtlog_event *event;
	int64_t time_ns;
};

struct tracks {
	struct session *session;
	struct session_reader **readers;
	struct track *at;
	size_t count;
	struct track *last;
};

/*
 * Events of what a buffer before @from_ns holds come first.  0 or -errno;
 * tracks_close() in any case.
 */
int tracks_open(struct tracks *tracks, struct session *session, const uint32_t *lanes,
		size_t count, int64_t from_ns);
void tracks_close(struct tracks *tracks);

/* The lane whose event is next: 1; 0 at the end; -errno. */
int tracks_next(struct tracks *tracks, struct track **trackp);

/*
 * What a record is called: a registered event by its own name, or "event 17" if the log does not
 * tell it; all others by their type.  @text is room for it.
 */
#define TRACK_NAME_BYTES	32
const char *track_name(const struct track *track, char text[TRACK_NAME_BYTES]);

/* {"t", "lane", "kind", "type", "name", "text", "task", "pid", "comm", "fields"} */
int track_event_json(struct tracks *tracks, const struct track *track, struct json *json,
		     const char *key);

/* The bit of a record's kind; 0 of what is not one. */
unsigned int track_kind(const struct evtlog_event *event);

/* {"id", "pid", "comm"}, or null */
void task_json(struct json *json, const char *key, struct session *session, uint32_t host,
	       uint32_t pid, uint64_t raw_ns);

#endif /* EVTLOG_VIEW_API_LANE_EVENTS_H */
