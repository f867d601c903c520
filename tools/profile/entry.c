// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entries of profiles: appended, copied, freed, and as one level.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

/* Room for one more; NULL: no memory. */
static void *grow(void *at, size_t count, size_t *capacity, size_t size)
{
	void *larger;

	if (count < *capacity)
		return at;
	larger = reallocarray(at, *capacity ? 2 * *capacity : 16, size);
	if (larger)
		*capacity = *capacity ? 2 * *capacity : 16;
	return larger;
}

int profile_append(struct profile *profile, const struct profile_entry *entry)
{
	struct profile_entry *at = grow(profile->at, profile->count, &profile->capacity,
					sizeof(*at));

	if (!at)
		return -ENOMEM;
	profile->at = at;
	at[profile->count++] = *entry;
	return 0;
}

static struct evtlog_profile_path *new_path(struct profile_entry *entry)
{
	struct evtlog_profile_path *at = grow(entry->at, entry->count, &entry->capacity, sizeof(*at));

	if (!at)
		return NULL;
	entry->at = at;
	at += entry->count++;
	*at = (struct evtlog_profile_path){ 0 };
	return at;
}

static size_t string_bytes(const struct profile_entry *entry)
{
	size_t bytes = strlen(entry->head.comm) + 1;

	for (size_t i = 0; i < entry->count; i++)
		bytes += strlen(entry->at[i].path) + 1;
	for (size_t i = 0; i < entry->values.count; i++)
		bytes += strlen(entry->values.at[i].name) + 1;
	return bytes;
}

/* At *@at, which is left behind it. */
static const char *put_string(char **at, const char *text)
{
	const char *copy = strcpy(*at, text);

	*at += strlen(copy) + 1;
	return copy;
}

int profile_entry_copy(const struct profile_entry *from, struct profile_entry *to)
{
	char *at;

	*to = *from;
	to->capacity = from->count;
	to->at = malloc((from->count + 1) * sizeof(*to->at));
	to->own = malloc(string_bytes(from));
	if (!to->at || !to->own) {
		profile_entry_free(to);
		return -ENOMEM;
	}
	at = to->own;
	to->head.comm = put_string(&at, from->head.comm);
	for (size_t i = 0; i < from->count; i++) {
		to->at[i] = from->at[i];
		to->at[i].path = put_string(&at, from->at[i].path);
		to->at[i].event = to->at[i].path + (from->at[i].event - from->at[i].path);
	}
	for (size_t i = 0; i < from->values.count; i++)
		to->values.at[i].name = put_string(&at, from->values.at[i].name);
	return 0;
}

void profile_entry_free(struct profile_entry *entry)
{
	free(entry->at);
	free(entry->own);
	*entry = profile_no_entry;
}

void profile_free(struct profile *profile)
{
	for (size_t i = 0; i < profile->count; i++)
		profile_entry_free(&profile->at[i]);
	free(profile->at);
	evtlog_profile_free(profile->loaded);
	*profile = (struct profile){ 0 };
}

static bool is_within_itself(const struct evtlog_profile_path *path)
{
	size_t length = strlen(path->event);

	for (const char *at = path->path; at < path->event; at = strchr(at, '>') + 1) {
		if (!strncmp(at, path->event, length) && at[length] == '>')
			return true;
	}
	return false;
}

static struct evtlog_profile_path *find_event(struct profile_entry *flat, const char *event)
{
	for (size_t i = 0; i < flat->count; i++) {
		if (!strcmp(flat->at[i].event, event))
			return &flat->at[i];
	}
	return NULL;
}

static int compare(const void *a, const void *b)
{
	const struct evtlog_profile_path *one = a, *two = b;

	if (one->exclusive != two->exclusive)
		return one->exclusive < two->exclusive ? 1 : -1;
	return strcmp(one->path, two->path);
}

int profile_flatten(const struct profile_entry *entry, struct profile_entry *flat)
{
	*flat = *entry;
	flat->at = NULL;
	flat->own = NULL;
	flat->count = flat->capacity = 0;
	for (size_t i = 0; i < entry->count; i++) {
		const struct evtlog_profile_path *path = &entry->at[i];
		struct evtlog_profile_path *sum = find_event(flat, path->event);

		if (!sum) {
			sum = new_path(flat);
			if (!sum) {
				profile_entry_free(flat);
				return -ENOMEM;
			}
			sum->path = path->event;
			sum->event = path->event;
		}
		sum->count += path->count;
		sum->exclusive += path->exclusive;
		if (!is_within_itself(path))
			sum->inclusive += path->inclusive;
		if (path->largest > sum->largest)
			sum->largest = path->largest;
	}
	qsort(flat->at, flat->count, sizeof(*flat->at), compare);
	return 0;
}
