/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file for each period, PREFIX-TIME.txt, .json or .profile.
 */
#ifndef EVTLOG_PROFILE_PERIOD_FILE_H
#define EVTLOG_PROFILE_PERIOD_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/atomic-file.h"

struct evtlog_profile;

enum period_form { PERIOD_TABLES, PERIOD_JSON, PERIOD_RAW };

/*
 * @keep:	number of files to keep of each prefix, the newest; 0: all
 * @form:	PERIOD_RAW: the format of evtlog-profile(5), which evtlog_profile_load() reads
 */
struct period_files {
	uint64_t keep, hz;
	const char *directory;
	enum period_form form;
};

/* struct period_file - a file that is being written, to @file.out */
struct period_file {
	struct atomic_file file;
	const char *prefix;
	char *path;
};

/**
 * period_file_open() - start the file of a period that ended at @end
 * @prefix: must live as long as @file
 *
 * Returns 0 or -errno; errors other than -ENOMEM were printed.
 */
int period_file_open(struct period_file *file, const struct period_files *files,
		     const char *prefix, double end);

/**
 * period_file_close() - move the file to its place, and remove the oldest files
 * @error: if not 0, remove the file and print this error
 *
 * Returns 0 or -errno; errors were printed.
 */
int period_file_close(struct period_file *file, const struct period_files *files, int error);

/**
 * period_file_write() - write what tasks and CPUs did from @begin to @end
 * @lost:	number of profiles of ended tasks that are missing
 *
 * Returns 0 or -errno; errors other than -ENOMEM were printed.
 */
int period_file_write(const struct period_files *files, const struct evtlog_profile *profile,
		      double begin, double end, uint64_t lost);

#endif /* EVTLOG_PROFILE_PERIOD_FILE_H */
