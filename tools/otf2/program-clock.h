/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock of a program's trace; converts its times to those of a log of the same run.
 */
#ifndef EVTLOG_OTF2_PROGRAM_CLOCK_H
#define EVTLOG_OTF2_PROGRAM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

enum program_clock_kind {
	CLOCK_OF_DEFINITIONS,	/* to be found from the trace's definitions */
	CLOCK_OF_RAW,
	CLOCK_OF_MONOTONIC,
	CLOCK_OF_REALTIME,
	CLOCK_OF_TSC,
	CLOCK_OF_STAMP,		/* another clock, with a stamp of CLOCK_REALTIME at its start */
	CLOCK_KINDS
};

/*
 * @hz, @begin, @length, @stamp_ns: from the trace's definitions; @stamp_ns: UINT64_MAX if unknown
 * @file:	the log
 * @real_of_monotonic_ns: CLOCK_REALTIME - CLOCK_MONOTONIC in the log, if @knows_monotonic
 * @found:	found by us, so the error includes other possible clocks
 * @error_ns:	error of converted times; for CLOCK_OF_STAMP only its known part
 * @agrees_ns:	distance between stamp and clock; UINT64_MAX without a stamp
 */
struct program_clock {
	enum program_clock_kind kind;
	uint64_t hz;
	uint64_t begin;
	uint64_t length;
	uint64_t stamp_ns;
	const struct evtlog_file *file;
	int64_t real_of_monotonic_ns;
	bool knows_monotonic;
	bool found;
	uint64_t error_ns;
	uint64_t agrees_ns;
};

/* Returns the kind for an argument of --with-clock; CLOCK_KINDS if there is none. */
enum program_clock_kind program_clock_kind(const char *name);

/* Returns the name of a kind for messages. */
const char *program_clock_name(enum program_clock_kind kind);

/*
 * Relates the clock to the clocks of a log.
 * @path:	path of the trace, for errors
 * @kind:	the user's choice; CLOCK_OF_DEFINITIONS: find it
 *
 * Returns an exit status, after an error message: the clock cannot be found, or the trace does not
 * overlap the log.
 */
int program_clock_relate(struct program_clock *clock, const struct evtlog_file *file,
			 const char *path, enum program_clock_kind kind);

/*
 * Sets @clock to the same kind of clock on another host, related to the log of that host.  It does
 * not check whether the times are within the log.  Returns false if the log cannot convert times of
 * this clock, or if the trace has only a stamp: then all hosts have the same clock.
 */
bool program_clock_of_host(struct program_clock *clock, const struct program_clock *first,
			   const struct evtlog_file *file);

/* Converts a time of the trace to the time of the log's events; at least 0. */
uint64_t program_clock_raw_ns(const struct program_clock *clock, uint64_t time);

#endif /* EVTLOG_OTF2_PROGRAM_CLOCK_H */
