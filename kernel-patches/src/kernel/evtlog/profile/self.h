/* SPDX-License-Identifier: GPL-2.0-only */
/* The page with a task's sums per group, which the task has mapped. */
#ifndef EVTLOG_PROFILE_SELF_H
#define EVTLOG_PROFILE_SELF_H

#include <linux/rcupdate.h>

#include "profile/tree.h"

struct mm_struct;
struct user_struct;

/**
 * struct evtlog_profile_self - the kernel's data of a page
 * @page:	the page that the task reads
 * @user:	user whose locked memory includes the page
 * @mm:		address space of the mapping; in another one (exec), the page is not filled
 * @sequence:	last sequence number of @page
 * @maps:	number of mappings
 * @profile:	profile with the sums; NULL: none, for example after the end of the task
 * @list:	entry in a list of pages with a @profile
 * @rcu:	the page is freed after hooks that use it
 * @told:	by node: exclusive ticks when @page was last updated
 *
 * Freed when @maps becomes 0; the profile that points to it has no reference.  @maps, @profile and
 * @list are guarded by self_lock in self.c.
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
