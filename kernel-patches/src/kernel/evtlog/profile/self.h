/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page that a task has mapped: its sums per group.
 */
#ifndef EVTLOG_PROFILE_SELF_H
#define EVTLOG_PROFILE_SELF_H

#include <linux/rcupdate.h>

#include "profile/tree.h"

struct mm_struct;
struct user_struct;

/**
 * struct evtlog_profile_self - a page, as the kernel knows it
 * @page:	what the task reads
 * @user:	whose locked memory it counts as
 * @mm:		where it is mapped; not filled while the task has another one (exec)
 * @sequence:	the last one of @page
 * @maps:	how often it is mapped
 * @profile:	whose sums it has; NULL: none, as when the task has ended
 * @list:	of those with a @profile
 * @rcu:	freed after hooks that use it
 * @told:	by node: its exclusive ticks when @page was last brought up to date
 *
 * Freed when @maps becomes 0; the profile that points to it does not hold it.
 * @maps, @profile and @list are guarded by self_lock in self.c.
 */
struct evtlog_profile_self {
	struct evtlog_profile_page *page;
	struct user_struct *user;
	const struct mm_struct *mm;
	u32 sequence;
	unsigned int maps;
	struct evtlog_profile *profile;
	struct list_head list;
	struct rcu_head rcu;
	u64 told[EVTLOG_PROFILE_NODES_MAX];
};

extern bool evtlog_profile_self_on;

void evtlog_profile_self_clear(struct evtlog_profile_self *self);

#endif /* EVTLOG_PROFILE_SELF_H */
