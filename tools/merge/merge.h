/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many hosts' events as one stream of lines.
 *
 * Stage: between the log set of several files and `evtlog dump`, or another command that was
 * given these files.
 */
#ifndef EVTLOG_MERGE_MERGE_H
#define EVTLOG_MERGE_MERGE_H

#include "common/options.h"
#include "input/event-filter.h"
#include "input/host-filter.h"
#include "input/log-set.h"
#include "lib/merge/iterator.h"
#include "print/around.h"
#include "print/event.h"
#include "report.h"
#include "timeline.h"

/*
 * @command:	for messages
 * @types:	list separated by commas, NULL for all
 * @report:	path of the report as JSON, "-" for stdout; NULL: a table on stderr if @prints_report
 * @output:	path of the merged file to write; NULL: print lines
 * @level:	compression level of @output
 * @memory_bytes: 0 for the library's default
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
	bool prints_report;
	size_t memory_bytes;
};

/*
 * Reads @paths, several hosts' files of one run or one merged file, and prints or writes the
 * events.  Returns an exit status.
 */
int merge_files(struct merge_options *opts, char **paths, size_t count);

/* The same for a merged file: see merged.c. */
int merged_show(struct merge_options *opts, const char *path);

/* Prints the content of a merged file, for `evtlog info`.  Returns an exit status. */
int merged_info(const char *path, bool json);

/* Writes the report as set in @opts.  Returns an exit status. */
int merge_report(const struct merge_options *opts, const struct report *report);

/* ---- options.c: options of `evtlog dump` for logs of several hosts ---- */

/* --output, --compress, --report, --run, --assume-ntp, --rho, --reference, --netns, --memory */
extern const struct option_desc merge_option_table[];

/*
 * merge_option() - take one of merge_option_table
 * @option: the option's val
 *
 * Return: 0; -EINVAL if @value is wrong or @option is not in the table; -ENOMEM.
 */
int merge_option(struct merge_options *opts, int option, char *value);

/* Returns true if an option was given that one log on its own has no use for. */
bool merge_is_asked_for(const struct merge_options *opts);

/*
 * merge_check_outputs() - refuse an output that is one of the inputs, or both outputs being one file
 *
 * Return: an exit status, after printing what is wrong.
 */
int merge_check_outputs(const struct merge_options *opts, char **paths, size_t count);

void merge_options_free(struct merge_options *opts);

/* ---- write.c: merged files, in the format of <evtlog/file.h> ---- */

struct merged_writer;

/*
 * Creates a merged file with the data about the hosts.  It gets the name @path when it is
 * complete.  The compression @level is 0 to 9.  Returns 0 or -errno.
 */
int merged_write_new(const char *path, int level, const struct report *report,
		     const struct real_points *real,
		     struct evtlog_file *const *files,
		     struct merged_writer **writerp);

/* Writes the name that a task has from here on.  Returns 0 or -errno. */
int merged_write_name(struct merged_writer *writer, size_t host,
		      const struct evtlog_task *task);

/* Returns 0 or -errno. */
int merged_write_event(struct merged_writer *writer,
		       const struct iterator_event *event, bool doubtful);

/* Completes the file and gives it its name; @report has the counts.  Returns 0 or -errno. */
int merged_write_finish(struct merged_writer *writer, const struct report *report);

/* Removes an incomplete file.  @writer may be NULL. */
void merged_write_free(struct merged_writer *writer);

#endif /* EVTLOG_MERGE_MERGE_H */
