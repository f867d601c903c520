/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the administrator decides: logd.conf and the options that override it.
 */
#ifndef EVTLOG_LOGD_CONFIG_H
#define EVTLOG_LOGD_CONFIG_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#define CONFIG_DEFAULT_FILE	"/etc/evtlog/logd.conf"

/* More than any kernel this runs on can be built for. */
#define CONFIG_CPUS_MAX		8192
#define CONFIG_CPU_WORDS	(CONFIG_CPUS_MAX / (8 * sizeof(unsigned long)))

#define CONFIG_HOST_BYTES	65

/* Each costs packets; who has more hosts chooses a few that all can reach. */
#define CONFIG_PEERS_MAX	64
#define CONFIG_PEERS_BYTES	4096

/* As evtlog record --tree has it: cgroup:PATH, job:ID. */
#define CONFIG_CHOICE_BYTES	4096

/* nice, as of setpriority() */
#define CONFIG_NICE_MIN		(-20)
#define CONFIG_NICE_MAX		19

#define CONFIG_COMPRESS_PACK	10	/* by <evtlog/packed.h>; above zlib's levels */

/*
 * @directory:	where run files go, absolute
 * @compress:	zlib's level, 0 = store buffers as they are, or CONFIG_COMPRESS_PACK
 * @nice:	-20 to 19, where not real-time
 * @rt_priority: SCHED_FIFO's, 0 = not real-time
 * @cpus:	CPUs to run on, all clear = wherever the scheduler likes
 * @host:	HOST of file names and headers, "" = ask the kernel
 * @pid_file:	"" = none
 * @retry_s:	longest wait between two attempts to write after one failed
 * @arm:	the kernel is made ready for a start while logd runs
 * @stop_at_exit: SIGTERM ends a run that is being recorded
 * @group:	owner group of files and directory, -1 = leave it
 * @min_free_mb: room to leave to others on the file system
 * @sync_peers:	hosts to send echoes to while a run records, "" = none
 * @sync_rate:	echoes to each in a second
 * @tree_choice: what the tree of the runs is, for their headers; "" = not known
 * @tree_processes: that were marked in it; 0 = not known
 * @cache_mb:	page cache a run's file may hold; 0 = leave it to the kernel
 * @direct:	what is stored uncompressed passes the page cache by
 */
struct config {
	char directory[PATH_MAX];
	unsigned int compress;
	bool mlockall;
	int nice;
	unsigned int rt_priority;
	unsigned long cpus[CONFIG_CPU_WORDS];
	char host[CONFIG_HOST_BYTES];
	char pid_file[PATH_MAX];
	unsigned int retry_s;
	bool arm;
	bool stop_at_exit;
	unsigned int file_mode;
	gid_t group;
	unsigned int min_free_mb;
	unsigned int cache_mb;
	bool direct;
	char sync_peers[CONFIG_PEERS_BYTES];
	unsigned int sync_rate;
	char tree_choice[CONFIG_CHOICE_BYTES];
	unsigned int tree_processes;
};

void config_set_defaults(struct config *config);

/**
 * config_set() - set one key from text
 * @why: filled with the cause on failure, a static or formatted text
 *
 * Returns 0, -ENOENT for an unknown key, -EINVAL for a bad value.
 */
int config_set(struct config *config, const char *key, const char *value,
	       char *why, size_t why_bytes);

/**
 * config_read() - set keys from a stream of "key = value" lines
 * @name: of the stream, for messages
 *
 * Every bad line is reported as "NAME:LINE: cause".  Returns 0, -EINVAL when
 * a line was bad, or the stream's read error.
 */
int config_read(struct config *config, FILE *stream, const char *name);

/** config_load() - config_read() of the file at @path; also -errno of fopen() */
int config_load(struct config *config, const char *path);

/** config_print() - every key as a line that config_read() would accept */
void config_print(const struct config *config, FILE *stream);

/**
 * config_fixed_change() - the first key that differs and can't change in a
 * running daemon, or NULL
 */
const char *config_fixed_change(const struct config *running, const struct config *wanted);

/** config_has_cpus() - whether @cpus names any */
bool config_has_cpus(const struct config *config);

#endif /* EVTLOG_LOGD_CONFIG_H */
