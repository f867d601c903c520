/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the records of the path's probes from logs: of one host, of several, or merged.
 *
 * Stage: between the logs and packets.c.
 */
#ifndef EVTLOG_PATH_READ_H
#define EVTLOG_PATH_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "input/log-set.h"
#include "merge/report.h"
#include "merge/wall-clock.h"
#include "packets.h"
#include "print/left-out.h"

/*
 * @name:	of the host, printable
 * @error_ns:	its times are right within this, on the common timeline
 */
struct path_source_host {
	char *name;
	uint64_t error_ns;
	const struct evtlog_file *file;
};

/*
 * Logs that are open.  One of @log, @logs.count and @merged is in use.
 *
 * @begin_ns:	of the run, on the timeline
 * @reference:	host whose clock the timeline is
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

/* Returns an exit status, after saying what is wrong; path_source_close() it in any case. */
int path_source_open(struct path_source *source, char **paths, size_t count,
		     const struct log_set_options *options);
void path_source_close(struct path_source *source);

/* CLOCK_REALTIME in ns */
int64_t path_source_real(const struct path_source *source, int64_t time_ns);

/*
 * path_source_read() - give all records of the path's probes to path_packets_take()
 * @from_ns, @to_ns: since the run's begin
 * @gaps:	times of which nothing is known are counted here
 * @read:	all records of the part are counted here
 * @seen:	bits: stations that have records
 *
 * Returns an exit status, after saying what is wrong.
 */
int path_source_read(struct path_source *source, struct packets *packets, uint64_t from_ns,
		     uint64_t to_ns, uint64_t *gaps, struct left_out *read,
		     unsigned int *seen);

/* EXIT_OK or EXIT_EVENTS_LOST, saying of which; EXIT_FAILED. */
int path_source_verdict(const struct path_source *source);

#endif /* EVTLOG_PATH_READ_H */
