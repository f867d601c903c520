/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of ended tasks, from a named buffer with the event "profile".
 */
#ifndef EVTLOG_PROFILE_ENDED_H
#define EVTLOG_PROFILE_ENDED_H

#include <stdbool.h>
#include <stdint.h>

#include "control/session.h"
#include "profile/profile.h"
#include "record/source.h"

/* ---- The profile of an ended task, from its records ---- */

/* The kernel writes them in profile/exit.c. */

/* A task has at most 133 paths and some values. Numbers of functions begin at 1. */
#define ENDED_PATHS_MAX	256
#define ENDED_FUNCTIONS	257

/* Values follow the paths: @inclusive is their sum, @exclusive the sum of their squares. */
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

/* Names of functions by number, as records contain only numbers; NULL if unknown */
struct ended_names {
	char *at[ENDED_FUNCTIONS];
};

/** ended_names_lack() - return true if a name of a function in @paths is missing */
bool ended_names_lack(const struct ended_names *names, const struct ended_path *paths,
		      unsigned int count);

/** ended_names_read() - add the kernel's present names; numbers do not change; 0 or -errno */
int ended_names_read(struct ended_names *names);

void ended_names_free(struct ended_names *names);

/** ended_entry_add() - append an entry with @ended 1 to @profile; 0 or -ENOMEM */
int ended_entry_add(struct evtlog_profile *profile, const struct ended_header *header,
		    const struct ended_path *paths, unsigned int count,
		    const struct ended_names *names);

/* ---- Ended tasks ---- */

#define PROFILE_ENDED_BUFFER	"profile-exits"

struct ended_task;

/*
 * struct profile_ended
 * @session:	owns the named buffer
 * @lost:	lost records, and profiles with a lost part, since the buffer was opened
 * @tasks:	profiles with parts that are still to come
 */
struct profile_ended {
	struct control_session session;
	struct named_source source;
	uint64_t lost;
	struct ended_names names;
	struct ended_task **tasks;
	size_t task_count, task_capacity;
};

/** profile_ended_open() - start to collect profiles of ending tasks; prints errors; 0 or -errno */
int profile_ended_open(struct profile_ended *ended);

/** profile_ended_close() - stop collecting; incomplete profiles count as lost */
void profile_ended_close(struct profile_ended *ended);

/**
 * profile_ended_read() - add tasks that have ended to @profile, each as an entry with @ended 1
 *
 * If it sets @source.streams.was_deleted, the buffer is gone and an error was printed. Returns 0 or
 * -errno; errors other than -ENOMEM were printed.
 */
int profile_ended_read(struct profile_ended *ended, struct evtlog_profile *profile);

#endif /* EVTLOG_PROFILE_ENDED_H */
