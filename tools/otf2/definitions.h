/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The definitions of an archive: machines, CPUs, locations, counters, messages and clocks.
 *
 * It does not define regions: see regions.h.
 */
#ifndef EVTLOG_OTF2_DEFINITIONS_H
#define EVTLOG_OTF2_DEFINITIONS_H

#include <evtlog/evtlog.h>

#include "archive.h"
#include "host.h"

/* Before the first host: defines counters, and the parent node of several machines. */
void definitions_begin(struct output *out, bool several);

/* After the last event of a host: defines its machine, CPUs and locations. */
void definitions_host(struct host *host, bool several);

/* Groups that definitions_messages() defines */
#define MESSAGE_GROUPS	2

/*
 * After the last host: defines messages.
 * @others:	MPI locations after the CPUs
 */
void definitions_messages(struct output *out, const uint64_t *others, size_t other_count);

/* @begin_ns, @end_ns: times of the archive; @real_ns: @begin_ns since 1970 */
void definitions_clock(struct output *out, uint64_t begin_ns, uint64_t end_ns, int64_t real_ns);

/* ---- Clock errors of several hosts, as clock offsets of their locations ---- */

/*
 * Written times are already on the common timeline, so each offset is 0.  The deviation is the
 * clock error that `evtlog dump` reports.
 */

#define OFFSET_POINTS	16

/*
 * The clock offsets of a host.
 * @cpus, @streams: ranges of its locations; the second number is the first after the range
 * @points:	number of points; 0 for a single host
 */
struct offsets {
	uint64_t cpus[2];
	uint64_t streams[2];
	unsigned int points;
	uint64_t time_ns[OFFSET_POINTS];
	uint64_t error_ns[OFFSET_POINTS];
};

/* Takes the errors of the log @number of @clocks. */
void offsets_take(struct offsets *offsets, const struct evtlog_clocksync *clocks, size_t number,
		  const struct evtlog_file *file);

/* After all events: writes the definition file of each location. */
void offsets_write(const struct offsets *offsets, size_t count, struct archive *archive);

#endif /* EVTLOG_OTF2_DEFINITIONS_H */
