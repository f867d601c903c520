// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Subtracts an earlier profile from a later one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Paths keep their places; new paths are added at the end. */
static const struct evtlog_profile_path *find_path(const struct profile_slot *slot, size_t place,
						   const char *path)
{
	if (place < slot->entry.paths && !strcmp(slot->paths[place].path, path))
		return &slot->paths[place];
	for (size_t i = 0; i < slot->entry.paths; i++) {
		if (!strcmp(slot->paths[i].path, path))
			return &slot->paths[i];
	}
	return NULL;
}

/* 0 if @now is less: a task that moves while CPUs are read may be missing from a reading. */
static uint64_t more(uint64_t now, uint64_t before)
{
	return (int64_t)(now - before) > 0 ? now - before : 0;
}

static int copy_path(struct evtlog_profile *diff, struct profile_slot *to,
		     const struct evtlog_profile_path *path, const struct evtlog_profile_path *old)
{
	struct evtlog_profile_path new = *path, *at;

	new.count = more(path->count, old ? old->count : 0);
	new.inclusive = more(path->inclusive, old ? old->inclusive : 0);
	new.exclusive = more(path->exclusive, old ? old->exclusive : 0);
	if (!new.count && !new.exclusive)
		return 0;
	new.path = profile_string(diff, path->path, strlen(path->path));
	at = new.path ? profile_add_path(to) : NULL;
	if (!at)
		return -ENOMEM;
	new.event = profile_event_of(new.path);
	*at = new;
	return 0;
}

/* The least and the largest value are those of @value: they are not differences. */
static int copy_value(struct evtlog_profile *diff, struct profile_slot *to,
		      const struct evtlog_profile_value *value, const struct profile_slot *old)
{
	struct evtlog_profile_value new = *value, *at;

	for (size_t i = 0; old && i < old->entry.values; i++) {
		const struct evtlog_profile_value *before = &old->values[i];

		if (strcmp(before->name, value->name))
			continue;
		new.count = more(value->count, before->count);
		new.sum = more(value->sum, before->sum);
		if (value->squares != UINT64_MAX)
			new.squares = more(value->squares, before->squares);
		break;
	}
	if (!new.count)
		return 0;
	new.name = profile_string(diff, value->name, strlen(value->name));
	at = new.name ? profile_add_value(to) : NULL;
	if (!at)
		return -ENOMEM;
	*at = new;
	return 0;
}

static int copy_slot(struct evtlog_profile *diff, const struct profile_slot *from,
		     const struct profile_slot *old)
{
	struct profile_slot *to = profile_add_entry(diff);
	int error = 0;

	if (!to)
		return -ENOMEM;
	*to = *from;
	to->paths = NULL;
	to->values = NULL;
	to->capacity = to->entry.paths = to->entry.values = 0;
	to->entry.comm = profile_string(diff, from->entry.comm, strlen(from->entry.comm));
	if (!to->entry.comm)
		return -ENOMEM;
	if (old) {
		/* An ended task with an entry of its own stays one. */
		if (!from->entry.pid)
			to->entry.ended = more(from->entry.ended, old->entry.ended);
		to->entry.lifetime = more(from->entry.lifetime, old->entry.lifetime);
		to->entry.unmatched = more(from->entry.unmatched, old->entry.unmatched);
		to->entry.ahead = more(from->entry.ahead, old->entry.ahead);
	}
	for (size_t i = 0; i < from->entry.paths && !error; i++)
		error = copy_path(diff, to, &from->paths[i],
				  old ? find_path(old, i, from->paths[i].path) : NULL);
	for (size_t i = 0; i < from->entry.values && !error; i++)
		error = copy_value(diff, to, &from->values[i], old);
	return error;
}

static int subtract(const struct evtlog_profile *after, const struct evtlog_profile *before,
		    struct evtlog_profile *diff)
{
	const struct profile_slot **old = calloc(after->about.entries + 1, sizeof(*old));
	int error = old ? profile_match(after, before, old) : -ENOMEM;

	for (size_t i = 0; !error && i < after->about.entries; i++)
		error = copy_slot(diff, &after->slots[i], old[i]);
	free(old);
	return error;
}

/* The kernel's rate is 0 at first, and becomes more accurate each second. */
static bool are_of_one_rate(uint64_t after, uint64_t before)
{
	uint64_t change = after > before ? after - before : before - after;

	return !before || change <= after / 100;
}

int evtlog_profile_diff(const struct evtlog_profile *after, const struct evtlog_profile *before,
			struct evtlog_profile **diffp)
{
	struct evtlog_profile *diff;
	int error;

	if (!are_of_one_rate(after->about.ticks_hz, before->about.ticks_hz) ||
	    after->about.is_compensated != before->about.is_compensated)
		return -EINVAL;
	diff = profile_new();
	if (!diff)
		return -ENOMEM;
	diff->about = after->about;
	diff->about.entries = 0;
	diff->about.is_diff = true;
	diff->about.removed = more(after->about.removed, before->about.removed);
	diff->about.clamped = more(after->about.clamped, before->about.clamped);
	error = subtract(after, before, diff);
	if (error) {
		evtlog_profile_free(diff);
		return error;
	}
	*diffp = diff;
	return 0;
}
