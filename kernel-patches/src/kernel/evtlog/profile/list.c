// SPDX-License-Identifier: GPL-2.0-only
/*
 * All profiles, also those of tasks that have ended and are in no list of tasks any more, but
 * may be read, or still run.
 */
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "profile/profile.h"

/* Guards the list, and profiles that are made empty.  Tasks are freed in any context. */
static DEFINE_RAW_SPINLOCK(lock);
static LIST_HEAD(profiles);
/* Those that are still to be made empty, or to leave their CPUs. */
static LIST_HEAD(left);

/* So many at a time, with interrupts off. */
#define CHUNK	16

/**
 * evtlog_profile_list_lock() - keep a start of profiles from making any empty
 *
 * Return: for evtlog_profile_list_unlock().
 */
unsigned long evtlog_profile_list_lock(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	return flags;
}

/**
 * evtlog_profile_list_unlock() - let it go on
 * @flags:	of evtlog_profile_list_lock()
 */
void evtlog_profile_list_unlock(unsigned long flags)
{
	raw_spin_unlock_irqrestore(&lock, flags);
}

static void make_empty(struct evtlog_profile *p)
{
	evtlog_profile_self_lock();
	evtlog_profile_init(p, evtlog_profile_root(p->nodes[0].key & 0xffff));
	evtlog_profile_self_unlock();
}

/**
 * evtlog_profile_list_add() - a profile is a task's
 * @p:		the profile
 */
void evtlog_profile_list_add(struct evtlog_profile *p)
{
	unsigned long flags = evtlog_profile_list_lock();

	/* Profiles were started since it was made. */
	if (p->epoch != evtlog_profile_epoch)
		make_empty(p);
	list_add(&p->list, &profiles);
	evtlog_profile_list_unlock(flags);
}

/**
 * evtlog_profile_list_del() - a task is freed
 * @p:		its profile; what it has is its CPU's from now on
 */
void evtlog_profile_list_del(struct evtlog_profile *p)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	list_del(&p->list);
	evtlog_profile_leave_cpu(p);
	raw_spin_unlock_irqrestore(&lock, flags);
}

/* Each profile in the list; those that are added meanwhile need it not.  One at a time. */
static void for_all(void (*act)(struct evtlog_profile *p))
{
	unsigned long flags = evtlog_profile_list_lock();
	struct evtlog_profile *p;
	unsigned int n = 0;

	list_splice_init(&profiles, &left);
	while (!list_empty(&left)) {
		p = list_first_entry(&left, struct evtlog_profile, list);
		list_move_tail(&p->list, &profiles);
		act(p);
		if (++n % CHUNK)
			continue;
		evtlog_profile_list_unlock(flags);
		cond_resched();
		flags = evtlog_profile_list_lock();
	}
	evtlog_profile_list_unlock(flags);
}

/**
 * evtlog_profile_reset_all() - make all profiles empty
 *
 * Context: task context; no clock runs.
 */
void evtlog_profile_reset_all(void)
{
	for_all(make_empty);
}

/**
 * evtlog_profile_leave_all_cpus() - what tasks have is their CPUs', from now on for good
 *
 * So CPUs' sums are whole, whatever tasks end before they are read.
 *
 * Context: task context; no clock runs.
 */
void evtlog_profile_leave_all_cpus(void)
{
	for_all(evtlog_profile_leave_cpu);
}

/**
 * evtlog_profile_list_for_all() - go through all profiles
 * @each:	called for each, interrupts off; must not wait
 * @data:	passed on to it
 *
 * None is freed meanwhile.
 *
 * Context: any but NMI.
 */
void evtlog_profile_list_for_all(void (*each)(struct evtlog_profile *p, void *data), void *data)
{
	struct evtlog_profile *p;
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	list_for_each_entry(p, &profiles, list)
		each(p, data);
	list_for_each_entry(p, &left, list)
		each(p, data);
	raw_spin_unlock_irqrestore(&lock, flags);
}
