/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The definitions of an archive: machines, CPUs, locations, counters, messages and clocks.
 *
 * Regions are defined as they are shown: regions.h.
 */
#ifndef EVTLOG_OTF2_DEFINITIONS_H
#define EVTLOG_OTF2_DEFINITIONS_H

#include <evtlog/evtlog.h>

#include "archive.h"
#include "host.h"

/* Before the first host: counters, and what the machines are part of if there are several. */
void definitions_begin(struct output *out, bool several);

/* After the last event of a host: its machine, CPUs and locations. */
void definitions_host(struct host *host, bool several);

/* Groups of it */
#define MESSAGE_GROUPS	2

/*
 * After the last host: messages.
 * @others:	locations that MPI has behind the CPUs
 */
void definitions_messages(struct output *out, const uint64_t *others, size_t other_count);

/* @begin_ns, @end_ns: of what is written; @real_ns: of @begin_ns, since 1970 */
void definitions_clock(struct output *out, uint64_t begin_ns, uint64_t end_ns, int64_t real_ns);

/* ---- How right the times of several hosts are: clock offsets of their locations ---- */

/*
 * Times are written on the common timeline already, so that each offset is 0; its deviation is
 * the error that `evtlog merge` reports.
 */

#define OFFSET_POINTS	16

/*
 * A host's.
 * @cpus, @streams: the first of its locations, and the first that is no more: all hosts are
 *		written one after the other
 * @points:	0: there is one host
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

/* The files of definitions of each location, once no events come any more. */
void offsets_write(const struct offsets *offsets, size_t count, struct archive *archive);

#endif /* EVTLOG_OTF2_DEFINITIONS_H */
