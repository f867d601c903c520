/* SPDX-License-Identifier: GPL-2.0-only */
/* Direct calls from ftrace's sites, many at once; implemented in ftrace_batch.h. */
#ifndef EVTLOG_PROBE_FTRACE_H
#define EVTLOG_PROBE_FTRACE_H

#include <linux/types.h>

/**
 * evtlog_ftrace_add() - make functions call stubs
 * @ips:	sites, as from ftrace_location(), without duplicates
 * @targets:	the stub for each site
 * @nr:		number of sites
 * @failed:	on error, index of the site that failed; @nr: no particular site
 * @retired:	on error, array of @nr pointers, zeroed by the caller: what to kfree() after rcu
 *		tasks
 *
 * Context: task context; sleeps.
 * Return: 0; -EBUSY if a site has a direct call already, or a function is live-patched; -ENOMEM or
 * another error of ftrace.  On error, no function calls its stub.
 */
int evtlog_ftrace_add(unsigned long *ips, const unsigned long *targets, unsigned int nr,
		      unsigned int *failed, void **retired);

/**
 * evtlog_ftrace_remove() - make functions stop calling stubs
 * @ips:	sites that were added
 * @nr:		number of sites
 * @retired:	array of @nr pointers, zeroed by the caller: what to kfree() after rcu tasks
 *
 * Calls in progress continue.
 *
 * Context: task context; sleeps.
 * Return: 0; -ENODEV or another error of ftrace.  On error, ftrace is disabled until the next boot,
 * by ftrace_kill() or one of ftrace's warnings, and the functions may call the stubs for ever.
 */
int evtlog_ftrace_remove(unsigned long *ips, unsigned int nr, void **retired);

/** evtlog_ftrace_is_disabled() - check whether ftrace found a fault and has stopped all changes */
bool evtlog_ftrace_is_disabled(void);

#endif /* EVTLOG_PROBE_FTRACE_H */
