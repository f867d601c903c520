/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences of profiles.
 */
#ifndef EVTLOG_PROFILE_DIFFERENCE_H
#define EVTLOG_PROFILE_DIFFERENCE_H

struct profile;
struct profile_entry;

/**
 * profile_subtract() - what each task and CPU has more than before
 * @profile:	changed: paths without anything new go; the largest stays that since its begin
 * @before:	an earlier reading; tasks that are not in it are new
 *
 * What a CPU has less than before, since a task moved while it was read, is 0.
 * A task is known by its number and its begin.  Returns 0 or -ENOMEM.
 */
int profile_subtract(struct profile *profile, const struct profile *before);

/**
 * profile_find_before() - the same tasks and CPUs in an earlier reading
 * @found:	for each entry of @profile, one of @before or NULL
 *
 * Returns 0 or -ENOMEM.
 */
int profile_find_before(const struct profile *profile, const struct profile *before,
			const struct profile_entry **found);

/** profile_copy() - the same with entries of its own, and @from's strings; 0 or -ENOMEM */
int profile_copy(const struct profile *from, struct profile *to);

#endif /* EVTLOG_PROFILE_DIFFERENCE_H */
