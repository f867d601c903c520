/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where registered events (those of probes and modules) and other own events of some lanes are,
 * each with its name.
 *
 * Bins tell only that there are any: 13 bits of a bin are for kinds, and a log may have 16,383
 * events.  So they are read where they are few enough to be told apart.
 */
#ifndef EVTLOG_VIEW_API_LANE_REGISTERED_H
#define EVTLOG_VIEW_API_LANE_REGISTERED_H

#include "view/http/request.h"

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

#endif /* EVTLOG_VIEW_API_LANE_REGISTERED_H */
