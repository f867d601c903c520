// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a profile has more than the one before.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "profile/difference.h"
#include "profile/profile.h"

static int by_task(const void *a, const void *b)
{
	const struct profile_entry *one = *(const struct profile_entry *const *)a;
	const struct profile_entry *two = *(const struct profile_entry *const *)b;

	if (one->cpu != two->cpu)
		return one->cpu < two->cpu ? -1 : 1;
	if (one->pid != two->pid)
		return one->pid < two->pid ? -1 : 1;
	return one->begin < two->begin ? -1 : one->begin > two->begin;
}

static const struct profile_path *find_path(const struct profile_entry *entry, const char *path)
{
	for (size_t i = 0; i < entry->count; i++) {
		if (!strcmp(entry->at[i].path, path))
			return &entry->at[i];
	}
	return NULL;
}

/*
 * A task that goes to another CPU while all are read may be in what both have, or neither: a CPU's
 * sum can be less than before, and less than 0.
 */
static uint64_t less(uint64_t now, uint64_t before, bool is_cpu)
{
	return is_cpu && (int64_t)(now - before) < 0 ? 0 : now - before;
}

static void subtract(struct profile_entry *entry, const struct profile_entry *before)
{
	size_t kept = 0;

	profile_values_subtract(&entry->values, &before->values);
	for (size_t i = 0; i < entry->count; i++) {
		struct profile_path *path = &entry->at[i];
		/* Paths keep their places: those that are new are behind them. */
		const struct profile_path *old = i < before->count &&
			!strcmp(before->at[i].path, path->path) ? &before->at[i] :
			find_path(before, path->path);

		const struct profile_path none = { 0 };
		bool is_cpu = entry->cpu >= 0;

		if (!old)
			old = &none;
		path->count = less(path->count, old->count, is_cpu);
		path->inclusive = less(path->inclusive, old->inclusive, is_cpu);
		path->exclusive = less(path->exclusive, old->exclusive, is_cpu);
		if (path->count || path->exclusive)
			entry->at[kept++] = *path;
	}
	entry->count = kept;
}

int profile_copy(const struct profile *from, struct profile *to)
{
	*to = *from;
	to->text = NULL;
	to->count = 0;
	to->capacity = from->count + 1;
	to->at = calloc(to->capacity, sizeof(*to->at));
	if (!to->at)
		return -ENOMEM;
	for (size_t i = 0; i < from->count; i++) {
		struct profile_entry *entry = &to->at[to->count++];

		*entry = from->at[i];
		entry->own = NULL;
		entry->capacity = entry->count;
		entry->at = malloc((entry->count + 1) * sizeof(*entry->at));
		if (!entry->at) {
			profile_free(to);
			return -ENOMEM;
		}
		if (entry->count)
			memcpy(entry->at, from->at[i].at, entry->count * sizeof(*entry->at));
	}
	return 0;
}

int profile_entry_copy(const struct profile_entry *from, struct profile_entry *to)
{
	size_t bytes = from->comm ? strlen(from->comm) + 1 : 0;
	char *at;

	for (size_t i = 0; i < from->count; i++)
		bytes += strlen(from->at[i].path) + 1;
	*to = *from;
	to->capacity = from->count;
	to->at = malloc((from->count + 1) * sizeof(*to->at));
	to->own = malloc(bytes + 1);
	if (!to->at || !to->own) {
		profile_entry_free(to);
		return -ENOMEM;
	}
	at = to->own;
	if (from->comm) {
		to->comm = strcpy(at, from->comm);
		at += strlen(at) + 1;
	}
	for (size_t i = 0; i < from->count; i++) {
		to->at[i] = from->at[i];
		to->at[i].path = strcpy(at, from->at[i].path);
		to->at[i].event = to->at[i].path + (from->at[i].event - from->at[i].path);
		at += strlen(at) + 1;
	}
	return 0;
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

int profile_subtract(struct profile *profile, const struct profile *before)
{
	const struct profile_entry **old = calloc(profile->count + 1, sizeof(*old));
	int error = old ? profile_find_before(profile, before, old) : -ENOMEM;

	for (size_t i = 0; i < profile->count && !error; i++) {
		struct profile_entry *entry = &profile->at[i];

		/* An idle task's number is that of the others, too. */
		if (old[i] && (entry->cpu >= 0 || entry->pid))
			subtract(entry, old[i]);
	}
	free(old);
	return error;
}
