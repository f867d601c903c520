/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tick counter from the test replaces the kernel's clock.h. It is included before the ring's
 * sources (-include) and has the guard of the kernel's header, which is then empty.
 */
#ifndef EVTLOG_CLOCK_H
#define EVTLOG_CLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <uapi/linux/evtlog.h>

/* The test defines it: one reading of this thread's counter */
u64 shim_ticks(void);

static __always_inline void evtlog_ticks(u32 *low, u32 *high)
{
	u64 ticks = shim_ticks();

	*low = (u32)ticks;
	*high = (u32)(ticks >> 32);
}

static __always_inline u64 evtlog_ticks64(void)
{
	return shim_ticks();
}

void evtlog_clock_set_read(struct evtlog_clock_set *set);
u64 evtlog_ticks_hz(void);
bool evtlog_ticks_trusted(void);

#endif /* EVTLOG_CLOCK_H */
