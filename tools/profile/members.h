/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose tasks are recorded: those of some processes, or of a cgroup.
 */
#ifndef EVTLOG_PROFILE_MEMBERS_H
#define EVTLOG_PROFILE_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/profile.h"

/* Numbers of processes, in order. */
struct pid_set {
	int *at;
	size_t count, capacity;
};

bool pid_set_has(const struct pid_set *set, int pid);

/** pid_set_add() - 0, also if it is there already; -ENOMEM */
int pid_set_add(struct pid_set *set, int pid);

void pid_set_free(struct pid_set *set);

/** cgroup_read() - add the processes of a cgroup's directory; 0; -ENOMEM; -ENOENT, after saying why */
int cgroup_read(const char *directory, struct pid_set *set);

/**
 * cgroup_mark() - set @is_wanted of entries: tasks that live in the cgroup, that have ended in
 * it, or that were forked in it and have ended since
 * @next:	a reading, with those that have ended since the last one
 * @before:	the last one, marked
 * @members:	processes that were in the cgroup at any time since; those found are added
 * @now:	those that are in it now
 * @directory:	the cgroup's; @now lacks processes that are ending: these are found through /proc
 *
 * A number that another process has been given is none of the cgroup's: 0 or -ENOMEM.
 */
int cgroup_mark(struct profile *next, const struct profile *before, struct pid_set *members,
		const struct pid_set *now, const char *directory);

#endif /* EVTLOG_PROFILE_MEMBERS_H */
