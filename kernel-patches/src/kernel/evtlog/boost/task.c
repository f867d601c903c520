// SPDX-License-Identifier: GPL-2.0-only
/*
 * The policy of one task: changed, given back, and not inherited by its children.
 *
 * boost/apply.c calls this for each member of a group, and decides which tasks and how long.
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
 * evtlog_boost_policy_may() - return true if a task of this policy can be boosted and restored
 * @policy:	its present policy
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
 * evtlog_boost_task_may() - return true if a task is to be boosted
 *
 * Excluded are kernel threads, tasks with a deadline, with the boost's priority or more, and tasks
 * that are ending or not complete yet.
 */
bool evtlog_boost_task_may(const struct task_struct *task)
{
	struct evtlog_policy now;

	/* The task changes other flags itself, for example when it ends; this flag stays. */
	if (data_race(task->flags) & PF_KTHREAD || data_race(task->exit_state) ||
	    READ_ONCE(task->__state) == TASK_NEW)
		return false;
	evtlog_boost_task_policy(task, &now);
	return evtlog_boost_policy_may(&now);
}

/**
 * evtlog_boost_task_is_limited() - return true if a boost could kill the task
 *
 * RLIMIT_RTTIME kills a process that runs longer than this without sleeping, under a real-time
 * policy.  The limit was not set for the policy of a boost.
 */
bool evtlog_boost_task_is_limited(const struct task_struct *task)
{
	return task_rlimit(task, RLIMIT_RTTIME) != RLIM_INFINITY;
}

/**
 * evtlog_boost_task_policy() - read a task's policy
 * @now:	filled in
 */
void evtlog_boost_task_policy(const struct task_struct *task,
			      struct evtlog_policy *now)
{
	/* A bit field of the scheduler; boost/policy.c notices its changes. */
	now->reset_on_fork = data_race(task->sched_reset_on_fork);
	now->policy = READ_ONCE(task->policy);
	now->rt_priority = READ_ONCE(task->rt_priority);
	now->timer_slack_ns = READ_ONCE(task->timer_slack_ns);
}

/**
 * evtlog_boost_throttles() - return true if a boost can cause real-time throttling of its group
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
 * If groups have their own real-time budgets, a task whose group has none would not run at all:
 * there the function with checks is called, which refuses.
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
 * evtlog_boost_task_renew() - record that another command also holds a boosted task
 * @request:	number of the command
 */
void evtlog_boost_task_renew(struct task_struct *task, u32 request)
{
	if (evtlog_hook_on(remote_boost))
		write_record(EVTLOG_REMOTE_BOOST, task, request);
}

/**
 * evtlog_boost_task_begin() - give a task the boost's priority
 * @request:	number of the command
 *
 * Context: task context, interrupts on; follows the chain of priority inheritance.
 * Return: 0; -EPERM: its control group has no real-time budget.
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
 * @task:	has the policy of @before, again or for the first time
 * @before:	what the task gets back
 */
void evtlog_boost_task_restore_slack(struct task_struct *task,
				     const struct evtlog_policy *before)
{
	/* The scheduler gives a task the default slack, not the previous one. */
	if (!rt_policy(before->policy) &&
	    READ_ONCE(task->timer_slack_ns) == READ_ONCE(task->default_timer_slack_ns))
		WRITE_ONCE(task->timer_slack_ns, before->timer_slack_ns);
}

/**
 * evtlog_boost_task_end() - give a task its policy back
 * @before:	the policy
 *
 * The nice value is always the task's own: a change meanwhile stays.
 *
 * Context: as evtlog_boost_task_begin().
 * Return: true if the task got it; false: the task has ended, or cannot have this policy any more.
 */
bool evtlog_boost_task_end(struct task_struct *task, const struct evtlog_policy *before)
{
	bool given = true;

	/* A task that is just ending takes its policy with it. */
	if (data_race(task->exit_state))
		return false;
	/* If the task cannot have this policy any more, at least it loses the boost's. */
	if (set_policy(task, before->policy, before->rt_priority, before->reset_on_fork))
		given = !set_policy(task, SCHED_NORMAL, 0, false);
	evtlog_boost_task_restore_slack(task, before);
	return given;
}

/**
 * evtlog_boost_task_ended() - record that a command does not hold a task any more
 * @request:	number of the command
 */
void evtlog_boost_task_ended(struct task_struct *task, u32 request)
{
	if (evtlog_hook_on(remote_unboost))
		write_record(EVTLOG_REMOTE_UNBOOST, task, request);
}

/* Changes a parent's policy and nice value to its child's, as sched_fork() does. */
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
 * evtlog_boost_task_inherit() - give a new task the policy that it would have without boosts
 * @child:	of current; not yet running
 * @want:	policy of current without a boost; changed to the policy of @child.  A boost of
 *		current may have been copied to @child
 *
 * Children of a boosted task begin without its policy, because it has SCHED_RESET_ON_FORK.  But if
 * the boost began between the copy and sched_fork(), the child has the boost's priority with the
 * previous policy, and setting this policy would not count as a change.
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
