/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is in some lanes: events in the order of time, the one next to a time, registered events, and
 * packets' ways.
 *
 * It reads with files of its own: see session_reader_get().
 */
#ifndef EVTLOG_VIEW_API_LANE_EVENTS_H
#define EVTLOG_VIEW_API_LANE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "view/http/request.h"
#include "view/session/paths.h"
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

/* ---- The event of a lane that is next to a time ---- */

/*
 * The index tells where there is none of a kind, so that only buffers are read
 * that may hold one.
 */

enum nearest_direction { NEAREST_BEFORE, NEAREST_AFTER };

/*
 * @kinds:	bits; records of these
 * @gaps:	or gaps: of these it is the end that is meant when looking before, else
 *		the begin
 * @name:	of records, as track_name() has it; NULL: any
 * @limit_ns:	raw; what is beyond that is not looked for; 0: there is no limit
 */
struct nearest_options {
	uint16_t kinds;
	bool gaps;
	const char *name;
	uint64_t limit_ns;
};

/*
 * What was found, held by @tracks if @track is there.
 * @time_ns, @raw_ns: of the event, or of the end or begin of the gap
 */
struct nearest {
	struct tracks tracks;
	struct track *track;
	int64_t time_ns;
	uint64_t raw_ns;
};

/*
 * The last one before @raw_ns, or the first one that is not.  1; 0: there is none;
 * -errno.  nearest_free() in any case.
 */
int nearest_find(struct request *request, uint32_t lane, uint64_t raw_ns,
		 enum nearest_direction direction, const struct nearest_options *opts,
		 struct nearest *nearest);
void nearest_free(struct nearest *nearest);

/* ---- Registered events of some lanes ---- */

/*
 * Where registered events (those of probes and modules) and other own events of some lanes are,
 * each with its name.
 *
 * Bins tell only that there are any: 13 bits of a bin are for kinds, and a log may have 16,383
 * events.  So they are read where they are few enough to be told apart.
 */

/* Of segments with more events, of whatever kind, nothing is read. */
#define REGISTERED_READ_MAX	500000

/* @name: number of it */
struct registered_mark {
	int64_t time_ns;
	uint32_t lane;
	uint32_t name;
};

/*
 * A name, the same on all hosts.
 * @id:		the smallest that has it; 0: the type of records that are not registered
 * @count:	of its events
 */
struct registered_name {
	char *text;
	uint32_t id;
	uint32_t count;
};

/*
 * @marks:	by time
 * @more:	than were wanted: those found are not all
 * @too_many:	nothing was read: at most so many events are there
 */
struct registered {
	struct registered_name *names;
	size_t name_count;
	size_t name_capacity;
	struct registered_mark *marks;
	size_t mark_count;
	size_t mark_capacity;
	bool more;
	uint64_t too_many;
};

/*
 * registered_read() - finds those in [@from_ns, @to_ns)
 * @request:	whose answer it is; NULL: of none, which could go away
 * @step_ns:	of each name and lane only the first event in a time as long is told; 0: all are
 * @limit:	most marks
 *
 * Return: 0; -E2BIG: more than TRACKS_MAX lanes; -ECANCELED; -ENOMEM; -errno of read().
 * registered_free() in any case.
 */
int registered_read(struct registered *registered, struct session *session,
		    struct request *request, const uint32_t *lanes, size_t count,
		    int64_t from_ns, int64_t to_ns, int64_t step_ns, uint64_t limit);
void registered_free(struct registered *registered);

/* ---- Packets' ways in a span ---- */

/* Each, or where they are too many, how many visits lanes have. */

/*
 * Visits of a lane in a piece of the span.
 *
 * @drops:	of them
 */
struct paths_cell {
	uint32_t lane;
	uint32_t bin;
	uint64_t visits;
	uint64_t drops;
};

/*
 * @count:	packets with any visit or way in the span
 * @ways:	numbers of @count of them; NULL: they are more than wanted
 * @cells:	then, by lane and bin
 */
struct paths_view {
	const struct session_paths *paths;
	size_t count;
	size_t *ways;
	struct paths_cell *cells;
	size_t cell_count;
	size_t cell_capacity;
};

/**
 * paths_view_make() - of [@from_ns, @to_ns)
 * @limit:	so many packets are told, of more the cells
 * @bins:	pieces of the span
 *
 * Return: 0; -ENOMEM.  paths_view_free() in any case.
 */
int paths_view_make(struct paths_view *view, const struct session *session,
		    const struct session_paths *paths, int64_t from_ns, int64_t to_ns,
		    uint64_t limit, uint32_t bins);
void paths_view_free(struct paths_view *view);

#endif /* EVTLOG_VIEW_API_LANE_EVENTS_H */
