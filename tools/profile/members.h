/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects the tasks to record: those of some processes, or of a cgroup.
 */
#ifndef EVTLOG_PROFILE_MEMBERS_H
#define EVTLOG_PROFILE_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/profile.h"

/* Process ids, sorted */
struct pid_set {
	int *at;
	size_t count, capacity;
};

bool pid_set_has(const struct pid_set *set, int pid);

/** pid_set_add() - add a pid, if it is not there; 0 or -ENOMEM */
int pid_set_add(struct pid_set *set, int pid);

void pid_set_free(struct pid_set *set);

/** cgroup_read() - add the processes of a cgroup; 0; -ENOMEM; -ENOENT, with a message */
int cgroup_read(const char *directory, struct pid_set *set);

/**
 * cgroup_mark() - set @is_wanted of entries of a cgroup: tasks that live in the cgroup, that ended
 * in it, or that were forked in it and have ended since
 * @next:	a reading, with the tasks that have ended since the last reading
 * @before:	the last reading, marked
 * @members:	processes that were in the cgroup at any time since then; new ones are added
 * @now:	processes that are in the cgroup now, without processes that are ending
 * @directory:	the cgroup's directory, to find ending processes through /proc
 *
 * A new process with the reused pid of a member is not marked. Returns 0 or -ENOMEM.
 */
int cgroup_mark(struct evtlog_profile *next, const struct evtlog_profile *before,
		struct pid_set *members, const struct pid_set *now, const char *directory);

#endif /* EVTLOG_PROFILE_MEMBERS_H */
