/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of several hosts, opened together and put on one time axis.
 *
 * Stage: between argv and the commands that read many files as one.  The clock
 * model itself is libevtlog's.
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
struct cluster_file {
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
struct cluster {
	struct cluster_file *files;
	struct evtlog_file **handles;
	size_t count;
	struct evtlog_hosts *hosts;
};

/*
 * What is wanted of the clocks.
 * @quiet:	do not say why files can not be one run of several hosts
 * @run:	name, or number of runs without: other runs' files are left out; NULL:
 *		there is one
 * @any_run:	take files that are of different runs by their names or times
 * @chooses:	the command has options for both
 */
struct cluster_wish {
	struct evtlog_hosts_options options;
	const char *run;
	bool any_run;
	bool chooses;
	bool quiet;
};

/*
 * Opens @paths.  Refuses what can not be one run of several hosts: a file twice, two
 * runs of a host, runs of different names or of different times.  Returns an exit status, after saying what is wrong.
 */
int cluster_open(struct cluster *cluster, char **paths, size_t count,
		 const struct cluster_wish *wish);
void cluster_close(struct cluster *cluster);

/* --@option @hosts chose none: says which there are.  Returns EXIT_MISUSE. */
int cluster_refuse_hosts(const struct cluster *cluster, const char *command,
			 const char *option, const char *hosts);

/*
 * Relates the clocks.  Returns an exit status; hosts that nothing relates to the
 * others are said and refused if @strict.
 */
int cluster_relate(struct cluster *cluster, const struct cluster_wish *wish,
		   bool strict);

/* The first and the last instant of any file, on the axis. */
int64_t cluster_begin_ns(const struct cluster *cluster);
int64_t cluster_end_ns(const struct cluster *cluster);

/* EXIT_OK or EXIT_EVENTS_LOST, saying of which files; EXIT_FAILED for violations. */
int cluster_verdict(const struct cluster *cluster);

#endif /* EVTLOG_INPUT_LOG_SET_H */
