// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two threads of boosts that belong to no CPU, and the timer that wakes them.
 *
 * boost/boost.c sets the timer.  The finder gives the remaining members of a group to the CPUs'
 * threads, and reports; the keeper gives all tasks their policies back.
 *
 * The finder may wait for locks as long as the boost lasts.  It holds nothing that the keeper
 * needs; the keeper looks up no cgroup and takes no sleeping lock.
 */
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/lockdep.h>
#include <linux/sched.h>

#include "boost/state.h"
#include "boost/task.h"

/* Time from a command to the finder's last visit */
#define SWEEP_NS	200000

/* @ringing: there is work to do */
struct helper {
	bool ringing;
	struct task_struct *task;
};

static struct helper keeper, finder;

/* True: the finder's first visit for this command is next. */
static bool finder_spreads;

/* Wakes the finder and the keeper */
static struct hrtimer boost_timer;

static void wake_helper(struct helper *helper)
{
	WRITE_ONCE(helper->ringing, true);
	wake_up_process(helper->task);
}

/* Wakes the finder, twice, and then the keeper. */
static enum hrtimer_restart ring(struct hrtimer *timer)
{
	ktime_t now = ktime_get(), next;
	bool for_finder, for_keeper;
	unsigned long flags;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	next = evtlog_boost.ends;
	for_keeper = !evtlog_boost.command || !ktime_before(now, next);
	/* Also when the time is over, because the finder must report. */
	for_finder = evtlog_boost.finding;
	if (!for_keeper) {
		if (evtlog_boost.resting &&
		    ktime_before(ktime_add_ns(now, SWEEP_NS - EVTLOG_BOOST_REST_NS), next))
			next = ktime_add_ns(now, SWEEP_NS - EVTLOG_BOOST_REST_NS);
		hrtimer_start(timer, next, HRTIMER_MODE_ABS_HARD);
	}
	WRITE_ONCE(finder_spreads, evtlog_boost.resting && !for_keeper);
	evtlog_boost.resting = false;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	if (for_keeper)
		wake_helper(&keeper);
	if (for_finder)
		wake_helper(&finder);
	return HRTIMER_NORESTART;
}

/* Calls back for the command whose members are being found, with the result. */
static void report(int error)
{
	struct evtlog_boost_request request;
	unsigned long flags;
	unsigned int tasks;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	evtlog_boost.finding = false;
	evtlog_boost.counts.skipped += evtlog_boost.limited;
	evtlog_boost.limited = 0;
	request = evtlog_boost.request;
	if (!error)
		error = evtlog_boost.error;
	tasks = evtlog_boost.held;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	if (request.done)
		request.done(request.request, error, tasks,
			     evtlog_boost_throttles(request.duration_ns));
}

/* Returns true if all tasks are in the required state, or the command has ended. */
static bool all_is_applied(void)
{
	unsigned long flags;
	bool applied;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	applied = !evtlog_boost.command || !evtlog_boost.busy;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	return applied;
}

static void find(void)
{
	struct evtlog_boost_request request;
	ktime_t pause = SWEEP_NS;
	unsigned long flags;
	bool finding, spread;
	u64 newest;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	newest = evtlog_boost.newest;
	finding = evtlog_boost.finding;
	request = evtlog_boost.request;
	spread = finder_spreads;
	finder_spreads = false;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	if (!finding)
		return;
	if (spread) {
		evtlog_boost_apply_group(&request, newest, EVTLOG_BOOST_SPREAD,
					  EVTLOG_BOOST_NO_CPU, false);
		return;
	}

	/* Even if the time is over: finds out if there is such a group. */
	evtlog_boost_apply_group(&request, newest, EVTLOG_BOOST_ALL, EVTLOG_BOOST_NO_CPU,
				  false);
	evtlog_boost_give_back(EVTLOG_BOOST_NO_CPU);
	while (!all_is_applied()) {
		if (kthread_should_stop())
			return;
		set_current_state(TASK_IDLE);
		schedule_hrtimeout(&pause, HRTIMER_MODE_REL);
	}
	report(0);
}

/* Returns true if @helper has work to do, false if it must end. */
static bool wait_to_help(struct helper *helper)
{
	for (;;) {
		set_current_state(TASK_IDLE);
		if (kthread_should_stop() || xchg(&helper->ringing, false))
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return !kthread_should_stop();
}

static int find_members(void *unused)
{
	evtlog_boost_become_fifo();
	while (wait_to_help(&finder))
		find();
	if (evtlog_boost.finding)
		report(-ECANCELED);
	return 0;
}

static void end_in_time(void)
{
	struct evtlog_boost_request request;
	unsigned long flags;
	bool finding;
	u64 newest;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	if (!ktime_before(ktime_get(), evtlog_boost.ends))
		evtlog_boost.command = 0;
	newest = evtlog_boost.newest;
	finding = evtlog_boost.finding;
	request = evtlog_boost.request;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	/* The time was too short to look for members: tasks boosted already still count. */
	if (finding && request.group_kind != EVTLOG_REMOTE_CGROUP)
		evtlog_boost_apply_group(&request, newest, EVTLOG_BOOST_ALL,
					  EVTLOG_BOOST_NO_CPU, false);
	evtlog_boost_give_back(EVTLOG_BOOST_NO_CPU);
}

static int keep(void *unused)
{
	evtlog_boost_become_fifo();
	while (wait_to_help(&keeper))
		end_in_time();
	evtlog_boost_give_back(EVTLOG_BOOST_NO_CPU);
	return 0;
}

static int start_helper(struct helper *helper, int (*body)(void *), const char *name)
{
	helper->ringing = false;
	helper->task = kthread_run(body, NULL, "%s", name);
	return PTR_ERR_OR_ZERO(helper->task);
}

/**
 * evtlog_boost_helpers_open() - set up the timer and start the threads
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int evtlog_boost_helpers_open(void)
{
	int error;

	hrtimer_init(&boost_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
	boost_timer.function = ring;
	error = start_helper(&keeper, keep, "evtlog_boost");
	if (error)
		return error;
	error = start_helper(&finder, find_members, "evtlog_finder");
	if (error)
		kthread_stop(keeper.task);
	return error;
}

/**
 * evtlog_boost_helpers_close() - cancel the timer and end both threads
 *
 * Context: may sleep; all tasks have their policies back.
 */
void evtlog_boost_helpers_close(void)
{
	hrtimer_cancel(&boost_timer);
	kthread_stop(finder.task);
	kthread_stop(keeper.task);
}

/**
 * evtlog_boost_ring_at() - set the time at which the threads check for work
 * @when:	CLOCK_MONOTONIC; replaces the previous time
 *
 * Context: evtlog_boost.lock is held.
 */
void evtlog_boost_ring_at(ktime_t when)
{
	lockdep_assert_held(&evtlog_boost.lock);
	hrtimer_start(&boost_timer, when, HRTIMER_MODE_ABS_HARD);
}
