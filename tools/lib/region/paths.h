/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call paths of the kernel within a region, with EVTLOG_REGION_PATHS=1: at each begin and end, the
 * thread reads its whole profile from /proc/evtlog/profile/self with one system call.
 *
 * The increase since the last reading belongs to the region in which the thread was in between.  A
 * reading is of one time within its system call; this time is the boundary of the regions.
 */
#ifndef EVTLOG_LIB_REGION_PATHS_H
#define EVTLOG_LIB_REGION_PATHS_H

#include <stdbool.h>
#include <stdint.h>

struct region_sums;
struct region_paths;

/*
 * struct region_path - sums of a path within a region
 * @next:	next older path of the region; does not move
 * @name:	without user mode, for example "syscall:1>softirq:3"
 */
struct region_path {
	struct region_path *next;
	const char *name;
	uint64_t count, inclusive, exclusive;
};

/** region_paths_set_up() - read the environment when the library is loaded */
void region_paths_set_up(void);

/** region_paths_new() - start for the calling thread; NULL if paths are not requested */
struct region_paths *region_paths_new(void);

/** region_paths_renew() - continue the thread in a child of fork() */
void region_paths_renew(struct region_paths *paths);

/** region_paths_close() - close its file */
void region_paths_close(struct region_paths *paths);

/** region_paths_forget() - restart at the next reading: time passed whose paths are unknown */
void region_paths_forget(struct region_paths *paths);

/**
 * region_paths_charge() - add the increase since the last reading to @to
 * @now:	time of the last reading, by any clock of a region; set to the time of this reading
 *
 * Return: true; false if nothing was added because the kernel has no profile of the thread, or
 * because memory is exhausted.
 */
bool region_paths_charge(struct region_paths *paths, struct region_sums *to, uint64_t *now);

#endif /* EVTLOG_LIB_REGION_PATHS_H */
