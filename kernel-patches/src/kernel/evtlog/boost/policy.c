// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handles changes of policy by other tasks while a task is boosted.
 *
 * Called from __sched_setscheduler(), copy_process() and create_io_thread() through linux/evtlog.h.
 * It updates the policy that a boosted task gets back (evtlog_boosted.before), and changes no
 * policy.
 *
 * A boosted task has rights that only the boost gave it: with FIFO 48 it may lower its priority,
 * take SCHED_RR, or leave SCHED_IDLE.  So a change is allowed only if it is allowed without the
 * boost.  The scheduler's own check uses the policy of the boost.  So it is made again with the
 * policy that the task will get back, when the change is requested, with the rights of the
 * requesting task.  The boost sets reset-on-fork, which users may not clear; the scheduler's check
 * of this flag is skipped.  A change that passes is an ordinary one: it takes effect at once, and
 * the end of the boost keeps it.
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
 * The task's policy without boosts.  While no task is boosted, no lock is taken: the policy was
 * read outside a boost if there was no entry before, and no entry was added until after the read.
 */
static void true_policy(struct task_struct *task, struct evtlog_policy *policy)
{
	u64 adds = READ_ONCE(evtlog_boosts.adds);
	struct evtlog_boosted *entry;
	unsigned long flags;

	/* Pairs with the one in evtlog_boost_table_add(). */
	smp_rmb();
	if (!READ_ONCE(evtlog_boosts.count)) {
		/* Policies are given back before the entry is removed. */
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
 * evtlog_boost_policy_needs_right() - return true if a change of policy needs CAP_SYS_NICE
 * @now:	present policy of the task
 * @policy:	requested policy; -1: unchanged
 * @rt_priority: requested priority
 * @reset_on_fork: requested flag; ignored if only the priority changes
 * @most:	the task's RLIMIT_RTPRIO
 * @may_renice:	the task's RLIMIT_NICE allows its present nice value
 *
 * As user_check_sched_setscheduler(), without the parts that do not depend on @now.
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
 * __evtlog_setscheduler_is_boosted() - return true if a task's reset-on-fork may come from a boost
 * @task:	its policy is to change
 *
 * Then __evtlog_setscheduler_refuses() checks the right to clear the flag, if it is the task's own.
 * Also true for a task without the flag: it may be boosted before the scheduler checks.
 *
 * Context: the requesting task; no locks but RCU.
 */
bool __evtlog_setscheduler_is_boosted(struct task_struct *task)
{
	struct evtlog_boosted *entry;
	unsigned long flags;
	bool is_boosted;

	if (!READ_ONCE(evtlog_boosts.count)) {
		/* Policies are given back before the entry is removed. */
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
 * __evtlog_setscheduler_refuses() - return true if a change is allowed only because of a boost
 * @task:	its policy is to change
 * @attr:	requested policy; the scheduler's own check has passed
 *
 * The task may be boosted now, may have been when the scheduler checked, or may be soon.  If it is
 * not, this repeats the scheduler's own check.
 *
 * Context: the requesting task; no locks but RCU.
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
 * evtlog_boost_policy_learn() - note that another task changes a boosted task's policy
 * @entry:	of the task; set to the policy that it gets back
 * @policy:	requested policy; -1: unchanged
 * @rt_priority: requested priority
 * @reset_on_fork: requested flag
 * @slack_ns:	timer slack of a task that leaves a real-time policy
 */
void evtlog_boost_policy_learn(struct evtlog_boosted *entry, int policy,
			       unsigned int rt_priority, bool reset_on_fork, u64 slack_ns)
{
	struct evtlog_policy *before = &entry->before;

	entry->changes++;
	if (policy < 0) {
		/* It is the priority of the policy that the task gets back, not of the boost. */
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
 * @task:	it still has the old policy
 * @attr:	new policy
 *
 * Nothing can come between the change and the note of it, neither when a boost begins nor when
 * other tasks change the policy meanwhile.
 *
 * Context: @task's run queue is locked, interrupts are off.
 */
void __evtlog_setscheduler(struct task_struct *task, const struct sched_attr *attr)
{
	struct evtlog_boosted *entry;
	unsigned long flags;

	/*
	 * The boost's own change is made under the same lock, and while there is an entry.  If
	 * there is none, a boost that begins now finds the policy that is set here.
	 */
	if (!READ_ONCE(evtlog_boosts.count))
		return;
	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	entry = evtlog_boost_table_find(&evtlog_boosts, task);
	if (!entry || !entry->boosted)
		goto unlock;
	if (entry->by == current) {
		/* Changes until now belong to the policy before the boost. */
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
	 * If the child copied the boost's policy, its entry is visible here: the entry exists as
	 * long as a task has this policy, and changes only under the lock.
	 */
	smp_rmb();
	true_policy(current, &want);
	evtlog_boost_task_inherit(child, &want);
}
