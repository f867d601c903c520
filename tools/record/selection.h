/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks a recording is of, and whether they are sampled: --tree and --sample.
 */
#ifndef EVTLOG_RECORD_SELECTION_H
#define EVTLOG_RECORD_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "control/session.h"

/*
 * @tree:	as tree_is_choice(); NULL: all tasks
 * @interval:	as the kernel takes it, "4ms", "tick"; NULL: no sampling
 * @has_events:	events are recorded, too, and are to be of the tree
 */
struct selection_options {
	const char *tree;
	const char *interval;
	bool has_events;
};

/** selection_interval_is_valid() - "250Hz", "4ms", "tick"? */
bool selection_interval_is_valid(const char *text);

/**
 * selection_begin() - mark the tree, let runs be of it, switch the sampler on
 * @self:	the command's process; 0: there is none
 *
 * To be called before the run.  Prints what is wrong.  Returns 0 or -errno.  The session undoes the
 * changes.
 */
int selection_begin(struct control_session *session, const struct selection_options *options,
		    pid_t self);

/**
 * selection_check() - once the run has begun: are tasks sampled?
 *
 * Says what is wrong.  Returns 0, or -ENOMEM: nothing is sampled.
 */
int selection_check(const struct selection_options *options);

/* ---- tree-roots.c: a process, which may be the command itself, or the cgroups of a path or a job ---- */

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

#endif /* EVTLOG_RECORD_SELECTION_H */
