// SPDX-License-Identifier: GPL-2.0-only
/*
 * All profiles: see list.h.
 */
#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#include "profile/list.h"
#include "profile/profile.h"
#include "profile/switch.h"

/**
 * struct evtlog_profile_list - profiles of a CPU
 * @lock:	guards the list, and resets of its profiles.  Interrupts are off, because tasks are
 *		freed in any context.  Only one such lock is held at a time
 * @profiles:	profiles that may have changes which the CPU's sums lack, newest last
 * @settled:	while the CPU is read: profiles without changes that have not run since
 * @nr:		number of profiles in both lists
 */
struct evtlog_profile_list {
	raw_spinlock_t lock;
	struct list_head profiles;
	struct list_head settled;
	unsigned int nr;
};

static struct evtlog_profile_list __percpu *lists;
unsigned int evtlog_profile_lists_kept;
DEFINE_MUTEX(evtlog_profile_lists_lock);

/* @home of a profile: in no list, or moving between lists; otherwise 1 + the number of its CPU */
#define NOWHERE	0U
#define MOVES	~0U

/* About this many profiles, or nodes of profiles, are handled with interrupts off. */
#define SOME	64

/**
 * evtlog_profile_list_hold() - lock the list that a profile is in
 * @p:		the profile, which is not freed meanwhile
 *
 * Context: interrupts off.
 * Return: the list; NULL: it is in none, and nothing is locked.
 */
struct evtlog_profile_list *evtlog_profile_list_hold(const struct evtlog_profile *p)
{
	struct evtlog_profile_list *list;
	u32 home;

	while ((home = READ_ONCE(p->home)) != NOWHERE) {
		/* The CPU that moves it has interrupts off. */
		if (home == MOVES) {
			cpu_relax();
			continue;
		}
		list = per_cpu_ptr(lists, home - 1);
		raw_spin_lock(&list->lock);
		if (p->home == home)
			return list;
		raw_spin_unlock(&list->lock);
	}
	return NULL;
}

/**
 * evtlog_profile_list_release() - unlock a list
 * @list:	as returned by evtlog_profile_list_hold(); may be NULL
 *
 * Context: interrupts off.
 */
void evtlog_profile_list_release(struct evtlog_profile_list *list)
{
	if (list)
		raw_spin_unlock(&list->lock);
}

/**
 * evtlog_profile_list_move() - move a profile to another list
 * @from:	the list that contains it, locked; unlocked on return
 * @cpu:	CPU whose list gets it, as the newest profile
 *
 * Context: interrupts off.
 */
void evtlog_profile_list_move(struct evtlog_profile *p, struct evtlog_profile_list *from,
			      unsigned int cpu)
{
	struct evtlog_profile_list *to = per_cpu_ptr(lists, cpu);

	if (to == from) {
		list_move_tail(&p->list, &to->profiles);
		raw_spin_unlock(&to->lock);
		return;
	}
	list_del(&p->list);
	WRITE_ONCE(from->nr, from->nr - 1);
	WRITE_ONCE(p->home, MOVES);
	raw_spin_unlock(&from->lock);
	raw_spin_lock(&to->lock);
	list_add_tail(&p->list, &to->profiles);
	WRITE_ONCE(to->nr, to->nr + 1);
	WRITE_ONCE(p->home, cpu + 1);
	raw_spin_unlock(&to->lock);
}

/**
 * evtlog_profile_list_lock() - lock a CPU's list
 *
 * Return: flags for evtlog_profile_list_unlock().
 */
unsigned long evtlog_profile_list_lock(unsigned int cpu)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&per_cpu_ptr(lists, cpu)->lock, flags);
	return flags;
}

/**
 * evtlog_profile_list_unlock() - unlock a CPU's list
 * @flags:	as returned by evtlog_profile_list_lock()
 */
void evtlog_profile_list_unlock(unsigned int cpu, unsigned long flags)
{
	raw_spin_unlock_irqrestore(&per_cpu_ptr(lists, cpu)->lock, flags);
}

/**
 * evtlog_profile_make_empty() - reset a profile
 * @p:		the profile; its list is locked, and no running task charges it
 *
 * Context: interrupts off.
 */
void evtlog_profile_make_empty(struct evtlog_profile *p)
{
	raw_spin_lock(&evtlog_profile_self_lock);
	evtlog_profile_init(p, evtlog_profile_root(p->nodes[0].key & 0xffff));
	raw_spin_unlock(&evtlog_profile_self_lock);
}

/**
 * evtlog_profile_list_add() - add the profile of a task to a list
 * @p:		profile in no list; its task does not run with it yet, or no clock runs
 */
void evtlog_profile_list_add(struct evtlog_profile *p)
{
	struct evtlog_profile_list *list;
	unsigned long flags;

	local_irq_save(flags);
	list = per_cpu_ptr(lists, smp_processor_id());
	raw_spin_lock(&list->lock);
	/* Profiles were started after it was made. */
	if (p->epoch != evtlog_profile_epoch)
		evtlog_profile_make_empty(p);
	list_add_tail(&p->list, &list->profiles);
	WRITE_ONCE(list->nr, list->nr + 1);
	WRITE_ONCE(p->home, smp_processor_id() + 1);
	raw_spin_unlock(&list->lock);
	local_irq_restore(flags);
}

/**
 * evtlog_profile_list_del() - remove the profile of a freed task
 * @p:		the profile; from now on, its sums are in the CPU's sums
 */
void evtlog_profile_list_del(struct evtlog_profile *p)
{
	struct evtlog_profile_list *list;
	unsigned long flags;

	local_irq_save(flags);
	list = evtlog_profile_list_hold(p);
	list_del(&p->list);
	WRITE_ONCE(list->nr, list->nr - 1);
	evtlog_profile_leave_cpu(p);
	evtlog_profile_list_release(list);
	local_irq_restore(flags);
}

/**
 * evtlog_profile_list_length() - number of profiles in a CPU's list, at some moment
 */
unsigned int evtlog_profile_list_length(unsigned int cpu)
{
	return READ_ONCE(per_cpu_ptr(lists, cpu)->nr);
}

/**
 * evtlog_profile_list_count() - number of all profiles
 *
 * Return: profiles of tasks, also of ended tasks that are not freed.
 */
unsigned int evtlog_profile_list_count(void)
{
	unsigned int cpu, nr = 0;

	for_each_possible_cpu(cpu)
		nr += evtlog_profile_list_length(cpu);
	return nr;
}

/**
 * evtlog_profile_lists_wait() - wait until each list's lock has been free once
 *
 * Context: task context.
 */
void evtlog_profile_lists_wait(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		evtlog_profile_list_unlock(cpu, evtlog_profile_list_lock(cpu));
}

/*
 * Moves the first profile to the end and returns it; the list is locked.  As many calls as there
 * are profiles visit all of them.
 */
static struct evtlog_profile *take(struct evtlog_profile_list *list)
{
	struct evtlog_profile *p;

	if (list_empty(&list->profiles))
		return NULL;
	p = list_first_entry(&list->profiles, struct evtlog_profile, list);
	list_move_tail(&p->list, &list->profiles);
	return p;
}

/* Handles at most @nr profiles, with about SOME nodes.  Returns how many; 0: the list is empty. */
static unsigned int for_some(struct evtlog_profile_list *list, unsigned int nr,
			     void (*each)(struct evtlog_profile *p))
{
	unsigned int done, nodes = 0;
	struct evtlog_profile *p;
	unsigned long flags;

	raw_spin_lock_irqsave(&list->lock, flags);
	for (done = 0; done < nr && nodes < SOME && (p = take(list)); done++) {
		nodes += p->nr_nodes;
		each(p);
	}
	raw_spin_unlock_irqrestore(&list->lock, flags);
	return done;
}

/**
 * evtlog_profile_for_all() - call a function for each profile
 * @each:	the function, called with interrupts off and the profile's list locked
 *
 * Profiles that are added meanwhile are left out.
 *
 * Context: task context; no clock runs.
 */
void evtlog_profile_for_all(void (*each)(struct evtlog_profile *p))
{
	unsigned int cpu, nr, some;

	mutex_lock(&evtlog_profile_lists_lock);
	for_each_possible_cpu(cpu) {
		for (nr = evtlog_profile_list_length(cpu); nr; nr -= some) {
			some = for_some(per_cpu_ptr(lists, cpu), nr, each);
			if (!some)
				break;
			cond_resched();
		}
	}
	mutex_unlock(&evtlog_profile_lists_lock);
}

static void nothing(void *unused) { }

static void bring_home_some(struct evtlog_profile_list *list, unsigned int nr)
{
	struct evtlog_profile *p;
	unsigned long flags;
	unsigned int cpu;

	local_irq_save(flags);
	while (nr--) {
		raw_spin_lock(&list->lock);
		p = take(list);
		cpu = p ? READ_ONCE(p->cpu) : EVTLOG_PROFILE_NO_CPU;
		if (evtlog_profile_is_cpu(cpu))
			evtlog_profile_list_move(p, list, cpu);
		else
			raw_spin_unlock(&list->lock);
	}
	local_irq_restore(flags);
}

/**
 * evtlog_profile_lists_keep() - keep each profile in the list of the CPU that has its sums
 *
 * Lasts until evtlog_profile_lists_leave().
 *
 * Context: task context, may sleep.
 */
void evtlog_profile_lists_keep(void)
{
	unsigned int cpu, nr, some;

	/* No CPU comes or goes meanwhile. */
	cpus_read_lock();
	mutex_lock(&evtlog_profile_lists_lock);
	WRITE_ONCE(evtlog_profile_lists_kept, evtlog_profile_lists_kept + 1);
	if (evtlog_profile_lists_kept > 1)
		goto out;
	/* Wait for tasks that migrate or end, with interrupts off. */
	on_each_cpu(nothing, NULL, 1);
	for_each_possible_cpu(cpu) {
		for (nr = evtlog_profile_list_length(cpu); nr; nr -= some) {
			some = min_t(unsigned int, nr, SOME);
			bring_home_some(per_cpu_ptr(lists, cpu), some);
			cond_resched();
		}
	}
out:
	mutex_unlock(&evtlog_profile_lists_lock);
	cpus_read_unlock();
}

/**
 * evtlog_profile_lists_leave() - undo evtlog_profile_lists_keep()
 *
 * Context: task context, may sleep.
 */
void evtlog_profile_lists_leave(void)
{
	mutex_lock(&evtlog_profile_lists_lock);
	/* See evtlog_profile_lists_are_kept(). */
	smp_store_release(&evtlog_profile_lists_kept, evtlog_profile_lists_kept - 1);
	mutex_unlock(&evtlog_profile_lists_lock);
}

/**
 * evtlog_profile_list_settle() - add tasks' changes on a CPU to the CPU's sums
 * @cpu:	the CPU, whose list is locked
 * @except:	profile of the task that runs there
 * @most:	stop after about this many nodes
 * @few:	see Return
 *
 * No task comes to the CPU meanwhile; a task that leaves it waits for the lock.
 *
 * Context: on that CPU, or it is offline; interrupts off; lists are kept, and the reader keeps them
 * unchanged until all have settled.
 * Return: number of nodes added, if all but @except are settled.  If it is at most @few, the next
 * call starts with all again, otherwise with those that come meanwhile.  -1: there are more.
 */
int evtlog_profile_list_settle(unsigned int cpu, struct evtlog_profile *except, int most, int few)
{
	struct evtlog_profile_list *list = per_cpu_ptr(lists, cpu);
	bool has_except = false, is_all;
	struct evtlog_profile *p;
	unsigned int i;
	int nodes = 0;

	while (nodes < most && !list_empty(&list->profiles)) {
		p = list_first_entry(&list->profiles, struct evtlog_profile, list);
		if (p == except) {
			list_del(&p->list);
			has_except = true;
			continue;
		}
		list_move_tail(&p->list, &list->settled);
		nodes++;
		for (i = 0; i < EVTLOG_PROFILE_CHANGED; i++)
			nodes += hweight64(p->changed[i]);
		evtlog_profile_leave_cpu(p);
	}
	is_all = list_empty(&list->profiles);
	if (is_all && nodes <= few)
		list_splice_init(&list->settled, &list->profiles);
	if (has_except)
		list_add_tail(&except->list, &list->profiles);
	return is_all ? nodes : -1;
}

static int __init lists_init(void)
{
	unsigned int cpu;

	lists = alloc_percpu(struct evtlog_profile_list);
	if (!lists)
		panic("evtlog: no memory for the lists of profiles");
	for_each_possible_cpu(cpu) {
		struct evtlog_profile_list *list = per_cpu_ptr(lists, cpu);

		raw_spin_lock_init(&list->lock);
		INIT_LIST_HEAD(&list->profiles);
		INIT_LIST_HEAD(&list->settled);
	}
	return 0;
}
early_initcall(lists_init);
