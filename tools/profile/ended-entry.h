/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile of a task that has ended, from the numbers of its record: see profile/exit.c of the
 * kernel.
 */
#ifndef EVTLOG_PROFILE_ENDED_ENTRY_H
#define EVTLOG_PROFILE_ENDED_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

/* A task has at most 133 paths, and some values; and functions have numbers from 1 on. */
#define ENDED_PATHS_MAX	256
#define ENDED_FUNCTIONS	257

/* As the kernel writes them.  Behind the paths there are values: their sums, and squares for exclusive. */
struct ended_header {
	uint32_t pid, tgid;
	uint64_t born, off, ahead;
	char comm[16];
	uint16_t first, paths, all, reserved;
	uint32_t parent, unmatched;
};

struct ended_path {
	uint16_t event, parent;
	uint32_t count_high, count, least;
	uint64_t inclusive, exclusive, largest;
};

/* Names of functions, which records have by their numbers alone; NULL: not known. */
struct ended_names {
	char *at[ENDED_FUNCTIONS];
};

/** ended_is_function() - a function's own path */
bool ended_is_function(const struct ended_path *path);

/**
 * ended_names_learn() - learn functions' names from what a task had when it lived
 * @before:	the task's entry; its paths are among @paths, in the same order
 *
 * Returns 0 or -ENOMEM.
 */
int ended_names_learn(struct ended_names *names, const struct profile_entry *before,
		      const struct ended_path *paths, unsigned int count);

void ended_names_free(struct ended_names *names);

/** ended_entry_make() - the entry with strings of its own; 0 or -ENOMEM */
int ended_entry_make(struct profile_entry *entry, const struct ended_header *header,
		     const struct ended_path *paths, unsigned int count,
		     const struct ended_names *names);

#endif /* EVTLOG_PROFILE_ENDED_ENTRY_H */
