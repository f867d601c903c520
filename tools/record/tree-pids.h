/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processes a user means by a tree: a pid, the command itself, a cgroup, a job.
 */
#ifndef EVTLOG_RECORD_TREE_PIDS_H
#define EVTLOG_RECORD_TREE_PIDS_H

#include <stddef.h>
#include <sys/types.h>

struct tree_pids {
	pid_t *pids;
	size_t count, capacity;
};

/** tree_is_choice() - "all", "self", PID, cgroup:PATH or job:ID? */
int tree_is_choice(const char *text);

/**
 * tree_pids_find() - its roots
 * @choice:	but for "all"
 * @self:	the command's process; 0: there is none
 *
 * Says what is wrong.  Returns 0 or -errno; then nothing is to be freed.
 */
int tree_pids_find(struct tree_pids *found, const char *choice, pid_t self);
void tree_pids_free(struct tree_pids *found);

#endif /* EVTLOG_RECORD_TREE_PIDS_H */
