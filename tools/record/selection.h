/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects the tasks of a recording, and whether they are sampled: --tree and --sample.
 */
#ifndef EVTLOG_RECORD_SELECTION_H
#define EVTLOG_RECORD_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "control/session.h"

/*
 * @tree:	as for tree_is_choice(); NULL: keep run_tree, and sample all tasks
 * @interval:	in the kernel's form, "4ms" or "tick"; NULL: no sampling
 * @has_events:	True: events are recorded too, and only those of the tree
 */
struct selection_options {
	const char *tree;
	const char *interval;
	bool has_events;
};

/** selection_interval_is_valid() - returns true for "250Hz", "4ms", "tick" */
bool selection_interval_is_valid(const char *text);

/**
 * selection_begin() - mark the tree, limit runs to it, start the sampler
 * @self:	the command's process, 0 if none
 *
 * Call it before the run.  Prints errors.  Returns 0 or -errno.  The session undoes the changes.
 */
int selection_begin(struct control_session *session, const struct selection_options *options,
		    pid_t self);

/**
 * selection_check() - check after the start of the run whether tasks are sampled
 *
 * Prints errors.  Returns 0, or -ENOMEM if nothing is sampled.
 */
int selection_check(const struct selection_options *options);

/* ---- tree-roots.c: a process (perhaps the command), or the cgroups of a path or a job ---- */

/*
 * @pid:	the process; 0 for cgroups
 * @cgroups:	their directories
 * @processes:	number of processes in and below the cgroups
 */
struct tree_roots {
	pid_t pid;
	char **cgroups;
	size_t count, capacity;
	size_t processes;
};

/** tree_is_choice() - returns 1 if @text is "all", "self", PID, cgroup:PATH or job:ID */
int tree_is_choice(const char *text);

/**
 * tree_roots_find() - find the roots of a tree
 * @choice:	as for tree_is_choice(), but not "all"
 * @self:	the command's process, 0 if none
 *
 * Prints errors.  Returns 0, or -errno with nothing to free.
 */
int tree_roots_find(struct tree_roots *roots, const char *choice, pid_t self);
void tree_roots_free(struct tree_roots *roots);

#endif /* EVTLOG_RECORD_SELECTION_H */
