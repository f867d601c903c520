/* SPDX-License-Identifier: GPL-2.0-only */
/* NMIs that interrupted user mode.  They are recorded when user mode is left. */
#ifndef EVTLOG_HOOKS_USER_H
#define EVTLOG_HOOKS_USER_H

#include <linux/percpu.h>
#include <linux/types.h>

/*
 * struct evtlog_user_nmis - NMIs from user mode on one CPU
 * @count:	number since the last USER_EXIT
 * @ticks:	time spent in them
 * @began:	begin of the last one, or of the current one
 *
 * Written only by NMIs from user mode, read only where user mode was left: these never interrupt
 * each other.  An NMI within an NMI comes from the kernel.
 */
struct evtlog_user_nmis {
	u32 count;
	u64 ticks;
	u64 began;
};

DECLARE_PER_CPU(struct evtlog_user_nmis, evtlog_user_nmis);

#endif /* EVTLOG_HOOKS_USER_H */
