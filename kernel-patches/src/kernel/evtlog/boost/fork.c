// SPDX-License-Identifier: GPL-2.0-only
/*
 * The children of boosted tasks.
 *
 * Called from copy_process() and create_io_thread() through linux/evtlog.h.  Finds out what a
 * child is to have; boost/task.c gives it that.
 */
#include <linux/evtlog.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "boost/state.h"
#include "boost/task.h"

/**
 * __evtlog_boost_fork() - a new task must not owe its policy to a boost
 * @child:	of current; complete, not yet running
 *
 * While there was no command this is a look at a flag, and while nobody is boosted it takes
 * no lock.
 *
 * Context: current's, interrupts on.
 */
void __evtlog_boost_fork(struct task_struct *child)
{
	struct evtlog_policy before;
	struct evtlog_boosted *entry;
	unsigned long flags;
	bool boosted = false;

	if (!READ_ONCE(evtlog_boost.was_used) || !child->pid)
		return;
	/*
	 * A copy of our policy is seen with the entry that is there as long as anybody has
	 * it: with the lock that each change of the entry, before and after, is under.
	 */
	smp_rmb();
	if (READ_ONCE(evtlog_boosts.count)) {
		raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
		entry = evtlog_boost_table_find(&evtlog_boosts, current);
		boosted = entry && entry->boosted;
		if (boosted)
			before = entry->before;
		raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	}
	evtlog_boost_task_inherit(child, boosted ? &before : NULL);
}
