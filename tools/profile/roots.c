// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inclusive times of what has not ended.
 */
#include <string.h>

#include "profile/profile.h"

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
 * The kernel adds to an event's inclusive time when it ends: a root does not, nor has what is in
 * progress, or was when its task exited.  Of a CPU, what was within an event is not known: it has its
 * own time, at the least.
 */
void profile_entry_finish(struct profile_entry *entry)
{
	for (size_t i = 0; i < entry->count; i++) {
		struct evtlog_profile_path *path = &entry->at[i];
		uint64_t ticks;

		ticks = within(entry, path->path);
		/* A CPU's may be below 0. */
		if ((int64_t)(ticks - path->inclusive) > 0)
			path->inclusive = ticks;
	}
}
