/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lanes show: events in order of time or next to a time, registered events, paths of packets,
 * counters.
 *
 * Reads with separately opened files: see session_reader_get().
 */
#ifndef EVTLOG_VIEW_API_LANE_EVENTS_H
#define EVTLOG_VIEW_API_LANE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "view/http/request.h"
#include "view/session/counters.h"
#include "view/session/paths.h"
#include "view/session/session.h"

/* Most lanes that are read together; each has a buffer in memory. */
#define TRACKS_MAX	512

/* Bins of each lane in a tile, the unit of answers with bins. */
#define TILE_BINS	256

/* All kinds, as bits. */
#define TRACKS_ALL_KINDS	((1u << EVTLOG_KINDS) - 1)

/*
 * @event:	the next event; NULL at the end
 * @time_ns:	its time on the timeline
 * @is_gap:	it ends a gap that tracks_gap() has not returned
 */
struct track {
	uint32_t lane;
	uint32_t host;
	struct session_reader *reader;
	struct evtlog_stream *stream;
	const struct evtlog_event *event;
	int64_t time_ns;
	bool is_gap;
};

/* @has_gaps: a track may end a gap */
struct tracks {
	struct session *session;
	struct session_reader **readers;
	struct track *at;
	size_t count;
	struct track *last;
	bool has_gaps;
};

/*
 * Opens lanes at the buffers of @from_ns, so earlier events of these buffers come first.
 * 0 or -errno; tracks_close() in any case.
 */
int tracks_open(struct tracks *tracks, struct session *session, const uint32_t *lanes,
		size_t count, int64_t from_ns);
void tracks_close(struct tracks *tracks);

/* Gets the lane with the earliest next event.  1; 0 at the end; -errno. */
int tracks_next(struct tracks *tracks, struct track **trackp);

/*
 * Gets the next gap that begins up to @until_ns: the lane whose next event ends it. Each gap is
 * returned once, before its end, in the order of their begins. NULL if there is none. A loss before
 * the first event begins at INT64_MIN.
 */
struct track *tracks_gap(struct tracks *tracks, int64_t until_ns, int64_t *from_ns);

/*
 * Name of a record: for a registered event its own name, or "event 17" if the log has no name
 * for it; for other records the name of their type.  @text is room for the name.
 */
#define TRACK_NAME_BYTES	32
const char *track_name(const struct track *track, char text[TRACK_NAME_BYTES]);

/* {"t", "lane", "kind", "type", "name", "text", "task", "pid", "comm", "fields"} */
int track_event_json(struct tracks *tracks, const struct track *track, struct json *json,
		     const char *key);

/* Kind of a record, as a bit; 0 if the event is not a record. */
unsigned int track_kind(const struct evtlog_event *event);

/* Writes an object with task_members_json(), or null if the task is unknown. */
void task_json(struct json *json, const char *key, struct session *session, uint32_t host,
	       uint32_t pid, uint64_t raw_ns);

/* ---- The event of a lane that is next to a time ---- */

/* Uses the index to skip buffers that cannot have such an event. */

enum nearest_direction { NEAREST_BEFORE, NEAREST_AFTER };

/*
 * Which events are selected.
 * @kinds:	records of these kinds, as bits
 * @gaps:	also gaps: their ends for NEAREST_BEFORE, else their begins
 * @name:	only records with this track_name(); NULL: any
 * @limit_ns:	raw time at which the search ends; 0: no limit
 */
struct nearest_options {
	uint16_t kinds;
	bool gaps;
	const char *name;
	uint64_t limit_ns;
};

/*
 * The found event; @tracks owns it if @track is not NULL.
 * @time_ns, @raw_ns: of the event, or of the end or begin of the gap
 */
struct nearest {
	struct tracks tracks;
	struct track *track;
	int64_t time_ns;
	uint64_t raw_ns;
};

/*
 * Finds the last event before @raw_ns, or the first at or after it.  1; 0 if none;
 * -errno.  nearest_free() in any case.
 */
int nearest_find(struct request *request, uint32_t lane, uint64_t raw_ns,
		 enum nearest_direction direction, const struct nearest_options *opts,
		 struct nearest *nearest);
void nearest_free(struct nearest *nearest);

/* ---- Registered events of some lanes ---- */

/*
 * Marks of registered events (of probes and modules) and other own events, with their names.
 *
 * A bin has only 13 bits, for kinds of events, but a log may have 16,383 registered events.  So the
 * marks are read from the log, if they are few enough to be distinguished.
 */

/* Spans with more events, of any kind, are not read. */
#define REGISTERED_READ_MAX	500000

/* @name: number of the name */
struct registered_mark {
	int64_t time_ns;
	uint32_t lane;
	uint32_t name;
};

/*
 * A name, the same on all hosts.
 * @id:		smallest id with this name; 0 for a type of records that are not registered
 * @count:	number of its events
 */
struct registered_name {
	char *text;
	uint32_t id;
	uint32_t count;
};

/*
 * @marks:	by time
 * @more:	the limit was reached, and there are more marks
 * @too_many:	upper bound of the number of events, if too many to read; else 0
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
 * registered_read() - find registered events in [@from_ns, @to_ns)
 * @request:	checked with request_given_up(); NULL: none
 * @step_ns:	events of a name and lane less than this after the last mark are only counted;
 *		0: all get marks
 * @limit:	maximum number of marks
 *
 * Return: 0; -E2BIG: more than TRACKS_MAX lanes; -ECANCELED; -ENOMEM; -errno of read().
 * registered_free() in any case.
 */
int registered_read(struct registered *registered, struct session *session,
		    struct request *request, const uint32_t *lanes, size_t count,
		    int64_t from_ns, int64_t to_ns, int64_t step_ns, uint64_t limit);
void registered_free(struct registered *registered);

/* ---- Paths of packets in a span ---- */

/* Each path, or the number of visits on the lanes if there are too many paths. */

/*
 * Visits of packets on a lane in one of the span's bins.
 *
 * @drops:	how many of @visits are drops
 */
struct paths_cell {
	uint32_t lane;
	uint32_t bin;
	uint64_t visits;
	uint64_t drops;
};

/*
 * @count:	number of packets with a path in the span
 * @ways:	the numbers of these packets; NULL if there are more than the limit
 * @cells:	instead of @ways, by lane and bin
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
 * paths_view_make() - find the paths of packets in [@from_ns, @to_ns)
 * @limit:	with more packets, make cells
 * @bins:	number of bins in the span
 *
 * Return: 0; -ENOMEM.  paths_view_free() in any case.
 */
int paths_view_make(struct paths_view *view, const struct session *session,
		    const struct session_paths *paths, int64_t from_ns, int64_t to_ns,
		    uint64_t limit, uint32_t bins);
void paths_view_free(struct paths_view *view);

/* ---- Counters in the format that the page reads, from the server or from an exported file ---- */

/*
 * counter_bins_json() - put the bins of an answer into an open object
 * @lanes: numbers of the @question->slot_count lanes that follow the sum
 * @wanted: bits of enum track_kind
 */
void counter_bins_json(struct json *json, const struct counters_question *question,
		       const struct counters_answer *answer, const uint32_t *lanes,
		       unsigned int wanted);

#endif /* EVTLOG_VIEW_API_LANE_EVENTS_H */
