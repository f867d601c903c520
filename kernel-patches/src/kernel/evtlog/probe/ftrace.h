/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Direct calls from ftrace's sites, many at once; in ftrace_batch.h.
 */
#ifndef EVTLOG_PROBE_FTRACE_H
#define EVTLOG_PROBE_FTRACE_H

#include <linux/types.h>

/**
 * evtlog_ftrace_add() - have functions call stubs
 * @ips:	their sites, as of ftrace_location(), each once
 * @targets:	the stubs
 * @nr:		of both
 * @failed:	on error, the first that could not; @nr: none in particular
 * @retired:	on error, room for @nr pointers, zeroed: what to kfree() once rcu tasks
 *		have passed
 *
 * Context: task context; sleeps.
 * Return: 0; -EBUSY a site has a direct call already, or a function is live-patched; -ENOMEM, or
 * another error of ftrace's: no function calls anything.
 */
int evtlog_ftrace_add(unsigned long *ips, const unsigned long *targets, unsigned int nr,
		      unsigned int *failed, void **retired);

/**
 * evtlog_ftrace_remove() - have them call nothing any more
 * @ips:	sites that were added
 * @nr:		of them
 * @retired:	room for @nr pointers, zeroed: as above
 *
 * Calls that are under way go on.
 *
 * Context: task context; sleeps.
 * Return: 0; -ENODEV, or another error of ftrace's: ftrace is disabled, which ftrace_kill() and
 * each of its own warnings does until the next boot, and the functions may go on calling the stubs.
 */
int evtlog_ftrace_remove(unsigned long *ips, unsigned int nr, void **retired);

/** evtlog_ftrace_is_disabled() - has ftrace found a fault, so that it changes no function any more? */
bool evtlog_ftrace_is_disabled(void);

#endif /* EVTLOG_PROBE_FTRACE_H */
