/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kinds of time a profile has.
 */
#ifndef EVTLOG_PROFILE_SUM_H
#define EVTLOG_PROFILE_SUM_H

#include <stdint.h>

struct profile_entry;

/* What a task's time is, and what a CPU's is besides. */
enum profile_kind {
	PROFILE_USER,
	PROFILE_KERNEL,
	PROFILE_TASK,		/* user mode or the kernel, which were not told apart */
	PROFILE_RUNQUEUE,
	PROFILE_PREEMPTED,
	PROFILE_INTERRUPTIBLE,
	PROFILE_UNINTERRUPTIBLE,
	PROFILE_IO,
	PROFILE_STOPPED,
	PROFILE_WAITING,
	PROFILE_IDLE,
	PROFILE_KINDS,
};

/** profile_kind_of() - of the time in an event; all that is no other is the kernel's */
enum profile_kind profile_kind_of(const char *event);

/** profile_kinds_of() - exclusive ticks of an entry by kind */
void profile_kinds_of(const struct profile_entry *entry, uint64_t ticks[PROFILE_KINDS]);

/* ---- Differences of profiles ---- */

struct profile;
struct profile_entry;

/**
 * profile_difference() - what each task and CPU has more than before, by evtlog_profile_diff()
 * @now:	the later reading
 * @before:	an earlier one; tasks that are not in it are new
 * @difference:	entries of @now, in their order, and marked as they are; free with profile_free()
 *
 * Returns 0, -ENOMEM, or -EINVAL: they are of different clocks.
 */
int profile_difference(const struct profile *now, const struct profile *before,
		       struct profile *difference);

/**
 * profile_find_before() - the same tasks and CPUs in an earlier reading
 * @found:	for each entry of @profile, one of @before or NULL
 *
 * Returns 0 or -ENOMEM.
 */
int profile_find_before(const struct profile *profile, const struct profile *before,
			const struct profile_entry **found);

#endif /* EVTLOG_PROFILE_SUM_H */
