/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many hosts' events as one stream of lines.
 *
 * Stage: between `evtlog merge`, or another command that was given several files, and
 * the cluster of those files.
 */
#ifndef EVTLOG_MERGE_MERGE_H
#define EVTLOG_MERGE_MERGE_H

#include "input/event-filter.h"
#include "input/host-filter.h"
#include "input/log-set.h"
#include "print/around.h"
#include "print/event.h"
#include "report.h"

/*
 * @command:	for messages
 * @types:	list divided by commas; NULL: all
 * @report:	path for the report as JSON, "-" is stdout; NULL: a table on stderr
 *		if @tell
 * @output:	path of a merged file to be written instead of lines; NULL: lines
 * @level:	of its compression
 * @memory_bytes: 0: the library's choice
 */
struct merge_options {
	const char *command;
	struct log_set_options clocks;
	struct filter filter;
	const char *types;
	struct choice hosts;
	struct around *around;
	struct show show;
	const char *report;
	const char *output;
	int level;
	bool tell;
	size_t memory_bytes;
};

/*
 * Reads @paths, one run's files of several hosts or one merged file, and prints or
 * writes.  Returns an exit status.
 */
int merge_files(struct merge_options *opts, char **paths, size_t count);

/* The same for a merged file: merged.c. */
int merged_show(struct merge_options *opts, const char *path);

/* What a merged file holds, for `evtlog info`.  Returns an exit status. */
int merged_info(const char *path, bool json);

/* Writes the report where @opts wants it.  Returns an exit status. */
int merge_report(const struct merge_options *opts, const struct report *report);

#endif /* EVTLOG_MERGE_MERGE_H */
