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

/** region_write() - to a file that is open; 0 or -errno */
int region_write(int fd, const struct region_process *process);

#endif /* EVTLOG_LIB_REGION_WRITE_H */
