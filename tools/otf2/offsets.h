/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How right the times of several hosts are: clock offsets of their locations.
 *
 * Times are written on the common timeline already, so that each offset is 0; its deviation is
 * the error that `evtlog merge` reports.
 */
#ifndef EVTLOG_OTF2_OFFSETS_H
#define EVTLOG_OTF2_OFFSETS_H

#include <evtlog/evtlog.h>

#include "archive.h"

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

#endif /* EVTLOG_OTF2_OFFSETS_H */
