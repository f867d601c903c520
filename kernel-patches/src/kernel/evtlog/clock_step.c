// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the clocks before and after a step of CLOCK_REALTIME.
 *
 * Readers interpolate between clock sets, which are as far apart as the ends of a buffer.  So the
 * CPU on which settimeofday(2), adjtimex(2) or a leap second sets the clock ends its buffer with a
 * set from before the step, and begins the next buffer with a set from after it.  If no buffer is
 * free, these sets are missing, and the reader reports the step as clock error.
 */
#include <linux/ktime.h>
#include <linux/notifier.h>
#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>

#include "clock.h"
#include "clock_step.h"
#include "ring.h"

/* CLOCK_REALTIME - CLOCK_MONOTONIC at the last update; guarded by the timekeeper's lock */
static ktime_t offs_real;

/*
 * Called at each update of the clocks, before evtlog_clock_set_read() can see it.  The timekeeper's
 * lock is held, interrupts are off.
 */
static int clocks_updated(struct notifier_block *nb, unsigned long was_set, void *data)
{
	const struct timekeeper *tk = data;
	struct evtlog_clock_set before, after;
	s64 step;

	if (likely(!was_set))
		return NOTIFY_DONE;
	step = ktime_sub(tk->offs_real, offs_real);
	offs_real = tk->offs_real;
	if (!step)
		return NOTIFY_DONE;
	evtlog_clock_set_read(&before);
	evtlog_clock_set_read(&after);
	after.real_ns += step;
	after.tai_offset_s = tk->tai_offset;
	evtlog_ring_step(this_cpu_ptr(&evtlog_ring), &before, &after);
	return NOTIFY_DONE;
}

static struct notifier_block clocks_notifier = {
	.notifier_call = clocks_updated,
};

/**
 * evtlog_clock_step_init() - called once, while the kernel boots
 */
void __init evtlog_clock_step_init(void)
{
	pvclock_gtod_register_notifier(&clocks_notifier);
}

/* Undoes evtlog_clock_step_init(). */
void evtlog_clock_step_exit(void)
{
	pvclock_gtod_unregister_notifier(&clocks_notifier);
}
