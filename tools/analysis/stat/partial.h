/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Partial results of evtlog stat: what one process said of its logs, for another to join.
 *
 * Stage: cmd-stat.c fills them in, writes and joins them.  Nothing of a log goes from one to
 * another but totals, so that a partial holds the finished text of each log, in both forms, and
 * the numbers of its totals.
 *
 * The file is lines "KEY NUMBER" and "KEY BYTES" with so many bytes and a newline behind it.  Its
 * last line is a CRC-32 of all before it.  Several may follow one another.
 */
#ifndef EVTLOG_ANALYSIS_STAT_PARTIAL_H
#define EVTLOG_ANALYSIS_STAT_PARTIAL_H

#include <stddef.h>

#include "input/open-log.h"
#include "stat.h"

#define STAT_PARTIAL_VERSION	1

/* Bytes of a partial; those of @text are followed by a 0. */
struct stat_partial_text {
	char *text;
	size_t length;
};

/*
 * What is said of one log.
 * @host, @boot, @buffer, @run: whose it is; @buffer: the named buffer, or ""
 * @begin_ns, @end_ns: of the whole log, by the host's clock
 * @lacks:	what its reader is told at the end
 * @total:	of it alone; no file: nothing of the log was wanted
 * @shown, @json: what is printed
 * @from:	the partial that it came in, for messages; not owned
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

/*
 * @options:	those that the sums depend on; NULL: not known yet
 */
struct stat_partial {
	char *options;
	struct stat_partial_log *logs;
	size_t count;
};

void stat_partial_free(struct stat_partial *partial);

/* Adds a log, of which nothing is said yet, as @path.  NULL: out of memory. */
struct stat_partial_log *stat_partial_new_log(struct stat_partial *partial, const char *path,
					      const struct evtlog_file *file);

/* What is printed of a log whose sums are complete, and its totals.  0 or -errno. */
int stat_partial_take(struct stat_partial_log *log, const struct stat *stat,
		      unsigned int top_shown, unsigned int top_json);

/* 0; -ENOMEM.  Whether all is written the caller asks of @out. */
int stat_partial_write(const struct stat_partial *partial, FILE *out);

/*
 * Prints what evtlog stat prints of all its logs, in their order, and says what they lack.  The
 * exit status is that of evtlog stat, too.
 */
int stat_partial_show(const struct stat_partial *partial, bool as_json);

/*
 * Adds the logs of all partials in a file, "-": of standard input.  Refuses what is damaged, of
 * another version, or made with other options than those before it.  @path must live as long.  An
 * exit status, after saying what is wrong.
 */
int stat_partial_read(struct stat_partial *partial, const char *path);

/* Refuses a log that is there twice, when all are read.  An exit status, after saying which. */
int stat_partial_check(const struct stat_partial *partial);

#endif /* EVTLOG_ANALYSIS_STAT_PARTIAL_H */
