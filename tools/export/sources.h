/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The logs that an export is made of: which hosts and which part of them are wanted.
 *
 * Stage: between the options of `evtlog export` and what writes a format.  Events come from
 * run.h.
 */
#ifndef EVTLOG_EXPORT_SOURCES_H
#define EVTLOG_EXPORT_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/event-filter.h"
#include "input/host-filter.h"
#include "input/log-set.h"

/*
 * @filter:	CPUs and times are used
 * @hosts:	which are wanted
 */
struct sources_options {
	const struct filter *filter;
	const struct choice *hosts;
	bool assume_ntp;
};

/*
 * @wanted:	of each file, whether its host is
 * @hosts:	files that are wanted
 * @begin_ns, @end_ns: of all files, on the common timeline; of one file by its own clock
 * @real_ns:	CLOCK_REALTIME of the first file's begin
 */
struct sources {
	const struct sources_options *opts;
	struct logs logs;
	bool *wanted;
	size_t hosts;
	uint64_t begin_ns;
	uint64_t end_ns;
	int64_t real_ns;
};

/* The part of a host that is wanted, by its log's own time; @to_ns: UINT64_MAX: up to its end */
struct span {
	uint64_t from_ns;
	uint64_t to_ns;
};

/*
 * sources_open() - opens logs, relates their clocks, and chooses hosts
 * @opts: must live as long
 *
 * Return: an exit status, after saying what is wrong; sources_close() in all cases.
 */
int sources_open(struct sources *sources, const struct sources_options *opts, char **paths,
		 size_t count);
void sources_close(struct sources *sources);

struct span sources_span(const struct sources *sources, size_t number);

/* CPUs that are wanted, of all hosts that are */
uint32_t sources_cpu_count(const struct sources *sources);

/* Says which of @types, bits of enum evtlog_type, the log does not have: @what lacks them. */
void sources_warn_of_types(const struct log_set_file *log, uint64_t types, const char *what);

/* After all was read: EXIT_OK; EXIT_EVENTS_LOST or EXIT_FAILED, after saying of which files. */
int sources_verdict(const struct sources *sources);

/* EXIT_FAILED, after saying @error, -errno, of a log. */
int sources_say(const struct log_set_file *log, int error);

/* ---- The times of a host as an export has them ---- */

/*
 * Of one log they are its own.  Of several each host's are those of the common timeline plus an
 * offset that is the same in all of the run: what its clock was ahead of the reference's in the
 * middle of it.  So they are near the host's own clock, and exact against others once the
 * reader takes the offset off, which the format states.
 */

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

#endif /* EVTLOG_EXPORT_SOURCES_H */
