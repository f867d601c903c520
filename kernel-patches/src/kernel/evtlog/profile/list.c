// SPDX-License-Identifier: GPL-2.0-only
/*
 * All profiles, also those of tasks that have ended and are in no list of tasks any more, but
 * may be read, or still run.
 */
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "profile/profile.h"
#include "profile/settle.h"
#include "profile/switch.h"

/* Guards the list, and profiles that are made empty.  Tasks are freed in any context. */
static DEFINE_RAW_SPINLOCK(lock);
static LIST_HEAD(profiles);
static unsigned int nr_profiles;
/* Those that whoever goes through all has still to look at; @through: one at a time. */
static LIST_HEAD(left);
static DEFINE_MUTEX(through);

/* So many at a time, with interrupts off; one that takes long counts as so many. */
#define SOME	64
#define LONG	4

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
	nr_profiles++;
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
	nr_profiles--;
	evtlog_profile_settle_forget(p);
	evtlog_profile_leave_cpu(p);
	raw_spin_unlock_irqrestore(&lock, flags);
}

/**
 * evtlog_profile_list_count() - how many there are
 *
 * Return: profiles of tasks, also of those that have ended and are not freed.
 */
unsigned int evtlog_profile_list_count(void)
{
	return READ_ONCE(nr_profiles);
}

/**
 * evtlog_profile_list_begin() - go through all profiles, some at a time
 *
 * Context: task context; nobody else goes through them until evtlog_profile_list_end().
 */
void evtlog_profile_list_begin(void)
{
	mutex_lock(&through);
}

/**
 * evtlog_profile_list_take() - these are all
 *
 * Those that are added from now on are left out.
 *
 * Context: any but NMI, the list is locked; behind evtlog_profile_list_begin(), before
 * evtlog_profile_list_some().
 */
void evtlog_profile_list_take(void)
{
	list_splice_init(&profiles, &left);
}

/**
 * evtlog_profile_list_some() - the next profiles
 * @each:	called for each, interrupts off and the list locked; must not wait.  True: it took
 *		long
 * @data:	passed on to it
 *
 * They are few: interrupts are off for some microseconds.
 *
 * Context: any but NMI, between evtlog_profile_list_begin() and evtlog_profile_list_end().
 * Return: whether there are more.
 */
bool evtlog_profile_list_some(bool (*each)(struct evtlog_profile *p, void *data), void *data)
{
	unsigned long flags = evtlog_profile_list_lock();
	unsigned int cost = 0;
	bool more;

	while (cost < SOME && !list_empty(&left)) {
		struct evtlog_profile *p = list_first_entry(&left, struct evtlog_profile, list);

		list_move_tail(&p->list, &profiles);
		cost += each(p, data) ? LONG : 1;
	}
	more = !list_empty(&left);
	evtlog_profile_list_unlock(flags);
	return more;
}

/**
 * evtlog_profile_list_end() - others may go through them
 */
void evtlog_profile_list_end(void)
{
	mutex_unlock(&through);
}

static void for_all(bool (*each)(struct evtlog_profile *p, void *data))
{
	unsigned long flags;

	evtlog_profile_list_begin();
	flags = evtlog_profile_list_lock();
	evtlog_profile_list_take();
	evtlog_profile_list_unlock(flags);
	while (evtlog_profile_list_some(each, NULL))
		cond_resched();
	evtlog_profile_list_end();
}

static bool empty(struct evtlog_profile *p, void *unused)
{
	make_empty(p);
	return true;
}

/**
 * evtlog_profile_reset_all() - make all profiles empty
 *
 * Context: task context; no clock runs.
 */
void evtlog_profile_reset_all(void)
{
	for_all(empty);
}

static bool leave(struct evtlog_profile *p, void *unused)
{
	evtlog_profile_leave_cpu(p);
	return true;
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
	for_all(leave);
}
