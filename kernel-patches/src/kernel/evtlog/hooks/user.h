/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NMIs that came while user mode ran, which are told where it is left.
 */
#ifndef EVTLOG_HOOKS_USER_H
#define EVTLOG_HOOKS_USER_H

#include <linux/percpu.h>
#include <linux/types.h>

/*
 * struct evtlog_user_nmis - of a CPU
 * @count:	since the last USER_EXIT
 * @ticks:	spent in them
 * @began:	when the last, or the current, did
 *
 * Written by NMIs from user mode alone, read where user mode was left: the two never
 * interrupt each other.  An NMI within an NMI comes from the kernel.
 */
struct evtlog_user_nmis {
	u32 count;
	u64 ticks;
	u64 began;
};

DECLARE_PER_CPU(struct evtlog_user_nmis, evtlog_user_nmis);

#endif /* EVTLOG_HOOKS_USER_H */
