/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The times of a host as an export has them.
 *
 * Of one log they are its own.  Of several each host's are those of the common timeline plus an
 * offset that is the same in all of the run: what its clock was ahead of the reference's in the
 * middle of it.  So they are near the host's own clock, and exact against others once the
 * reader takes the offset off, which the format states.
 */
#ifndef EVTLOG_EXPORT_HOST_CLOCK_H
#define EVTLOG_EXPORT_HOST_CLOCK_H

#include "sources.h"

/*
 * @related:	@cursor converts times
 * @ahead_ns:	of the reference: what is in the times and is to be taken off
 * @real_ns:	CLOCK_REALTIME less a time of the host, by the reference's clocks
 * @error_ns:	of times against other hosts', or of one log by its own; UINT64_MAX unknown
 */
struct host_clock {
	struct evtlog_host_cursor cursor;
	bool related;
	int64_t ahead_ns;
	int64_t real_ns;
	uint64_t error_ns;
};

void host_clock_start(struct host_clock *clock, const struct sources *sources, size_t number);

/* A time of the log, after those that were asked for before. */
static inline uint64_t host_clock_ns(struct host_clock *clock, uint64_t raw_ns)
{
	int64_t time_ns;

	if (!clock->related)
		return raw_ns;
	time_ns = evtlog_host_cursor_time(&clock->cursor, raw_ns) + clock->ahead_ns;
	return time_ns > 0 ? time_ns : 0;
}

#endif /* EVTLOG_EXPORT_HOST_CLOCK_H */
