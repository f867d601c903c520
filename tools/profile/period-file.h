/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file for each period, profile-TIME.txt or .json.
 */
#ifndef EVTLOG_PROFILE_PERIOD_FILE_H
#define EVTLOG_PROFILE_PERIOD_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct profile;

/* @keep: how many of the newest files are kept; 0: all */
struct period_files {
	uint64_t keep, hz;
	const char *directory;
	bool as_json;
};

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
