/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences of profiles.
 */
#ifndef EVTLOG_PROFILE_DIFFERENCE_H
#define EVTLOG_PROFILE_DIFFERENCE_H

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

#endif /* EVTLOG_PROFILE_DIFFERENCE_H */
