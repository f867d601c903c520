/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The input logs of an export, with the wanted hosts, CPUs and times.
 *
 * Stage: between the options of `evtlog export` and the writer of a format.  Events come from
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
 * @filter:	only its CPUs and times are used
 * @hosts:	wanted hosts
 */
struct sources_options {
	const struct filter *filter;
	const struct choice *hosts;
	bool assume_ntp;
};

/*
 * @wanted:	for each file, true if its host is wanted
 * @hosts:	number of wanted files
 * @begin_ns, @end_ns: of all files, on the common timeline; of a single file by its own clock
 * @real_ns:	CLOCK_REALTIME at the begin of the first file
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

/* The wanted part of a log, by its own time; @to_ns is UINT64_MAX for the end of the log */
struct span {
	uint64_t from_ns;
	uint64_t to_ns;
};

/*
 * sources_open() - open logs, relate their clocks, and choose hosts
 * @opts: must outlive @sources
 *
 * Return: an exit status, after an error message.  Call sources_close() in all cases.
 */
int sources_open(struct sources *sources, const struct sources_options *opts, char **paths,
		 size_t count);
void sources_close(struct sources *sources);

struct span sources_span(const struct sources *sources, size_t number);

/* Number of wanted CPUs of all wanted hosts */
uint32_t sources_cpu_count(const struct sources *sources);

/* Warns if the log lacks some of @types (bits of enum evtlog_type), and thus @what lacks them. */
void sources_warn_of_types(const struct log_set_file *log, uint64_t types, const char *what);

/* After all events are read: EXIT_OK; EXIT_EVENTS_LOST or EXIT_FAILED, after naming the files. */
int sources_verdict(const struct sources *sources);

/* Prints @error, -errno, of a log.  Returns EXIT_FAILED. */
int sources_say(const struct log_set_file *log, int error);

/* ---- Exported times of a host ---- */

/*
 * A single log keeps its own times.  With several logs, an exported time is the time on the common
 * timeline plus an offset that is constant for the host: the host's clock minus the reference's
 * clock in the middle of the run.  The sum is near the host's own clock.  The export contains the
 * offset; a reader subtracts it and can then compare times of different hosts exactly.
 */

/*
 * @related:	true with several logs: @cursor converts times
 * @ahead_ns:	offset in the exported times: the host's clock minus the reference's
 * @real_ns:	CLOCK_REALTIME minus an exported time, by the reference's clocks
 * @error_ns:	clock error, between hosts or of a single log; UINT64_MAX if unknown
 */
struct host_clock {
	struct evtlog_host_cursor cursor;
	bool related;
	int64_t ahead_ns;
	int64_t real_ns;
	uint64_t error_ns;
};

void host_clock_start(struct host_clock *clock, const struct sources *sources, size_t number);

/* Converts a time of the log; fast if the times of successive calls are close. */
static inline uint64_t host_clock_ns(struct host_clock *clock, uint64_t raw_ns)
{
	int64_t time_ns;

	if (!clock->related)
		return raw_ns;
	time_ns = evtlog_host_cursor_time(&clock->cursor, raw_ns) + clock->ahead_ns;
	return time_ns > 0 ? time_ns : 0;
}

#endif /* EVTLOG_EXPORT_SOURCES_H */
