/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The logs that an export is made of: which hosts and which part of them are wanted.
 *
 * Stage: between the options of `evtlog export` and what writes a format.  Events come from
 * reading.h.
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

#endif /* EVTLOG_EXPORT_SOURCES_H */
