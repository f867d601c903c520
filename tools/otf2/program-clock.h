/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock of a program's trace, and its times as those of a log of the same run.
 */
#ifndef EVTLOG_OTF2_PROGRAM_CLOCK_H
#define EVTLOG_OTF2_PROGRAM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

enum program_clock_kind {
	CLOCK_OF_DEFINITIONS,	/* found from what the trace says */
	CLOCK_OF_RAW,
	CLOCK_OF_MONOTONIC,
	CLOCK_OF_REALTIME,
	CLOCK_OF_TSC,
	CLOCK_OF_STAMP,		/* another one, whose start has a stamp of CLOCK_REALTIME */
	CLOCK_KINDS
};

/*
 * @hz, @begin, @length, @stamp_ns: as in the trace's definitions; @stamp_ns: UINT64_MAX: none
 * @file:	the log
 * @real_of_monotonic_ns: CLOCK_REALTIME - CLOCK_MONOTONIC, of the log; @knows_monotonic
 * @error_ns:	of the times that come out; of a stamp what is known of it
 * @found:	by the stamp: others that fit it as well are part of the error
 * @agrees_ns:	how far the stamp is from what the clock says; UINT64_MAX: there is none
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

/* By which --with-clock chooses one; CLOCK_KINDS: there is none of that name. */
enum program_clock_kind program_clock_kind(const char *name);

/* As errors and the manual name it */
const char *program_clock_name(enum program_clock_kind kind);

/*
 * Relates the clock to that of a log.
 * @path:	of the trace, for errors
 * @kind:	what the user says
 *
 * An exit status, after saying what is wrong: it can't be told which clock it is, or the
 * trace is of another time than the log.
 */
int program_clock_relate(struct program_clock *clock, const struct evtlog_file *file,
			 const char *path, enum program_clock_kind kind);

/*
 * The same kind of clock, of another host: @clock gets it, related to that host's log.  Each host's
 * is another, unless the trace has a stamp alone.  Whether its times are within the log is not asked.
 * false: what that log tells does not say what the clock's times are.
 */
bool program_clock_of_host(struct program_clock *clock, const struct program_clock *first,
			   const struct evtlog_file *file);

/* A time of the trace as events of the log have it; at least 0. */
uint64_t program_clock_raw_ns(const struct program_clock *clock, uint64_t time);

#endif /* EVTLOG_OTF2_PROGRAM_CLOCK_H */
