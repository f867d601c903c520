/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call paths of the kernel within a region, with EVTLOG_REGION_PATHS=1: at each begin and end the
 * thread reads its whole profile from /proc/evtlog/profile/self, by one system call.
 *
 * What the profile has more than at the last reading is the region's that the thread was in between.
 * Each reading is of one moment within its system call, which is the boundary of the regions.
 */
#ifndef EVTLOG_LIB_REGION_PATHS_H
#define EVTLOG_LIB_REGION_PATHS_H

#include <stdbool.h>
#include <stdint.h>

struct region_sums;
struct region_paths;

/*
 * struct region_path - what a region had of a path
 * @next:	an older one, of the same region: it does not move
 * @name:	below user mode, as "syscall:1>softirq:3"
 */
struct region_path {
	struct region_path *next;
	const char *name;
	uint64_t count, inclusive, exclusive;
};

/** region_paths_set_up() - reads the environment, when the library is loaded */
void region_paths_set_up(void);

/** region_paths_new() - of the calling thread, from now on; NULL: they are not asked for */
struct region_paths *region_paths_new(void);

/** region_paths_renew() - the thread goes on in a child of fork() */
void region_paths_renew(struct region_paths *paths);

/** region_paths_close() - gives its file back */
void region_paths_close(struct region_paths *paths);

/** region_paths_forget() - what comes next begins anew: time went by that is not known by paths */
void region_paths_forget(struct region_paths *paths);

/**
 * region_paths_charge() - adds all since the last reading to @to
 * @now:	when the last one was, by any clock of a region; then when this one was
 *
 * Return: false: nothing has been added, for the kernel keeps no profile of the thread, or there
 * was no memory.
 */
bool region_paths_charge(struct region_paths *paths, struct region_sums *to, uint64_t *now);

#endif /* EVTLOG_LIB_REGION_PATHS_H */
