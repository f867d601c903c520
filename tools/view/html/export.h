/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A part of the logs as one file: the page with the data in it.
 *
 * Data.c makes the data, slices.c the part of it that comes of events, counters.c that of counters,
 * export.c the page.
 */
#ifndef EVTLOG_VIEW_HTML_EXPORT_H
#define EVTLOG_VIEW_HTML_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "print/left-out.h"
#include "view/session/session.h"

/* A file that is larger opens too slowly to be of use, unless the user insists. */
#define EXPORT_BYTES_MAX	(UINT64_C(24) << 20)
#define EXPORT_EVENTS		50000u
#define EXPORT_SLICES_MAX	1000000u

/*
 * What the user wants.
 * @from_ns, @to_ns: since the session's begin; what is behind its end is cut off
 * @events: at most so many are listed
 */
struct export_options {
	uint64_t from_ns;
	uint64_t to_ns;
	uint64_t events;
	bool force;
};

/* Returns an exit status, after saying what is wrong. */
int export_write(struct session *session, const struct export_options *opts,
		 const char *path);

/* ---- The data ---- */

/*
 * The data as view/page/data/offline.js reads it, not yet compressed: magic, version, length of
 * the JSON, 0; the JSON, filled up to 8 bytes; bins and slices.  free() it.
 *
 * Return: 0 and what the list of events does not have in @left_out; -ENOMEM; -errno of read().
 */
int export_data(struct session *session, const struct export_options *opts,
		char **bytesp, size_t *lengthp, struct left_out *left_out);

/* counters.c: puts a host's counters as an array.  0; -ENOMEM; -errno of read(). */
int export_counters(struct session *session, const struct export_options *opts, uint32_t host,
		    FILE *out);

/* ---- What comes of events ---- */

/*
 * From @time_ns on, until the next one of the lane.
 * @task:	id; EVTLOG_TASK_UNKNOWN
 * @context:	enum evtlog_context; EXPORT_NOT_KNOWN: lost; EXPORT_OUTSIDE: behind the CPU's end, or not recorded
 * @left:	letter of the state in which the task before left; 0: none did
 */
struct export_slice {
	double time_ns;
	uint32_t task;
	uint16_t number;
	uint8_t context;
	uint8_t left;
};

#define EXPORT_NOT_KNOWN	255
#define EXPORT_OUTSIDE		254

struct export_lane {
	struct export_slice *slices;
	size_t count;
	size_t capacity;
};

/*
 * @lanes:	NULL if there are too many slices
 * @events:	JSON, an object as /events answers
 * @events_to_ns: all before are there
 * @event_count, @more: whether there are more than are listed
 * @left_out:	those
 * @seen:	for each host by id: a task that is in some slice
 */
struct export_events {
	struct export_lane *lanes;
	char *events;
	size_t events_length;
	int64_t events_to_ns;
	uint64_t event_count;
	bool more;
	struct left_out left_out;
	bool **seen;
};

/* 0 or -errno; export_events_free() in any case. */
int export_events_read(struct export_events *events, struct session *session,
		       const struct export_options *opts);
void export_events_free(struct export_events *events, const struct session *session);

#endif /* EVTLOG_VIEW_HTML_EXPORT_H */
