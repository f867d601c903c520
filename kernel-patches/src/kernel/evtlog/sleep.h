/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sleeps of the machine, which the tick counter does not survive.
 */
#ifndef EVTLOG_SLEEP_H
#define EVTLOG_SLEEP_H

#include <linux/suspend.h>
#include <linux/types.h>

/* Of a PM notifier's actions: it is about to sleep, or to go on as another kernel. */
static inline bool evtlog_sleep_comes(unsigned long action)
{
	return action == PM_SUSPEND_PREPARE || action == PM_HIBERNATION_PREPARE ||
	       action == PM_RESTORE_PREPARE;
}

#endif /* EVTLOG_SLEEP_H */
