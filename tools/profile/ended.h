/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profiles of tasks that have ended, as a named buffer has them that gets the event "profile".
 */
#ifndef EVTLOG_PROFILE_ENDED_H
#define EVTLOG_PROFILE_ENDED_H

#include <stdbool.h>
#include <stdint.h>

#include "control/session.h"
#include "profile/profile.h"
#include "record/source.h"

/* ---- The profile of a task that has ended, from the numbers of its record ---- */

/* See profile/exit.c of the kernel. */

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

/** ended_names_lack() - whether there is a function among @paths the name of which is not known */
bool ended_names_lack(const struct ended_names *names, const struct ended_path *paths,
		      unsigned int count);

/** ended_names_read() - the names that the kernel has now, which keep their numbers; 0 or -errno */
int ended_names_read(struct ended_names *names);

void ended_names_free(struct ended_names *names);

/** ended_entry_make() - the entry with strings of its own; 0 or -ENOMEM */
int ended_entry_make(struct profile_entry *entry, const struct ended_header *header,
		     const struct ended_path *paths, unsigned int count,
		     const struct ended_names *names);

/* ---- Tasks that have ended ---- */

#define PROFILE_ENDED_BUFFER	"profile-exits"

struct ended_task;

/*
 * struct profile_ended
 * @session:	that has the named buffer
 * @lost:	records, and profiles a part of which did not come, since it was opened
 * @tasks:	profiles of which parts are still to come
 */
struct profile_ended {
	struct control_session session;
	struct named_source source;
	uint64_t lost;
	struct ended_names names;
	struct ended_task **tasks;
	size_t task_count, task_capacity;
};

/** profile_ended_open() - collect profiles of ending tasks; prints errors; returns 0 or -errno */
int profile_ended_open(struct profile_ended *ended);

/** profile_ended_close() - have them no more; what is in parts still is lost */
void profile_ended_close(struct profile_ended *ended);

/**
 * profile_ended_read() - add those that have ended to @profile, each an entry with @ended 1
 *
 * If @source.was_deleted is set afterwards, no more will come, and that has been said.  Returns 0
 * or -errno, after saying what is wrong unless it is -ENOMEM.
 */
int profile_ended_read(struct profile_ended *ended, struct profile *profile);

#endif /* EVTLOG_PROFILE_ENDED_H */
