/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Partial results of evtlog stat: one process writes the results of its logs, another joins them.
 *
 * Stage: cmd-stat.c fills, writes and joins them. Logs are combined only in totals. So a partial
 * contains, for each log, the finished output in both forms and the numbers of its totals.
 *
 * A file consists of lines "KEY NUMBER", and of lines "KEY BYTES", each followed by this number of
 * bytes and a newline. Its last line is a CRC-32 of all bytes before it. A file may contain several
 * partials.
 */
#ifndef EVTLOG_ANALYSIS_STAT_PARTIAL_H
#define EVTLOG_ANALYSIS_STAT_PARTIAL_H

#include <stddef.h>

#include "input/open-log.h"
#include "stat.h"

#define STAT_PARTIAL_VERSION	1

/* Bytes in a partial; a 0 follows @text. */
struct stat_partial_text {
	char *text;
	size_t length;
};

/*
 * The results of one log.
 * @host, @boot, @buffer, @run: identity of the log; @buffer: the named buffer, or ""
 * @begin_ns, @end_ns: of the whole log, by the host's clock
 * @lacks:	losses and damage to report at the end
 * @total:	totals of this log; its @files is 0 if nothing of the log was wanted
 * @shown, @json: the output
 * @from:	path of the partial with this log, for messages; not owned
 */
struct stat_partial_log {
	struct stat_partial_text path;
	struct stat_partial_text host;
	struct stat_partial_text boot;
	struct stat_partial_text buffer;
	uint64_t run;
	uint64_t begin_ns;
	uint64_t end_ns;
	struct log_lacks lacks;
	struct stat_total total;
	struct stat_partial_text shown;
	struct stat_partial_text json;
	const char *from;
};

/* @options: options that affect the sums; NULL if not yet known */
struct stat_partial {
	char *options;
	struct stat_partial_log *logs;
	size_t count;
};

void stat_partial_free(struct stat_partial *partial);

/* Adds a log without results, as @path. NULL: out of memory. */
struct stat_partial_log *stat_partial_new_log(struct stat_partial *partial, const char *path,
					      const struct evtlog_file *file);

/* Takes the output and the totals of a log with complete sums. 0 or -errno. */
int stat_partial_take(struct stat_partial_log *log, const struct stat *stat,
		      unsigned int top_shown, unsigned int top_json);

/* Returns 0 or -ENOMEM. The caller checks @out for write errors. */
int stat_partial_write(const struct stat_partial *partial, FILE *out);

/*
 * Prints the output of evtlog stat for all logs, in their order, and reports what they lack.
 * Returns the exit status of evtlog stat.
 */
int stat_partial_show(const struct stat_partial *partial, bool as_json);

/*
 * Adds the logs of all partials in a file; "-" is standard input. Refuses partials that are
 * damaged, of another version, or made with other options than earlier ones. @path must live as
 * long as @partial. Returns an exit status; errors were printed.
 */
int stat_partial_read(struct stat_partial *partial, const char *path);

/* Call it after all were read. Refuses a log that is there twice. Returns an exit status. */
int stat_partial_check(const struct stat_partial *partial);

#endif /* EVTLOG_ANALYSIS_STAT_PARTIAL_H */
