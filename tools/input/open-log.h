/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening a log for a command, and saying at the end what it lacks.
 */
#ifndef EVTLOG_INPUT_OPEN_LOG_H
#define EVTLOG_INPUT_OPEN_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include <evtlog/evtlog.h>
#include <evtlog/index.h>

struct json;

/*
 * Opens @path, or standard input if it is "-".  NULL after saying why not.
 * Give it back with evtlog_close().
 */
struct evtlog_file *log_open(const char *path);

/*
 * The same for a command that has nothing to tell of a log whose events are all gone:
 * refuses it.
 */
struct evtlog_file *log_open_events(const char *path);

/*
 * Whether an event of it can be read, as far as is known: before the events are read a
 * buffer is taken for whole.
 */
bool log_has_events(const struct evtlog_file *file);

/* Says that none can, and what to do.  Returns EXIT_FAILED. */
int log_refuse(const struct evtlog_file *file, const char *path);

/*
 * After all was read: says on stderr if something is lost or damaged.
 * Returns EXIT_OK, EXIT_EVENTS_LOST, or EXIT_FAILED if nothing could be read.
 */
int log_verdict(const struct evtlog_file *file, const char *path);

/* Warns of each step of CLOCK_REALTIME, for those that show dates or compare hosts by them. */
void log_warn_of_steps(const struct evtlog_file *file, const char *path);

/*
 * What a log lacks after all of it was read.
 * @lost:	events, during recording
 * @damages:	places of the file
 * @is_cut:	the end of the run is missing
 */
struct log_lacks {
	uint64_t lost;
	uint64_t damages;
	bool is_cut;
};

/* The two steps of log_verdict() for a log that has events */
struct log_lacks log_lacks_of(const struct evtlog_file *file);
/* As the index has it: the log is not read again. */
struct log_lacks log_lacks_of_index(const struct evtlog_index *index);
int log_tell_lacks(const struct log_lacks *lacks, const char *path);

/*
 * Does @one for each file that @args name, directories by what is in them, with an
 * empty line between two if they are @apart.
 * Returns the worst of what it returned: that a file could not be read outweighs
 * that another has losses.
 */
int log_each(char **args, int count, bool apart,
	     int (*one)(const char *path, void *context), void *context);

/* Whether it is of a named buffer, or of a global one, whose records are of all CPUs in one order */
bool log_is_named(const struct evtlog_file *file);
bool log_is_global(const struct evtlog_file *file);

/* All records lost, by the kernel's count. */
uint64_t log_lost(const struct evtlog_file *file);

/*
 * What was lost by cause: " (no buffer free 3, in NMIs 0, nested 0)", nothing when nothing
 * was; and the object lost_by_cause.
 */
void log_print_causes(const struct evtlog_file *file);
void log_causes_json(const struct evtlog_file *file, struct json *json);

/* Of enum evtlog_lost_cause: "full", "nmi", "nested"; NULL unknown. */
const char *log_cause_name(unsigned int cause);

/* Damage that costs events: all but that of the index. */
uint64_t log_damages(const struct evtlog_file *file);

/* ---- What files the arguments of a command stand for; none is opened ---- */

/*
 * The paths that @args stand for: files as they are, directories by the *.evl in
 * them, by name.  Returns an exit status, after saying what is wrong; paths_free()
 * what it gives.
 */
int paths_expand(char **args, int count, char ***pathsp, size_t *countp);
void paths_free(char **paths, size_t count);

#endif /* EVTLOG_INPUT_OPEN_LOG_H */
