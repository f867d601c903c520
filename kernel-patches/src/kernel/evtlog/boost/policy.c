// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes of policy that others make while a task is boosted.
 *
 * Called from __sched_setscheduler(), copy_process() and create_io_thread() through linux/evtlog.h.  It keeps what a
 * boosted task gets back (evtlog_boosted.before) up to date, and changes no policy.
 *
 * A boosted task has rights that only the boost gave it: who has FIFO 48 may lower that to
 * any priority, or take SCHED_RR, or leave SCHED_IDLE.  So a change is allowed only
 * if it were without the boost, and the scheduler's own check, which sees the boost's
 * policy, is made again with the policy that the task will get back.  This is judged when
 * the change is asked for, by the rights of him who asks.  The boost's reset-on-fork, which users
 * may not take away, is passed over by the scheduler's check.  What passed is then an
 * ordinary change: it is in force at once, and the end of the boost leaves it.
 */
#define __evtlog_hook	/* see linux/evtlog.h */

#include <linux/capability.h>
#include <linux/evtlog.h>
#include <linux/sched.h>
#include <linux/sched/cputime.h>
#include <linux/sched/signal.h>
#include <uapi/linux/sched/types.h>

#include "../sched/sched.h"
#include "boost/state.h"
#include "boost/task.h"

/*
 * What the task has without boosts.  While no task is boosted, no lock is taken: what is read is of no
 * boost if there is none before and none is added until after the reading.
 */
static void true_policy(struct task_struct *task, struct evtlog_policy *policy)
{
	u64 adds = READ_ONCE(evtlog_boosts.adds);
	struct evtlog_boosted *entry;
	unsigned long flags;

	/* Pairs with the one in evtlog_boost_table_add(). */
	smp_rmb();
	if (!READ_ONCE(evtlog_boosts.count)) {
		/* Policies are given back before the entry goes. */
		smp_rmb();
		evtlog_boost_task_policy(task, policy);
		smp_rmb();
		if (READ_ONCE(evtlog_boosts.adds) == adds)
			return;
	}
	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	entry = evtlog_boost_table_find(&evtlog_boosts, task);
	if (entry && entry->boosted)
		*policy = entry->before;
	else
		evtlog_boost_task_policy(task, policy);
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
}

/**
 * evtlog_boost_policy_needs_right() - does it take CAP_SYS_NICE to change a policy so
 * @now:	what the task has
 * @policy:	what it is to have, -1: as now
 * @rt_priority: and its priority
 * @reset_on_fork: and whether its children begin anew; not asked for with a priority alone
 * @most:	the task's RLIMIT_RTPRIO
 * @may_renice:	the task's RLIMIT_NICE allows the nice value that it has
 *
 * As user_check_sched_setscheduler(), less what does not depend on @now.
 */
bool evtlog_boost_policy_needs_right(const struct evtlog_policy *now, int policy,
				     unsigned int rt_priority, bool reset_on_fork,
				     unsigned long most, bool may_renice)
{
	if (policy < 0)
		policy = now->policy;
	else if (now->reset_on_fork && !reset_on_fork)
		return true;
	/* sched_setparam() of a task that gets back a policy without priorities */
	if (!rt_policy(policy) && rt_priority)
		return true;
	if (rt_policy(policy)) {
		if (policy != now->policy && !most)
			return true;
		if (rt_priority > now->rt_priority && rt_priority > most)
			return true;
	}
	return idle_policy(now->policy) && !idle_policy(policy) && !may_renice;
}

/**
 * __evtlog_setscheduler_is_boosted() - may a task's reset-on-fork be a boost's
 * @task:	whose policy is to change
 *
 * Then __evtlog_setscheduler_refuses() asks for the right to take it away, if it is the task's.  So for
 * a task that has none, too: it may be boosted before the scheduler looks.
 *
 * Context: of him who asks for it; no locks but RCU.
 */
bool __evtlog_setscheduler_is_boosted(struct task_struct *task)
{
	struct evtlog_boosted *entry;
	unsigned long flags;
	bool is_boosted;

	if (!READ_ONCE(evtlog_boosts.count)) {
		/* Policies are given back before the entry goes. */
		smp_rmb();
		return !task->sched_reset_on_fork;
	}
	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	entry = evtlog_boost_table_find(&evtlog_boosts, task);
	is_boosted = (entry && entry->boosted) || !task->sched_reset_on_fork;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	return is_boosted;
}

/**
 * __evtlog_setscheduler_refuses() - is a change only allowed because of a boost
 * @task:	whose policy is to change
 * @attr:	to this; the scheduler's own check has passed
 *
 * The task may be boosted, have been when the scheduler checked, or be just before;
 * for one that is not this is the scheduler's own check, done twice.
 *
 * Context: of him who asks for it; no locks but RCU.
 */
bool __evtlog_setscheduler_refuses(struct task_struct *task,
				   const struct sched_attr *attr)
{
	bool reset_on_fork = attr->sched_flags & SCHED_FLAG_RESET_ON_FORK;
	struct evtlog_policy now;

	if (!READ_ONCE(evtlog_boost.was_used))
		return false;
	true_policy(task, &now);
	if (attr->sched_flags & SCHED_FLAG_KEEP_PARAMS)
		return (int)attr->sched_policy >= 0 && now.reset_on_fork && !reset_on_fork &&
		       !capable(CAP_SYS_NICE);
	return evtlog_boost_policy_needs_right(&now, (int)attr->sched_policy,
					       attr->sched_priority, reset_on_fork,
					       task_rlimit(task, RLIMIT_RTPRIO),
					       nice_to_rlimit(task_nice(task)) <=
					       task_rlimit(task, RLIMIT_NICE)) &&
	       !capable(CAP_SYS_NICE);
}

/**
 * evtlog_boost_policy_learn() - somebody changes a boosted task's policy
 * @entry:	the task's; gets what it will have then
 * @policy:	as it was asked for, -1: that which it has
 * @rt_priority: and its priority
 * @reset_on_fork: and whether its children begin anew
 * @slack_ns:	the timer slack of a task that leaves a real-time policy
 */
void evtlog_boost_policy_learn(struct evtlog_boosted *entry, int policy,
			       unsigned int rt_priority, bool reset_on_fork, u64 slack_ns)
{
	struct evtlog_policy *before = &entry->before;

	entry->changes++;
	if (policy < 0) {
		/* Of the policy it gets back, not of ours. */
		if (rt_policy(before->policy) && rt_priority)
			before->rt_priority = rt_priority;
		return;
	}
	before->policy = policy;
	before->rt_priority = rt_priority;
	before->reset_on_fork = reset_on_fork;
	if (rt_policy(policy))
		before->timer_slack_ns = slack_ns;
	entry->changed = true;
}

/**
 * __evtlog_setscheduler() - a task's policy changes now
 * @task:	whose; it still has the old one
 * @attr:	the new one
 *
 * Here nothing can come between the change and what is remembered of it, neither when a
 * boost begins nor when others change the task meanwhile.
 *
 * Context: @task's run queue is locked, interrupts are off.
 */
void __evtlog_setscheduler(struct task_struct *task, const struct sched_attr *attr)
{
	struct evtlog_boosted *entry;
	unsigned long flags;

	/*
	 * Our own change, which is made under the same lock, is made while there is an entry: without
	 * one what is changed here is what a boost that begins now finds.
	 */
	if (!READ_ONCE(evtlog_boosts.count))
		return;
	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	entry = evtlog_boost_table_find(&evtlog_boosts, task);
	if (!entry || !entry->boosted)
		goto unlock;
	if (entry->by == current) {
		/* What others changed until now is what the task had before. */
		if (entry->begins) {
			evtlog_boost_task_policy(task, &entry->before);
			entry->changed = false;
		}
		goto unlock;
	}
	if (attr->sched_flags & SCHED_FLAG_KEEP_PARAMS) {
		if ((int)attr->sched_policy >= 0)
			entry->before.reset_on_fork =
				attr->sched_flags & SCHED_FLAG_RESET_ON_FORK;
		goto unlock;
	}
	evtlog_boost_policy_learn(entry, (int)attr->sched_policy, attr->sched_priority,
				  attr->sched_flags & SCHED_FLAG_RESET_ON_FORK,
				  task->default_timer_slack_ns);
unlock:
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
}

/**
 * __evtlog_boost_fork() - give a new task the policy that it would have without a boost
 * @child:	of current; complete, not yet running
 *
 * Before the first boost command this only tests a flag.  It takes no lock while no task is
 * boosted.
 *
 * Context: current's, interrupts on.
 */
void __evtlog_boost_fork(struct task_struct *child)
{
	struct evtlog_policy want;

	if (!READ_ONCE(evtlog_boost.was_used) || !child->pid)
		return;
	/*
	 * A copy of our policy is seen with the entry that is there as long as anybody has
	 * it: with the lock that each change of the entry, before and after, is under.
	 */
	smp_rmb();
	true_policy(current, &want);
	evtlog_boost_task_inherit(child, &want);
}
