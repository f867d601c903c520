/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of several hosts, opened together and put on one timeline.
 *
 * The clock model itself is libevtlog's.
 */
#ifndef EVTLOG_INPUT_LOG_SET_H
#define EVTLOG_INPUT_LOG_SET_H

#include <stdbool.h>
#include <stddef.h>

#include <evtlog/evtlog.h>

/*
 * One file of the cluster.
 * @name:	of the host, told from others of that name by the boot
 * @clock_number: files of the same boot have the same
 * @gaps:	times of which nothing is known, of all CPUs, as far as was read
 */
struct log_set_file {
	char *path;
	char *name;
	struct evtlog_file *file;
	size_t clock_number;
	uint64_t gaps;
};

/*
 * @files:	by host name, boot and run, whatever the order in argv
 * @handles:	of the files, as the library wants them
 */
struct logs {
	struct log_set_file *files;
	struct evtlog_file **handles;
	size_t count;
	struct evtlog_clocksync *hosts;
};

/*
 * What is wanted of the clocks.
 * @quiet:	do not say why files can not be one run of several hosts
 * @run:	name, or number of runs without: other runs' files are left out; NULL:
 *		there is one
 * @any_run:	take files that are of different runs by their names or times
 * @chooses:	the command has options for both
 */
struct log_set_options {
	struct evtlog_clocksync_options options;
	const char *run;
	bool any_run;
	bool chooses;
	bool quiet;
};

/*
 * Opens @paths.  Refuses what can not be one run of several hosts: a file twice, two
 * runs of a host, runs of different names or of different times.  Returns an exit status, after saying what is wrong.
 */
int log_set_open(struct logs *logs, char **paths, size_t count,
		 const struct log_set_options *opts);
void log_set_close(struct logs *logs);

/* No log fits --host @hosts: prints which hosts there are.  Returns EXIT_MISUSE. */
int log_set_refuse_hosts(const struct logs *logs, const char *command, const char *hosts);

/*
 * Relates the clocks.  Returns an exit status; hosts that nothing relates to the
 * others are said and refused if @strict.
 */
int log_set_relate(struct logs *logs, const struct log_set_options *opts,
		   bool strict);

/* The first and the last instant of any file, on the timeline. */
int64_t log_set_begin_ns(const struct logs *logs);
int64_t log_set_end_ns(const struct logs *logs);

/* EXIT_OK or EXIT_EVENTS_LOST, saying of which files; EXIT_FAILED for violations. */
int log_set_verdict(const struct logs *logs);

#endif /* EVTLOG_INPUT_LOG_SET_H */
