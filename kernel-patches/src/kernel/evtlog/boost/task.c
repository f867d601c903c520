// SPDX-License-Identifier: GPL-2.0-only
/*
 * One task's policy: taken, given back, and kept from its children.
 *
 * Called by boost/apply.c for each member of a group.  It does not know why, or for
 * how long.
 */
#include <linux/evtlog.h>
#include <linux/sched/cputime.h>
#include <linux/sched/signal.h>
#include <uapi/linux/sched/types.h>

#include "../sched/sched.h"
#include "boost/task.h"
#include "outside.h"
#include "ring.h"

/**
 * evtlog_boost_policy_may() - can what we give be taken back from a task of this policy?
 * @policy:	what it has
 *
 * Context: any.
 */
bool evtlog_boost_policy_may(const struct evtlog_policy *policy)
{
	return policy->policy != SCHED_DEADLINE &&
	       (!rt_policy(policy->policy) ||
		policy->rt_priority < EVTLOG_BOOST_PRIORITY);
}

/**
 * evtlog_boost_task_may() - is this a task to be boosted?
 *
 * Not a kernel thread, one with a deadline, one that has our priority or more, nor
 * one that ends or is not yet whole.
 */
bool evtlog_boost_task_may(const struct task_struct *task)
{
	struct evtlog_policy now;

	/* The task changes other flags of its own, as when it ends; this one it keeps. */
	if (data_race(task->flags) & PF_KTHREAD || data_race(task->exit_state) ||
	    READ_ONCE(task->__state) == TASK_NEW)
		return false;
	evtlog_boost_task_policy(task, &now);
	return evtlog_boost_policy_may(&now);
}

/**
 * evtlog_boost_task_is_limited() - would a boost kill the task?
 *
 * RLIMIT_RTTIME ends a process that runs for longer than that under a real-time policy
 * without sleeping.  Who set it did not mean ours.
 */
bool evtlog_boost_task_is_limited(const struct task_struct *task)
{
	return task_rlimit(task, RLIMIT_RTTIME) != RLIM_INFINITY;
}

/**
 * evtlog_boost_task_policy() - look up a task's policy
 * @now:	filled in
 */
void evtlog_boost_task_policy(const struct task_struct *task,
			      struct evtlog_policy *now)
{
	/* A bit beside others of the scheduler's; its changes are heard (boost/policy.c). */
	now->reset_on_fork = data_race(task->sched_reset_on_fork);
	now->policy = READ_ONCE(task->policy);
	now->rt_priority = READ_ONCE(task->rt_priority);
	now->timer_slack_ns = READ_ONCE(task->timer_slack_ns);
}

/**
 * evtlog_boost_throttles() - can a group be throttled by its boost?
 * @duration_ns: of the boost
 *
 * Context: any.
 */
bool evtlog_boost_throttles(u64 duration_ns)
{
	u64 share = global_rt_runtime();

	return share < global_rt_period() && duration_ns > share;
}

static int set_policy(struct task_struct *task, int policy, int rt_priority,
		      bool reset_on_fork)
{
	struct sched_param param = { .sched_priority = rt_priority };

	if (reset_on_fork)
		policy |= SCHED_RESET_ON_FORK;
	return sched_setscheduler_nocheck(task, policy, &param);
}

/*
 * Where groups have real-time budgets of their own, a task whose group has none
 * would not run at all: there the scheduler is asked, and refuses.
 */
static int set_our_policy(struct task_struct *task)
{
	struct sched_param param = { .sched_priority = EVTLOG_BOOST_PRIORITY };

	if (IS_ENABLED(CONFIG_RT_GROUP_SCHED))
		return sched_setscheduler(task, SCHED_FIFO | SCHED_RESET_ON_FORK,
					  &param);
	return sched_setscheduler_nocheck(task, SCHED_FIFO | SCHED_RESET_ON_FORK,
					  &param);
}

static void write_record(u32 type, const struct task_struct *task, u32 request)
{
	unsigned long flags;
	u64 *record;

	if (evtlog_is_outside(task))
		return;
	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(EVTLOG_TAG(type, task->pid), 2);
	if (record)
		record[1] = request | (u64)(u32)READ_ONCE(task->prio) << 32;
	raw_local_irq_restore(flags);
}

/**
 * evtlog_boost_task_renew() - record that another command holds a boosted task, too
 * @request:	the command's number
 */
void evtlog_boost_task_renew(struct task_struct *task, u32 request)
{
	if (evtlog_hook_on(remote_boost))
		write_record(EVTLOG_REMOTE_BOOST, task, request);
}

/**
 * evtlog_boost_task_begin() - give a task our priority
 * @request:	whose sake it is for
 *
 * Context: task context, interrupts on; follows the chain of priority inheritance.
 * Return: 0; -EPERM its control group has no real-time budget.
 */
int evtlog_boost_task_begin(struct task_struct *task, u32 request)
{
	int error = set_our_policy(task);

	if (!error)
		evtlog_boost_task_renew(task, request);
	return error;
}

/**
 * evtlog_boost_task_restore_slack() - give a task its timer slack back
 * @task:	it; has the policy of @before again, or for the first time
 * @before:	what it gets back
 */
void evtlog_boost_task_restore_slack(struct task_struct *task,
				     const struct evtlog_policy *before)
{
	/* The scheduler gives a task the default back, not what it had. */
	if (!rt_policy(before->policy) &&
	    READ_ONCE(task->timer_slack_ns) == READ_ONCE(task->default_timer_slack_ns))
		WRITE_ONCE(task->timer_slack_ns, before->timer_slack_ns);
}

/**
 * evtlog_boost_task_end() - give a task its policy back
 * @before:	what it gets
 *
 * Nice is the task's own all the while: what it was set to meanwhile, it keeps.
 *
 * Context: as evtlog_boost_task_begin().
 * Return: whether it got it; false: it has ended, or cannot have it any more.
 */
bool evtlog_boost_task_end(struct task_struct *task, const struct evtlog_policy *before)
{
	bool given = true;

	/* One that ends just now takes its policy with it. */
	if (data_race(task->exit_state))
		return false;
	/* Where it cannot have that any more, at least it has not ours. */
	if (set_policy(task, before->policy, before->rt_priority, before->reset_on_fork))
		given = !set_policy(task, SCHED_NORMAL, 0, false);
	evtlog_boost_task_restore_slack(task, before);
	return given;
}

/**
 * evtlog_boost_task_ended() - record that a command does not hold a task any more
 * @request:	the command's number
 */
void evtlog_boost_task_ended(struct task_struct *task, u32 request)
{
	if (evtlog_hook_on(remote_unboost))
		write_record(EVTLOG_REMOTE_UNBOOST, task, request);
}

/* What a child of a task with this policy and nice value has, as sched_fork() has it. */
static void policy_of_child(struct evtlog_policy *policy, int *nice)
{
	if (!policy->reset_on_fork)
		return;
	policy->reset_on_fork = false;
	if (rt_policy(policy->policy) || dl_policy(policy->policy)) {
		policy->policy = SCHED_NORMAL;
		policy->rt_priority = 0;
		*nice = 0;
	}
	*nice = max(*nice, 0);
}

/**
 * evtlog_boost_task_inherit() - a new task gets what it would have without boosts
 * @child:	of current; not yet running
 * @want:	policy of current without a boost; changed to that of @child.  A boost of current
 *		may have been copied to @child
 *
 * A boosted task's children begin with no policy at all, for it has SCHED_RESET_ON_FORK.
 * But one whose boost began between the copy and sched_fork() has given its child our
 * priority, under the policy of before: no change to that policy would be one.
 *
 * Context: current's, interrupts on.
 */
void evtlog_boost_task_inherit(struct task_struct *child, struct evtlog_policy *want)
{
	int nice = task_nice(current);

	policy_of_child(want, &nice);
	if (child->prio != child->normal_prio)
		set_policy(child, SCHED_FIFO, 1, false);
	if (child->policy != want->policy || task_nice(child) != nice ||
	    child->rt_priority != want->rt_priority) {
		set_user_nice(child, nice);
		set_policy(child, want->policy, want->rt_priority, false);
	}
	child->default_timer_slack_ns = want->timer_slack_ns;
	child->timer_slack_ns = want->timer_slack_ns;
}
