// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampler's thread: from one pass to the next.
 *
 * control.c starts and stops it.  The thread has the lowest real-time priority, so that it runs on
 * time even if all CPUs are busy.  After a pass it leaves its CPU for at least three times as long
 * as the pass ran, however short the interval is.  This is perf's limit for its interrupts, a
 * quarter of a CPU (perf_cpu_time_max_percent).
 */
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/cputime.h>

#include "sampler/sampler.h"

/* Shortest time before the next pass, in units of the thread's CPU time for a pass */
#define PAUSE_FACTOR	3

/* Owned by the thread while it exists, before that by control.c. */
static struct task_struct *thread;
static u64 interval_ns;
static struct sampler_events events;

static void sleep_until(u64 when_ns)
{
	ktime_t expires = ns_to_ktime(when_ns);

	set_current_state(TASK_INTERRUPTIBLE);
	if (!kthread_should_stop())
		schedule_hrtimeout_range(&expires, 0, HRTIMER_MODE_ABS);
	__set_current_state(TASK_RUNNING);
}

/* Returns the thread's CPU time since the last call; a pass includes its sleep and wake-up. */
static u64 take_cost_ns(void)
{
	static u64 before_ns;
	u64 now_ns = task_sched_runtime(current), cost_ns = now_ns - before_ns;

	before_ns = now_ns;
	return cost_ns;
}

/* Returns the next due time that can be met; @missed: number of due times before it. */
static u64 next_due(u64 due_ns, unsigned int *missed)
{
	u64 earliest_ns = ktime_get_ns() + PAUSE_FACTOR * take_cost_ns();

	due_ns += interval_ns;
	*missed = 0;
	if (due_ns < earliest_ns) {
		*missed = div64_u64(earliest_ns - due_ns + interval_ns - 1, interval_ns);
		due_ns += *missed * interval_ns;
	}
	return due_ns;
}

static void sample_by_timer(void)
{
	u64 due_ns = ktime_get_ns() + interval_ns;
	unsigned int missed = 0;

	for (;;) {
		sleep_until(due_ns);
		if (kthread_should_stop())
			return;
		sampler_pass(&events, missed);
		due_ns = next_due(due_ns, &missed);
	}
}

/*
 * For schedule_timeout(): 0 ends at the next tick, n at the tick that is n later.  A pass begins at
 * a tick; its CPU time is part of the period.
 */
static long ticks_to_pause(void)
{
	u64 cost_ns = max(take_cost_ns(), 1ULL);

	return DIV_ROUND_UP((1 + PAUSE_FACTOR) * cost_ns, TICK_NSEC) - 1 - cost_ns / TICK_NSEC;
}

/* With the kernel's timers, which run at the tick */
static void sample_by_tick(void)
{
	unsigned long last = jiffies, now;
	long pause = 0;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!kthread_should_stop())
			schedule_timeout(pause);
		__set_current_state(TASK_RUNNING);
		if (kthread_should_stop())
			return;
		now = jiffies;
		sampler_pass(&events, max(now - last, 1UL) - 1);
		last = now;
		pause = ticks_to_pause();
	}
}

static int run(void *unused)
{
	take_cost_ns();
	if (interval_ns)
		sample_by_timer();
	else
		sample_by_tick();
	return 0;
}

/**
 * sampler_thread_start() - start to sample
 * @settings:	contains the interval
 * @mask:	bits of trees, or EVTLOG_TREES_ALL
 * @ids:	ids that are registered until the stop
 *
 * Context: task context, may sleep; one caller at a time, and there is no thread.
 * Return: 0; -ENOMEM or another error of a thread: nothing is left.
 */
int sampler_thread_start(const struct sampler_settings *settings, u32 mask,
			 const struct sampler_events *ids)
{
	struct task_struct *task;
	int error;

	interval_ns = settings->interval_ns;
	events = *ids;
	task = kthread_create(run, NULL, "evtlog-sampler");
	if (IS_ERR(task))
		return PTR_ERR(task);
	error = sampler_members_open(mask);
	if (error) {
		kthread_stop(task);
		return error;
	}
	sched_set_fifo_low(task);
	thread = task;
	wake_up_process(task);
	return 0;
}

/**
 * sampler_thread_stop() - stop sampling, after a pass in progress
 *
 * Context: as for sampler_thread_start(), with or without a thread.
 */
void sampler_thread_stop(void)
{
	if (!thread)
		return;
	kthread_stop(thread);
	thread = NULL;
	sampler_members_close();
}

/**
 * sampler_thread_is_there() - check whether there is a thread
 *
 * Context: as for sampler_thread_start().
 */
bool sampler_thread_is_there(void)
{
	return thread;
}
