/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exports a part of the logs as one file: the page with its data.
 *
 * data.c builds the data, with slices from slices.c and counters from counters.c; export.c writes
 * the page.
 */
#ifndef EVTLOG_VIEW_HTML_EXPORT_H
#define EVTLOG_VIEW_HTML_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "print/left-out.h"
#include "view/session/session.h"

/* Larger files open too slowly; they need --force. */
#define EXPORT_BYTES_MAX	(UINT64_C(24) << 20)
#define EXPORT_EVENTS		50000u
#define EXPORT_SLICES_MAX	1000000u

/*
 * Options of the user.
 * @from_ns, @to_ns: since the session's begin; time after its end is cut off
 * @events: maximum number of listed events
 */
struct export_options {
	uint64_t from_ns;
	uint64_t to_ns;
	uint64_t events;
	bool force;
};

/* Returns an exit status, after a message on failure. */
int export_write(struct session *session, const struct export_options *opts,
		 const char *path);

/* ---- The data ---- */

/*
 * Builds the data in the format that view/page/data/offline.js reads, not yet compressed: magic,
 * version, length of the JSON, 0; the JSON, padded to 8 bytes; bins and slices.  free() it.
 * @left_out: records that are not in the list of events
 *
 * Return: 0; -ENOMEM; -errno of read().
 */
int export_data(struct session *session, const struct export_options *opts,
		char **bytesp, size_t *lengthp, struct left_out *left_out);

/* counters.c: puts a host's counters as an array.  0; -ENOMEM; -errno of read(). */
int export_counters(struct session *session, const struct export_options *opts, uint32_t host,
		    FILE *out);

/* ---- Data made from events ---- */

/*
 * State of a lane from @time_ns until its next slice.
 * @task:	id; EVTLOG_TASK_UNKNOWN
 * @context:	enum evtlog_context; EXPORT_NOT_KNOWN: events lost; EXPORT_OUTSIDE: after the
 *		CPU's end, or not recorded
 * @left:	letter of the state in which the previous task left the CPU; 0 if no task left
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
 * @events:	JSON, an object as in answers to /events
 * @events_to_ns: the list has all events before this time
 * @event_count: number of listed events; @more: true if there are more
 * @left_out:	records that are not in the list
 * @seen:	for each host, by task id: the task occurs in a bin or slice
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
