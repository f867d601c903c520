// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads all clocks together, so that ticks can be converted to time later.
 *
 * Called when a buffer is opened or closed, possibly under a run-queue lock.  Uses only the
 * kernel's NMI-safe clock readers, which never wait.
 */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
/* User-mode Linux has the counter, but no information about it. */
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)
#define KERNEL_KNOWS_TSC
#include <asm/tsc.h>
#endif

#include "clock.h"

/* Clocks that were read further apart are read again; number of readings, at most */
#define WIDE_US		5
#define READINGS	3

static void read_once(struct evtlog_clock_set *set)
{
	u64 before, after, raw, real, tai;

	/* The clock readers intentionally read data that may change, and then check it. */
	before = evtlog_ticks64();
	raw = data_race(ktime_get_raw_fast_ns());
	real = data_race(ktime_get_real_fast_ns());
	after = evtlog_ticks64();
	tai = data_race(ktime_get_tai_fast_ns());

	set->ticks = before;
	set->width_ticks = min_t(u64, after - before, U32_MAX);
	/* @tai was read less than half a second later. */
	set->tai_offset_s = div_s64((s64)(tai - real) + NSEC_PER_SEC / 2,
				    NSEC_PER_SEC);
	set->raw_ns = raw;
	set->real_ns = real;
}

/**
 * evtlog_clock_set_read() - read all clocks once
 * @set:	filled in; @set->width_ticks is the largest distance of the readings
 *
 * A hypervisor, an NMI or cold caches may delay a reading.  The narrowest of several is used.
 *
 * Context: any, interrupts off.
 */
void evtlog_clock_set_read(struct evtlog_clock_set *set)
{
	u64 wide = div_u64(evtlog_ticks_hz(), USEC_PER_SEC / WIDE_US);
	struct evtlog_clock_set again;
	unsigned int left;

	read_once(set);
	for (left = READINGS - 1; left && wide && set->width_ticks > wide; left--) {
		read_once(&again);
		if (again.width_ticks < set->width_ticks)
			*set = again;
	}
}

/**
 * evtlog_ticks_hz() - return the nominal rate of the counter
 *
 * Context: any.
 * Return: Hz, 0 if unknown.
 */
u64 evtlog_ticks_hz(void)
{
#ifdef KERNEL_KNOWS_TSC
	return (u64)tsc_khz * 1000;
#else
	return 0;
#endif
}

/**
 * evtlog_ticks_trusted() - return true if the kernel trusts the counter as a clock
 *
 * Context: any.
 */
bool evtlog_ticks_trusted(void)
{
#ifdef KERNEL_KNOWS_TSC
	return !check_tsc_unstable();
#else
	return false;
#endif
}
