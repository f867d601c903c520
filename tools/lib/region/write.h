/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the regions of all threads as a profile.
 */
#ifndef EVTLOG_LIB_REGION_WRITE_H
#define EVTLOG_LIB_REGION_WRITE_H

#include "lib/region/clock.h"

/*
 * struct region_process - data common to all threads
 * @rank:	-1 if there is none
 * @loaded:	time at which the library was loaded
 */
struct region_process {
	int rank;
	struct region_clock_pair loaded;
};

/* Both return 0, -ENOENT no region has begun, or this is the child of a vfork(), or -errno. */

/** region_file_write() - write to @path, replacing an existing file */
int region_file_write(const char *path, const struct region_process *process);

/** region_file_save() - write to the first free name of @path, PATH.1, ..., and to it again */
int region_file_save(const char *path, const struct region_process *process);

#endif /* EVTLOG_LIB_REGION_WRITE_H */
