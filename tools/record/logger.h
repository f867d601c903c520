/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The logger of a run, announced or our own, and the file to which it writes the run.
 *
 * Only header, index and trailer of the file are read.
 */
#ifndef EVTLOG_RECORD_LOGGER_H
#define EVTLOG_RECORD_LOGGER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <evtlog/abi.h>

#include "control/control.h"

/*
 * @is_complete:	the file has the last buffer of each CPU and is closed
 * @buffers, @lost:	from the index; 0 before it exists
 */
struct logger_file {
	char path[PATH_MAX];
	bool is_complete;
	uint64_t buffers;
	uint64_t lost;
};

/*
 * The logger's working directory, where it writes files.  It is reached through the logger's
 * entry in /proc, because the logger's view of the file system may differ.
 * @path:	for messages
 */
struct logger_directory {
	pid_t logger;
	int fd;
	char path[PATH_MAX];
};

/** logger_directory_open() - returns 0 or -errno; -ENOENT also if the directory was removed */
int logger_directory_open(struct logger_directory *directory, pid_t logger);
/** logger_directory_check() - returns 0, or the -errno of creating a file in it */
int logger_directory_check(const struct logger_directory *directory);

void logger_directory_close(struct logger_directory *directory);

/**
 * logger_find_file() - find the file of a run of this boot
 *
 * Returns 0; -ENOENT if it does not exist (yet); or another -errno.
 */
int logger_find_file(const struct logger_directory *directory,
		     const struct control_status *status, struct logger_file *file);

/**
 * logger_wait_complete() - wait until the run's file is complete and closed
 * @directory:	updated while the logger is running
 * @still_there: called repeatedly; the wait ends when it returns false.  May be NULL
 *
 * Returns 0; -ETIME after @timeout_s; -ESRCH if the logger has ended.  @file is the file found,
 * also after an error; its path is empty if there is none.
 */
int logger_wait_complete(struct logger_directory *directory,
			 const struct control_status *status,
		       unsigned int timeout_s, bool (*still_there)(void *context),
		       void *context, struct logger_file *file);

/* ---- A logd that evtlog record runs for one run ---- */

#define OWN_LOGGER_SETTINGS_MAX	12
/* For settings with notes about the run. */
#define OWN_LOGGER_NOTES_MAX	2

/* @pid: 0 if there is none or it has ended */
struct own_logger {
	pid_t pid;
};

/**
 * own_logger_find() - find the logd to run: EVTLOG_LOGD, or in this program's directory and the
 * usual places
 * @found:	PATH_MAX bytes
 *
 * Prints errors.  Returns 0 or -errno.
 */
int own_logger_find(char *found);

/**
 * own_logger_start() - run logd and wait until it is ready
 * @directory:	absolute
 * @settings:	KEY=VALUE, NULL-terminated
 *
 * If this process ends, logd stops the run, saves its buffers and ends.  Prints errors.  Returns
 * 0 or -errno.
 */
int own_logger_start(struct own_logger *logger, const char *directory,
		     const char *const *settings);

bool own_logger_is_alive(struct own_logger *logger);

/** own_logger_stop() - terminate logd and wait for its end */
void own_logger_stop(struct own_logger *logger);

/* ---- Names of runs: a run has the same name on many hosts ---- */

#define RUNNAME_RULE "a letter, then letters, digits and '._-', at most 31 in all"

/** runname_is_good() - returns true if @name follows RUNNAME_RULE */
bool runname_is_good(const char *name);

/**
 * runname_make() - make a name from the time, and from the Slurm job if there is one
 * @name:	EVTLOG_RUN_NAME_LEN bytes
 */
void runname_make(char *name);

#endif /* EVTLOG_RECORD_LOGGER_H */
