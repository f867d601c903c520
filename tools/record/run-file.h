/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The announced logger, and the file it writes a run to.
 *
 * Of a run's file only header, index and trailer are looked at.
 */
#ifndef EVTLOG_RECORD_RUN_FILE_H
#define EVTLOG_RECORD_RUN_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <evtlog/abi.h>

#include "control/control.h"

/*
 * @is_complete: the last buffer of every CPU came, and the file is closed
 * @buffers, @lost: what the index says, once there is one
 */
struct logger_file {
	char path[PATH_MAX];
	bool is_complete;
	uint64_t buffers;
	uint64_t lost;
};

/*
 * Where the logger puts files: its working directory.  It is reached through
 * the logger, whose view of the file system may differ from ours.
 * @path:	as people know it
 */
struct logger_directory {
	pid_t logger;
	int fd;
	char path[PATH_MAX];
};

/** logger_directory_open() - 0 or -errno; -ENOENT also when it was removed */
int logger_directory_open(struct logger_directory *directory, pid_t logger);
/** logger_directory_check() - 0, or the -errno of making a file there */
int logger_directory_check(const struct logger_directory *directory);

void logger_directory_close(struct logger_directory *directory);

/**
 * logger_find_file() - the file of a run of this boot
 *
 * Returns 0, -ENOENT when there is none (yet), or another -errno.
 */
int logger_find_file(const struct logger_directory *directory,
		     const struct control_status *status, struct logger_file *file);

/**
 * logger_wait_complete() - wait until the run's file is complete and closed
 * @directory:	kept up to date while the logger is there
 * @still_there: asked from time to time; NULL, or false ends the wait
 *
 * Returns 0, -ETIME after @timeout_s, -ESRCH when the logger is gone; then
 * @file tells what was found, with an empty path if nothing.
 */
int logger_wait_complete(struct logger_directory *directory,
			 const struct control_status *status,
		       unsigned int timeout_s, bool (*still_there)(void *context),
		       void *context, struct logger_file *file);

/* ---- Names of runs, by which the files of one run are found on many hosts ---- */

#define RUNNAME_RULE "a letter, then letters, digits and '._-', at most 31 in all"

/** runname_is_good() - RUNNAME_RULE */
bool runname_is_good(const char *name);

/**
 * runname_make() - one for now: of the Slurm job if there is one
 * @name:	EVTLOG_RUN_NAME_LEN bytes
 */
void runname_make(char *name);

#endif /* EVTLOG_RECORD_RUN_FILE_H */
