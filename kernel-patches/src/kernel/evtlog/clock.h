/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tick counter that stamps records, and the clocks that it is compared with.
 *
 * The ring reads them for every record and every buffer header.
 */
#ifndef EVTLOG_CLOCK_H
#define EVTLOG_CLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <uapi/linux/evtlog.h>

#if defined(__x86_64__)
/**
 * evtlog_ticks() - read the CPU's tick counter
 * @low, @high:	set to its two halves
 *
 * Not ordered with respect to other loads: a fence would cost more than the record, and the error
 * is smaller than the instruction itself (Intel SDM vol. 2, RDTSC).
 */
static __always_inline void evtlog_ticks(u32 *low, u32 *high)
{
	asm volatile("rdtsc" : "=a" (*low), "=d" (*high));
}
#else
#include <linux/timex.h>

static __always_inline void evtlog_ticks(u32 *low, u32 *high)
{
	u64 ticks = get_cycles();

	*low = (u32)ticks;
	*high = (u32)(ticks >> 32);
}
#endif

static __always_inline u64 evtlog_ticks64(void)
{
	u32 low, high;

	evtlog_ticks(&low, &high);
	return (u64)high << 32 | low;
}

void evtlog_clock_set_read(struct evtlog_clock_set *set);
u64 evtlog_ticks_hz(void);
bool evtlog_ticks_trusted(void);

#endif /* EVTLOG_CLOCK_H */
