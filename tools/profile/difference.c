// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a profile has more than the one before.
 */
#include <errno.h>
#include <stdlib.h>

#include "profile/difference.h"
#include "profile/profile.h"

static int by_task(const void *a, const void *b)
{
	const struct profile_entry *one = *(const struct profile_entry *const *)a;
	const struct profile_entry *two = *(const struct profile_entry *const *)b;

	if (one->head.cpu != two->head.cpu)
		return one->head.cpu < two->head.cpu ? -1 : 1;
	if (one->head.pid != two->head.pid)
		return one->head.pid < two->head.pid ? -1 : 1;
	return one->head.begin < two->head.begin ? -1 : one->head.begin > two->head.begin;
}

int profile_find_before(const struct profile *profile, const struct profile *before,
			const struct profile_entry **found)
{
	const struct profile_entry **sorted = calloc(before->count + 1, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < before->count; i++)
		sorted[i] = &before->at[i];
	qsort(sorted, before->count, sizeof(*sorted), by_task);
	for (size_t i = 0; i < profile->count; i++) {
		const struct profile_entry *entry = &profile->at[i];
		const struct profile_entry **old = bsearch(&entry, sorted, before->count,
							    sizeof(*sorted), by_task);

		found[i] = old ? *old : NULL;
	}
	free(sorted);
	return 0;
}

/* Entries of a difference are those of @now, in their order. */
static void mark(struct profile *difference, const struct profile *now)
{
	for (size_t i = 0; i < now->count; i++) {
		difference->at[i].parent = now->at[i].parent;
		difference->at[i].missed = now->at[i].missed;
		difference->at[i].is_wanted = now->at[i].is_wanted;
		/* One that has ended is, also if the earlier reading has it. */
		difference->at[i].head.ended = now->at[i].head.ended;
	}
}

int profile_difference(const struct profile *now, const struct profile *before,
		       struct profile *difference)
{
	struct evtlog_profile *later = NULL, *earlier = NULL, *loaded;
	int error = profile_give(now, &later);

	if (!error)
		error = profile_give(before, &earlier);
	if (!error)
		error = evtlog_profile_diff(later, earlier, &loaded);
	if (!error)
		error = profile_take(difference, loaded);
	if (!error)
		mark(difference, now);
	evtlog_profile_free(later);
	evtlog_profile_free(earlier);
	return error;
}
