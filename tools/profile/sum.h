/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums of profiles by kind of time, and their differences.
 */
#ifndef EVTLOG_PROFILE_SUM_H
#define EVTLOG_PROFILE_SUM_H

#include <stdint.h>

struct profile_entry;

/* Kinds of time of tasks, and of CPUs */
enum profile_kind {
	PROFILE_USER,
	PROFILE_KERNEL,
	PROFILE_TASK,		/* user mode or the kernel, not distinguished */
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

/** profile_kind_of() - the kind of the time in an event; PROFILE_KERNEL for all other events */
enum profile_kind profile_kind_of(const char *event);

/** profile_kinds_of() - sum the exclusive ticks of an entry by kind */
void profile_kinds_of(const struct profile_entry *entry, uint64_t ticks[PROFILE_KINDS]);

/* ---- Differences of profiles ---- */

struct profile;
struct profile_entry;

/**
 * profile_difference() - subtract an earlier reading from a later one, with evtlog_profile_diff()
 * @now:	the later reading
 * @before:	the earlier reading; tasks that are not in it are new
 * @difference:	entries of @now, in the same order, with marks; free with profile_free()
 *
 * Returns 0, -ENOMEM, or -EINVAL if the readings are of different clocks.
 */
int profile_difference(const struct profile *now, const struct profile *before,
		       struct profile *difference);

/**
 * profile_find_before() - find the same tasks and CPUs in an earlier reading
 * @found: for each entry of @profile, set to one of @before or NULL
 *
 * Returns 0 or -ENOMEM.
 */
int profile_find_before(const struct profile *profile, const struct profile *before,
			const struct profile_entry **found);

#endif /* EVTLOG_PROFILE_SUM_H */
