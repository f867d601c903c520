/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the files of several hosts together and puts them on one timeline.
 *
 * The clock model is in libevtlog.
 */
#ifndef EVTLOG_INPUT_LOG_SET_H
#define EVTLOG_INPUT_LOG_SET_H

#include <stdbool.h>
#include <stddef.h>

#include <evtlog/evtlog.h>

/*
 * One file of the cluster.
 * @name:	of the host; with a part of the boot ID if the host was rebooted
 * @clock_number: equal for files of the same boot
 * @gaps:	number of gaps of all CPUs, in the part read so far
 */
struct log_set_file {
	char *path;
	char *name;
	struct evtlog_file *file;
	size_t clock_number;
	uint64_t gaps;
};

/*
 * @files:	sorted by host name, boot and run
 * @handles:	the same files, as an array for the library
 */
struct logs {
	struct log_set_file *files;
	struct evtlog_file **handles;
	size_t count;
	struct evtlog_clocksync *hosts;
};

/*
 * How to open files and relate clocks.
 * @quiet:	do not print why the files cannot be one run of several hosts
 * @run:	name of a run, or number of a run without a name: skip files of other runs; NULL:
 *		skip none
 * @any_run:	accept files whose names or times show that they are of different runs
 * @chooses:	the command has the option --run
 */
struct log_set_options {
	struct evtlog_clocksync_options options;
	const char *run;
	bool any_run;
	bool chooses;
	bool quiet;
};

/* Sets @run or @any_run by the value of --run. */
void log_set_choose(struct log_set_options *options, const char *text);

/*
 * Opens @paths.  Refuses files that cannot be one run of several hosts: the same file twice, two
 * runs of a host, runs with different names or times.  Returns an exit status after printing the
 * error.
 */
int log_set_open(struct logs *logs, char **paths, size_t count,
		 const struct log_set_options *opts);
void log_set_close(struct logs *logs);

/* Prints that no log matches --host @hosts, and the existing hosts.  Returns EXIT_MISUSE. */
int log_set_refuse_hosts(const struct logs *logs, const char *command, const char *hosts);

/*
 * Relates the clocks of the hosts.  If @strict, hosts that cannot be related to the others are
 * printed and refused.  Returns an exit status.
 */
int log_set_relate(struct logs *logs, const struct log_set_options *opts,
		   bool strict);

/* The first start and the last end of all files, on the timeline, or in the time of a single log. */
int64_t log_set_begin_ns(const struct logs *logs);
int64_t log_set_end_ns(const struct logs *logs);

/* Prints losses.  Returns EXIT_OK, EXIT_EVENTS_LOST, or EXIT_FAILED (unreadable, or violations). */
int log_set_verdict(const struct logs *logs);

#endif /* EVTLOG_INPUT_LOG_SET_H */
