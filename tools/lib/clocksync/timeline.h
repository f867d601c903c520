/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A clock's way onto the common timeline, in straight pieces with an error at each end.
 *
 * Stage: what the clock model of several hosts comes down to, used for every
 * event.  It does not know where the pieces come from.
 */
#ifndef EVTLOG_LIB_CLOCKSYNC_TIMELINE_H
#define EVTLOG_LIB_CLOCKSYNC_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

/* Between two nodes time and bound are straight. */
struct timeline_node {
	int64_t raw_ns;
	int64_t time_ns;
	uint64_t bound_ns;
};

/*
 * @nodes:	at least one, rising in both times
 * @growth_ppb:	of the bound, beyond the first and the last
 */
struct timeline {
	struct timeline_node *nodes;
	size_t count;
	uint64_t growth_ppb;
};

/* The last node that is not behind @ns, by its host's time or by the timeline's; or the first. */
size_t timeline_find_raw(const struct timeline *timeline, int64_t ns);
size_t timeline_find_time(const struct timeline *timeline, int64_t ns);

void timeline_cursor(struct evtlog_host_cursor *cursor, const struct timeline *timeline);

/* The first time of the host that is not before @time_ns; INT64_MAX if all are. */
uint64_t timeline_raw(const struct timeline *timeline, int64_t time_ns);

static inline int64_t timeline_time(const struct timeline *timeline, uint64_t raw_ns)
{
	struct evtlog_host_cursor cursor;

	timeline_cursor(&cursor, timeline);
	return evtlog_host_cursor_time(&cursor, raw_ns);
}

static inline uint64_t timeline_bound(const struct timeline *timeline, uint64_t raw_ns)
{
	struct evtlog_host_cursor cursor;

	timeline_cursor(&cursor, timeline);
	return evtlog_host_cursor_bound(&cursor, raw_ns);
}

#endif /* EVTLOG_LIB_CLOCKSYNC_TIMELINE_H */
