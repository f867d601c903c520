// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entries of profiles: completed, selected, copied, flattened and summed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "lib/base/array.h"
#include "profile/profile.h"

/* ---- Inclusive times of events that have not ended ---- */

static bool is_in(const char *path, const char *root, size_t length)
{
	return !strncmp(path, root, length) && (!path[length] || path[length] == '>');
}

static uint64_t within(const struct profile_slot *slot, const char *root)
{
	size_t length = strlen(root);
	uint64_t ticks = 0;

	for (size_t i = 0; i < slot->entry.paths; i++) {
		if (is_in(slot->paths[i].path, root, length))
			ticks += slot->paths[i].exclusive;
	}
	return ticks;
}

static void finish(struct profile_slot *slot)
{
	for (size_t i = 0; i < slot->entry.paths; i++) {
		struct evtlog_profile_path *path = &slot->paths[i];
		uint64_t ticks = within(slot, path->path);

		/* The inclusive time of a CPU may be below 0. */
		if ((int64_t)(ticks - path->inclusive) > 0)
			path->inclusive = ticks;
	}
}

/*
 * The kernel adds to the inclusive time of an event when the event ends. A root never ends. Other
 * events may be in progress, or were in progress when their task exited. For a CPU, it is unknown
 * which time was within an event: the inclusive time is at least the exclusive time.
 */
void profile_finish(struct evtlog_profile *profile)
{
	for (size_t i = 0; i < profile->about.entries; i++)
		finish(&profile->slots[i]);
}

/* ---- Selection of entries ---- */

static bool is_chosen(const struct evtlog_profile_entry *entry, bool cpus, uint64_t pid)
{
	if (!entry->paths)
		return false;
	if (pid)
		return entry->cpu < 0 && entry->tgid == pid;
	return (entry->cpu >= 0) == cpus;
}

void profile_choose(struct evtlog_profile *profile, bool cpus, uint64_t pid)
{
	for (size_t i = 0; i < profile->about.entries; i++)
		profile->slots[i].is_wanted = is_chosen(&profile->slots[i].entry, cpus, pid);
	profile_keep_wanted(profile);
}

void profile_drop_ended_threads(struct evtlog_profile *profile)
{
	for (size_t i = 0; i < profile->about.entries; i++) {
		struct profile_slot *slot = &profile->slots[i];

		slot->is_wanted = !profile_is_of_ended_threads(&slot->entry);
	}
	profile_keep_wanted(profile);
	for (size_t i = 0; i < profile->about.entries; i++)
		profile->slots[i].is_wanted = false;
}

void profile_keep_wanted(struct evtlog_profile *profile)
{
	size_t kept = 0;

	for (size_t i = 0; i < profile->about.entries; i++) {
		if (profile->slots[i].is_wanted)
			profile->slots[kept++] = profile->slots[i];
		else
			profile_slot_free(&profile->slots[i]);
	}
	profile->about.entries = kept;
}

int profile_copy(struct evtlog_profile *profile, const struct profile_slot *from)
{
	int error = evtlog_profile_add(profile, &from->entry, from->paths, from->values);
	struct profile_slot *copy;

	if (error)
		return error;
	copy = &profile->slots[profile->about.entries - 1];
	copy->parent = from->parent;
	copy->missed = from->missed;
	copy->is_wanted = from->is_wanted;
	copy->is_open = from->is_open;
	return 0;
}

/* ---- Sums by event and by path ---- */

static void add(struct evtlog_profile_path *to, const struct evtlog_profile_path *path)
{
	to->count += path->count;
	to->exclusive += path->exclusive;
	if (path->largest > to->largest)
		to->largest = path->largest;
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

static struct evtlog_profile_path *find_event(const struct profile_slot *flat, const char *event)
{
	for (size_t i = 0; i < flat->entry.paths; i++) {
		if (!strcmp(flat->paths[i].event, event))
			return &flat->paths[i];
	}
	return NULL;
}

static int by_exclusive(const void *a, const void *b)
{
	const struct evtlog_profile_path *one = a, *two = b;

	if (one->exclusive != two->exclusive)
		return one->exclusive < two->exclusive ? 1 : -1;
	return strcmp(one->path, two->path);
}

int profile_flatten(const struct profile_slot *slot, struct profile_slot *flat)
{
	*flat = (struct profile_slot){ .entry = slot->entry };
	flat->entry.paths = flat->entry.values = 0;
	for (size_t i = 0; i < slot->entry.paths; i++) {
		const struct evtlog_profile_path *path = &slot->paths[i];
		struct evtlog_profile_path *sum = find_event(flat, path->event);

		if (!sum) {
			if (array_reserve(&flat->paths, &flat->capacity, flat->entry.paths,
					  sizeof(*flat->paths))) {
				profile_slot_free(flat);
				return -ENOMEM;
			}
			sum = &flat->paths[flat->entry.paths++];
			*sum = (struct evtlog_profile_path){ .path = path->event,
							     .event = path->event };
		}
		add(sum, path);
		if (!is_within_itself(path))
			sum->inclusive += path->inclusive;
	}
	if (flat->entry.paths)
		qsort(flat->paths, flat->entry.paths, sizeof(*flat->paths), by_exclusive);
	return 0;
}

static int by_text(const void *a, const void *b)
{
	const struct evtlog_profile_path *one = a, *two = b;

	return strcmp(one->path, two->path);
}

/* Makes one path of all paths with the same text. */
static void fold(struct profile_slot *sum)
{
	size_t kept = 0;

	if (!sum->entry.paths)
		return;
	qsort(sum->paths, sum->entry.paths, sizeof(*sum->paths), by_text);
	for (size_t i = 0; i < sum->entry.paths; i++) {
		if (kept && !strcmp(sum->paths[kept - 1].path, sum->paths[i].path)) {
			add(&sum->paths[kept - 1], &sum->paths[i]);
			sum->paths[kept - 1].inclusive += sum->paths[i].inclusive;
		} else {
			sum->paths[kept++] = sum->paths[i];
		}
	}
	sum->entry.paths = kept;
}

/* Appends the paths of an entry, and adds its values. */
static int add_slot(struct profile_slot *sum, const struct profile_slot *slot)
{
	size_t count = slot->entry.paths;

	if (!sum->entry.paths)
		sum->entry.cpu = slot->entry.cpu;
	if (array_reserve_more(&sum->paths, &sum->capacity, sum->entry.paths, count,
			       sizeof(*sum->paths)))
		return -ENOMEM;
	if (count)
		memcpy(sum->paths + sum->entry.paths, slot->paths, count * sizeof(*sum->paths));
	sum->entry.paths += count;
	sum->entry.ended += slot->entry.ended;
	return profile_values_add(sum, slot);
}

int profile_sum(struct evtlog_profile *const *profiles, size_t count, struct profile_slot *sum)
{
	int error = 0;

	*sum = (struct profile_slot){ .entry = { .cpu = -1, .comm = "all" } };
	for (size_t i = 0; i < count && !error; i++) {
		for (size_t k = 0; k < profiles[i]->about.entries && !error; k++)
			error = add_slot(sum, &profiles[i]->slots[k]);
		fold(sum);
	}
	if (error)
		profile_slot_free(sum);
	return error;
}

/* ---- Sums by kind of time ---- */

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

static enum profile_kind kind_of(const char *event)
{
	for (int i = 0; i < PROFILE_KINDS; i++) {
		if (kind_events[i] && !strcmp(kind_events[i], event))
			return i;
	}
	/* A CPU is offline within its idle task. */
	return strcmp(event, "offline") ? PROFILE_KERNEL : PROFILE_IDLE;
}

void profile_kinds_of(const struct profile_slot *slot, uint64_t ticks[PROFILE_KINDS])
{
	memset(ticks, 0, PROFILE_KINDS * sizeof(*ticks));
	for (size_t i = 0; i < slot->entry.paths; i++)
		ticks[kind_of(slot->paths[i].event)] += slot->paths[i].exclusive;
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
