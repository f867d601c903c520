/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the records of the path's probes from logs of one or several hosts, or a merged file.
 *
 * Stage: between the logs and packets.c.
 */
#ifndef EVTLOG_PATH_READ_H
#define EVTLOG_PATH_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "input/log-set.h"
#include "merge/report.h"
#include "merge/timeline.h"
#include "packets.h"
#include "print/left-out.h"

/*
 * @name:	of the host, printable
 * @error_ns:	largest error of its times on the common timeline; UINT64_MAX if unknown
 */
struct path_source_host {
	char *name;
	uint64_t error_ns;
	const struct evtlog_file *file;
};

/*
 * Open logs; one of @log, @logs and @merged is used.
 *
 * @begin_ns:	of the run, on the timeline
 * @reference:	host whose clock the timeline uses
 */
struct path_source {
	const char *path;
	struct evtlog_file *log;
	struct logs logs;
	struct evtlog_merged *merged;
	struct report report;
	struct real_points real;
	struct path_source_host *hosts;
	size_t count;
	int64_t begin_ns;
	const char *reference;
};

/* Prints errors. Returns an exit status; call path_source_close() in any case. */
int path_source_open(struct path_source *source, char **paths, size_t count,
		     const struct log_set_options *options);
void path_source_close(struct path_source *source);

/* CLOCK_REALTIME in ns */
int64_t path_source_real(const struct path_source *source, int64_t time_ns);

/*
 * path_source_read() - pass all records of the path's probes to path_packets_take()
 * @from_ns, @to_ns: since the start of the run
 * @gaps:	incremented for each gap
 * @read:	counts all records in the window
 * @seen:	set to bits: stations that have records
 *
 * Prints errors. Returns an exit status.
 */
int path_source_read(struct path_source *source, struct packets *packets, uint64_t from_ns,
		     uint64_t to_ns, uint64_t *gaps, struct left_out *read,
		     unsigned int *seen);

/* Returns EXIT_OK; EXIT_EVENTS_LOST after printing where; or EXIT_FAILED. */
int path_source_verdict(const struct path_source *source);

#endif /* EVTLOG_PATH_READ_H */
