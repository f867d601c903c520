/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes all threads' regions as a profile.
 */
#ifndef EVTLOG_LIB_REGION_WRITE_H
#define EVTLOG_LIB_REGION_WRITE_H

#include "lib/region/clock.h"

/*
 * struct region_process - what is the same for all threads
 * @rank:	-1: none
 * @loaded:	when the library was loaded
 */
struct region_process {
	int rank;
	struct region_clock_pair loaded;
};

/* Return: 0; -ENOENT: no region has begun, or this is the child of a vfork(); -errno. */

/** region_file_write() - at @path, in the place of what is there */
int region_file_write(const char *path, const struct region_process *process);

/** region_file_save() - at the first of @path, PATH.1, ... that is free, always the same one */
int region_file_save(const char *path, const struct region_process *process);

#endif /* EVTLOG_LIB_REGION_WRITE_H */
