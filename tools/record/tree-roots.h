/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The roots of a tree: a process, which may be the command itself, or the cgroups of a path or a
 * job.
 */
#ifndef EVTLOG_RECORD_TREE_ROOTS_H
#define EVTLOG_RECORD_TREE_ROOTS_H

#include <stddef.h>
#include <sys/types.h>

/*
 * @pid:	the process; 0: cgroups
 * @cgroups:	their directories
 * @processes:	how many are in them and below
 */
struct tree_roots {
	pid_t pid;
	char **cgroups;
	size_t count, capacity;
	size_t processes;
};

/** tree_is_choice() - is the text "all", "self", PID, cgroup:PATH or job:ID? */
int tree_is_choice(const char *text);

/**
 * tree_roots_find() - the roots of a tree
 * @choice:	as for tree_is_choice(), but not "all"
 * @self:	the command's process; 0: there is none
 *
 * Prints what is wrong.  Returns 0, or -errno without anything to free.
 */
int tree_roots_find(struct tree_roots *roots, const char *choice, pid_t self);
void tree_roots_free(struct tree_roots *roots);

#endif /* EVTLOG_RECORD_TREE_ROOTS_H */
