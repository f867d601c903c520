/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file for each period, PREFIX-TIME.txt, .json or .profile.
 */
#ifndef EVTLOG_PROFILE_PERIOD_FILE_H
#define EVTLOG_PROFILE_PERIOD_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/atomic-file.h"

struct profile;

enum period_form { PERIOD_TABLES, PERIOD_JSON, PERIOD_RAW };

/*
 * @keep: how many of the newest files of each prefix are kept; 0: all
 * @form: PERIOD_RAW: the lines of evtlog-profile(5), which evtlog_profile_load() reads
 */
struct period_files {
	uint64_t keep, hz;
	const char *directory;
	enum period_form form;
};

/* struct period_file - one that is being written, to @file.out */
struct period_file {
	struct atomic_file file;
	const char *prefix;
	char *path;
};

/**
 * period_file_open() - begin the file of a period that ended at @end
 * @prefix:	lives as long
 *
 * Returns 0 or -errno, after saying what is wrong unless it is -ENOMEM.
 */
int period_file_open(struct period_file *file, const struct period_files *files,
		     const char *prefix, double end);

/**
 * period_file_close() - put it in its place, and remove the oldest
 * @error:	it is taken away for this one, which is said
 *
 * Returns 0 or -errno, after saying what is wrong.
 */
int period_file_close(struct period_file *file, const struct period_files *files, int error);

/**
 * period_file_write() - write what tasks and CPUs did from @begin to @end
 * @profile:	entries with is_wanted are written
 * @lost:	profiles of ended tasks that are missing
 *
 * Returns 0 or -errno, after saying what is wrong unless it is -ENOMEM.
 */
int period_file_write(const struct period_files *files, const struct profile *profile,
		      double begin, double end, uint64_t lost);

#endif /* EVTLOG_PROFILE_PERIOD_FILE_H */
