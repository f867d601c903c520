/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many hosts' events as one stream of lines.
 *
 * Stage: between `evtlog dump`, or another command that was given several files, and
 * the cluster of those files.
 */
#ifndef EVTLOG_MERGE_MERGE_H
#define EVTLOG_MERGE_MERGE_H

#include "input/event-filter.h"
#include "input/host-filter.h"
#include "input/log-set.h"
#include "lib/merge/iterator.h"
#include "print/around.h"
#include "print/event.h"
#include "report.h"
#include "wall-clock.h"

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
	char *types;
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

/* ---- write.c: merged files, as <evtlog/file.h> describes them ---- */

struct merged_writer;

/*
 * Makes @path with what is known of the hosts; it has another name until it is whole.
 * @level: of compression, 0 to 9.  Returns 0 or -errno.
 */
int merged_write_new(const char *path, int level, const struct report *report,
		     const struct real_points *real,
		     struct evtlog_file *const *files,
		     struct merged_writer **writerp);

/* The name of a task from here on.  0 or -errno. */
int merged_write_name(struct merged_writer *writer, size_t host,
		      const struct evtlog_task *task);

/* 0 or -errno. */
int merged_write_event(struct merged_writer *writer,
		       const struct iterator_event *event, bool doubtful);

/* Ends the file and gives it its name; @report has the counts.  0 or -errno. */
int merged_write_finish(struct merged_writer *writer, const struct report *report);

/* Removes what is not finished; NULL is fine. */
void merged_write_free(struct merged_writer *writer);

#endif /* EVTLOG_MERGE_MERGE_H */
