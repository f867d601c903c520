/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens logs for commands, and reports missing data after reading.
 */
#ifndef EVTLOG_INPUT_OPEN_LOG_H
#define EVTLOG_INPUT_OPEN_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include <evtlog/evtlog.h>
#include <evtlog/index.h>

struct json;

/*
 * Opens @path, or standard input if it is "-".  Returns NULL after printing the error.  Close
 * with evtlog_close().
 */
struct evtlog_file *log_open(const char *path);

/* Like log_open(), but refuses a log without readable events. */
struct evtlog_file *log_open_events(const char *path);

/*
 * Returns true if the log has readable events.  Buffers that are not read yet are assumed to be
 * intact.
 */
bool log_has_events(const struct evtlog_file *file);

/* Prints that the log has no readable events, and the remedy.  Returns EXIT_FAILED. */
int log_refuse(const struct evtlog_file *file, const char *path);

/*
 * Call after reading: prints lost events and damage to stderr.  Returns EXIT_OK,
 * EXIT_EVENTS_LOST, or EXIT_FAILED if nothing could be read.
 */
int log_verdict(const struct evtlog_file *file, const char *path);

/* Warns about each step of CLOCK_REALTIME: dates, and hosts compared by dates, may be wrong. */
void log_warn_of_steps(const struct evtlog_file *file, const char *path);

/*
 * Missing data of a log, known after reading all of it.
 * @lost:	events lost during recording
 * @damages:	damaged places of the file
 * @is_cut:	True: the end of the run is missing
 */
struct log_lacks {
	uint64_t lost;
	uint64_t damages;
	bool is_cut;
};

/* log_lacks_of() and log_report_lacks() are the two steps of log_verdict(), for a log with events. */
struct log_lacks log_lacks_of(const struct evtlog_file *file);
/* From the index, without reading the log. */
struct log_lacks log_lacks_of_index(const struct evtlog_index *index);
int log_report_lacks(const struct log_lacks *lacks, const char *path);

/*
 * Calls @one for each file of @args; for a directory, for each file in it.  If @apart, prints an
 * empty line between two files.  Returns EXIT_FAILED if a call returned it, else the first
 * result that is not EXIT_OK.
 */
int log_each(char **args, int count, bool apart,
	     int (*one)(const char *path, void *context), void *context);

/* Return true for a named buffer's log; for a global one's, with all CPUs' records in one order. */
bool log_is_named(const struct evtlog_file *file);
bool log_is_global(const struct evtlog_file *file);

/* Lost records of all causes, as counted by the kernel. */
uint64_t log_lost(const struct evtlog_file *file);

/*
 * Prints losses by cause as " (no buffer free 3, in NMIs 0, nested 0)", nothing without losses;
 * or writes the object lost_by_cause.
 */
void log_print_causes(const struct evtlog_file *file);
void log_causes_json(const struct evtlog_file *file, struct json *json);

/* Name of an enum evtlog_lost_cause: "full", "nmi", "nested", "large"; NULL if unknown. */
const char *log_cause_name(unsigned int cause);

/* Damages that lose events: all but damages of the index. */
uint64_t log_damages(const struct evtlog_file *file);

/* ---- Files for the arguments of a command; they are not opened ---- */

/*
 * Expands @args to paths: files unchanged, directories to their *.evl files, sorted by name.
 * Returns an exit status after printing errors.  Free the result with paths_free().
 */
int paths_expand(char **args, int count, char ***pathsp, size_t *countp);
void paths_free(char **paths, size_t count);

#endif /* EVTLOG_INPUT_OPEN_LOG_H */
