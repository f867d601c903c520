// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entries of profiles: appended, copied, freed, flattened and selected.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "profile/profile.h"

/* Makes room for one more element; NULL if there is no memory. */
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

/* Copies @text to *@at, and moves *@at to after the copy. */
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

/* ---- Inclusive times of events that have not ended ---- */

static bool is_in(const char *path, const char *root, size_t length)
{
	return !strncmp(path, root, length) && (!path[length] || path[length] == '>');
}

static uint64_t within(const struct profile_entry *entry, const char *root)
{
	size_t length = strlen(root);
	uint64_t ticks = 0;

	for (size_t i = 0; i < entry->count; i++) {
		if (is_in(entry->at[i].path, root, length))
			ticks += entry->at[i].exclusive;
	}
	return ticks;
}

/*
 * The kernel adds to the inclusive time of an event when the event ends. A root never ends. Other
 * events may be in progress, or were in progress when their task exited. For a CPU, it is unknown
 * which time was within an event: the inclusive time is at least the exclusive time.
 */
void profile_entry_finish(struct profile_entry *entry)
{
	for (size_t i = 0; i < entry->count; i++) {
		struct evtlog_profile_path *path = &entry->at[i];
		uint64_t ticks;

		ticks = within(entry, path->path);
		/* The inclusive time of a CPU may be below 0. */
		if ((int64_t)(ticks - path->inclusive) > 0)
			path->inclusive = ticks;
	}
}

/* ---- Selection of entries ---- */

static bool is_chosen(const struct profile_entry *entry, bool cpus, uint64_t pid)
{
	if (!entry->count)
		return false;
	if (pid)
		return entry->head.cpu < 0 && (uint64_t)entry->head.tgid == pid;
	return (entry->head.cpu >= 0) == cpus;
}

void profile_choose(struct profile *profile, bool cpus, uint64_t pid)
{
	for (size_t i = 0; i < profile->count; i++)
		profile->at[i].is_wanted = is_chosen(&profile->at[i], cpus, pid);
	profile_keep_wanted(profile);
}

void profile_drop_ended_threads(struct profile *profile)
{
	for (size_t i = 0; i < profile->count; i++)
		profile->at[i].is_wanted = !profile_is_of_ended_threads(&profile->at[i]);
	profile_keep_wanted(profile);
	for (size_t i = 0; i < profile->count; i++)
		profile->at[i].is_wanted = false;
}

void profile_keep_wanted(struct profile *profile)
{
	size_t kept = 0;

	for (size_t i = 0; i < profile->count; i++) {
		if (profile->at[i].is_wanted)
			profile->at[kept++] = profile->at[i];
		else
			profile_entry_free(&profile->at[i]);
	}
	profile->count = kept;
}

/* ---- Names of tasks: they may contain any bytes, but not all are safe for terminals ---- */

const char *profile_plain(const char *name, const char *bad, char *to, size_t room)
{
	size_t left = strlen(name), used = 0;

	while (left) {
		char seen[4];
		uint32_t code;
		size_t length = utf8_visible(name, left, &code);
		bool is_plain = utf8_put(seen, code) == seen + length &&
				!memcmp(seen, name, length) && !strchr(bad, *name);

		if (used + (is_plain ? length : 1) >= room)
			break;
		if (is_plain)
			memcpy(to + used, name, length);
		else
			to[used] = '_';
		used += is_plain ? length : 1;
		name += length;
		left -= length;
	}
	to[used] = '\0';
	return to;
}
