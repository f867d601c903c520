/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of all profiles, also of tasks that have left the kernel's list of tasks: such a task may
 * be read, or still run, until it is freed.  Each profile is in the list of one CPU, so that forks
 * and exits on different CPUs do not wait for each other.
 *
 * While CPUs' profiles are read (evtlog_profile_lists_keep()), a profile whose @cpu is a CPU is in
 * the list of this CPU, and moves with its task.  At other times it may be in any list.
 */
#ifndef EVTLOG_PROFILE_LIST_H
#define EVTLOG_PROFILE_LIST_H

#include <linux/mutex.h>

#include "profile/tree.h"

struct evtlog_profile_list;

void evtlog_profile_list_add(struct evtlog_profile *p);
void evtlog_profile_list_del(struct evtlog_profile *p);
unsigned int evtlog_profile_list_length(unsigned int cpu);
unsigned int evtlog_profile_list_count(void);
unsigned long evtlog_profile_list_lock(unsigned int cpu);
void evtlog_profile_list_unlock(unsigned int cpu, unsigned long flags);
int evtlog_profile_list_settle(unsigned int cpu, struct evtlog_profile *except, int most, int few);
void evtlog_profile_lists_wait(void);
void evtlog_profile_lists_keep(void);
void evtlog_profile_lists_leave(void);
void evtlog_profile_for_all(void (*each)(struct evtlog_profile *p));
void evtlog_profile_make_empty(struct evtlog_profile *p);

/* Held to go through all lists or to read a CPU's profile: only one task at a time does so. */
extern struct mutex evtlog_profile_lists_lock;
/* Number of open files that read CPUs' profiles; guarded by evtlog_profile_lists_lock. */
extern unsigned int evtlog_profile_lists_kept;

struct evtlog_profile_list *evtlog_profile_list_hold(const struct evtlog_profile *p);
void evtlog_profile_list_release(struct evtlog_profile_list *list);
void evtlog_profile_list_move(struct evtlog_profile *p, struct evtlog_profile_list *from,
			      unsigned int cpu);

/* Pairs with evtlog_profile_lists_leave(): if false, readers' writes to profiles are visible. */
static __always_inline bool evtlog_profile_lists_are_kept(void)
{
	return unlikely(smp_load_acquire(&evtlog_profile_lists_kept));
}

#endif /* EVTLOG_PROFILE_LIST_H */
