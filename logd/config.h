/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings by the administrator: logd.conf, and options that override it.
 */
#ifndef EVTLOG_LOGD_CONFIG_H
#define EVTLOG_LOGD_CONFIG_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "logfile/runs.h"

#define CONFIG_DEFAULT_FILE	"/etc/evtlog/logd.conf"

/* More than the maximum of any supported kernel. */
#define CONFIG_CPUS_MAX		8192
#define CONFIG_CPU_WORDS	(CONFIG_CPUS_MAX / (8 * sizeof(unsigned long)))

#define CONFIG_HOST_BYTES	65

/* Each peer costs packets.  In a larger cluster, name a few hosts that all can reach. */
#define CONFIG_PEERS_MAX	64
#define CONFIG_PEERS_BYTES	4096

/* As for evtlog record --tree: cgroup:PATH, job:ID. */
#define CONFIG_CHOICE_BYTES	4096

/* nice, as for setpriority(). */
#define CONFIG_NICE_MIN		(-20)
#define CONFIG_NICE_MAX		19

/*
 * @files:	the directory is absolute
 * @nice:	-20 to 19, if not real-time
 * @rt_priority: for SCHED_FIFO, 0: not real-time
 * @cpus:	CPUs to run on; if empty, the scheduler chooses
 * @host:	HOST in file names and headers, "": ask the kernel
 * @pid_file:	"" for none
 * @arm:	True: the kernel is armed while logd runs
 * @stop_at_exit: True: SIGTERM ends the run
 * @sync_peers:	hosts to send echo requests to during a run, "" for none
 * @sync_rate:	requests per second to each of them
 * @tree_choice: how the tree of the runs was selected, for headers; "" if unknown
 * @tree_processes: number of processes marked in the tree; 0 if unknown
 */
struct config {
	struct runs_settings files;
	bool mlockall;
	int nice;
	unsigned int rt_priority;
	unsigned long cpus[CONFIG_CPU_WORDS];
	char host[CONFIG_HOST_BYTES];
	char pid_file[PATH_MAX];
	bool arm;
	bool stop_at_exit;
	char sync_peers[CONFIG_PEERS_BYTES];
	unsigned int sync_rate;
	char tree_choice[CONFIG_CHOICE_BYTES];
	unsigned int tree_processes;
};

void config_set_defaults(struct config *config);

/**
 * config_set() - set one key from text
 * @why:	set to the cause on failure
 *
 * Returns 0, -ENOENT for an unknown key, -EINVAL for a bad value.
 */
int config_set(struct config *config, const char *key, const char *value,
	       char *why, size_t why_bytes);

/**
 * config_read() - set keys from lines "key = value"
 * @name:	name of the stream, for messages
 *
 * Prints each bad line as "NAME:LINE: cause".  Returns 0, -EINVAL if a line was bad, or the
 * error of reading.
 */
int config_read(struct config *config, FILE *stream, const char *name);

/** config_load() - config_read() for the file at @path; returns also -errno of fopen() */
int config_load(struct config *config, const char *path);

/** config_print() - print all keys as lines that config_read() accepts */
void config_print(const struct config *config, FILE *stream);

/**
 * config_fixed_change() - return the first key that differs and cannot change in a running
 * daemon, NULL if there is none
 */
const char *config_fixed_change(const struct config *running, const struct config *wanted);

/** config_has_cpus() - returns true if @cpus is not empty */
bool config_has_cpus(const struct config *config);

#endif /* EVTLOG_LOGD_CONFIG_H */
