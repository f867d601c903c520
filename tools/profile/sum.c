// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums of profiles by path and by kind of time, and their differences.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "profile/sum.h"

static int by_text(const void *a, const void *b)
{
	const struct evtlog_profile_path *one = a, *two = b;

	return strcmp(one->path, two->path);
}

static void add(struct evtlog_profile_path *to, const struct evtlog_profile_path *path)
{
	to->count += path->count;
	to->inclusive += path->inclusive;
	to->exclusive += path->exclusive;
	if (path->largest > to->largest)
		to->largest = path->largest;
}

static void fold(struct profile_entry *sum)
{
	size_t kept = 0;

	qsort(sum->at, sum->count, sizeof(*sum->at), by_text);
	for (size_t i = 0; i < sum->count; i++) {
		if (kept && !strcmp(sum->at[kept - 1].path, sum->at[i].path))
			add(&sum->at[kept - 1], &sum->at[i]);
		else
			sum->at[kept++] = sum->at[i];
	}
	sum->count = kept;
}

int profile_sum(const struct profile *profile, struct profile_entry *sum)
{
	size_t count = 0;

	*sum = (struct profile_entry){ .head = { .cpu = -1, .comm = "all" } };
	for (size_t i = 0; i < profile->count; i++)
		count += profile->at[i].count;
	sum->at = calloc(count + 1, sizeof(*sum->at));
	if (!sum->at)
		return -ENOMEM;
	for (size_t i = 0; i < profile->count; i++) {
		const struct profile_entry *entry = &profile->at[i];

		if (entry->count)
			memcpy(sum->at + sum->count, entry->at, entry->count * sizeof(*sum->at));
		sum->count += entry->count;
		profile_values_add(&sum->values, &entry->values);
		sum->head.ended += entry->head.ended;
		sum->head.unmatched += entry->head.unmatched;
		sum->head.ahead += entry->head.ahead;
	}
	sum->capacity = count + 1;
	fold(sum);
	return 0;
}

static const char *const kind_events[PROFILE_KINDS] = {
	[PROFILE_USER] = "user",
	[PROFILE_TASK] = "task",
	[PROFILE_RUNQUEUE] = "runqueue",
	[PROFILE_PREEMPTED] = "preempted",
	[PROFILE_INTERRUPTIBLE] = "interruptible",
	[PROFILE_UNINTERRUPTIBLE] = "uninterruptible",
	[PROFILE_IO] = "io",
	[PROFILE_STOPPED] = "stopped",
	[PROFILE_WAITING] = "waiting",
	[PROFILE_IDLE] = "idle",
};

enum profile_kind profile_kind_of(const char *event)
{
	for (int i = 0; i < PROFILE_KINDS; i++) {
		if (kind_events[i] && !strcmp(kind_events[i], event))
			return i;
	}
	/* A CPU is offline within its idle task. */
	return strcmp(event, "offline") ? PROFILE_KERNEL : PROFILE_IDLE;
}

void profile_kinds_of(const struct profile_entry *entry, uint64_t ticks[PROFILE_KINDS])
{
	memset(ticks, 0, PROFILE_KINDS * sizeof(*ticks));
	for (size_t i = 0; i < entry->count; i++)
		ticks[profile_kind_of(entry->at[i].event)] += entry->at[i].exclusive;
}

/* ---- Differences ---- */

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

/* The difference has the entries of @now, in their order. */
static void mark(struct profile *difference, const struct profile *now)
{
	for (size_t i = 0; i < now->count; i++) {
		difference->at[i].parent = now->at[i].parent;
		difference->at[i].missed = now->at[i].missed;
		difference->at[i].is_wanted = now->at[i].is_wanted;
		/* The subtraction gives 0 if both readings have the ended task. */
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
