/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks a recording is of, and whether they are sampled: --tree and --sample.
 */
#ifndef EVTLOG_RECORD_SELECTION_H
#define EVTLOG_RECORD_SELECTION_H

#include <stdbool.h>

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

#endif /* EVTLOG_RECORD_SELECTION_H */
