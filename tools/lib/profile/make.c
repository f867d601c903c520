// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Profiles that a program makes, entry by entry.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"

int evtlog_profile_new(const struct evtlog_profile_about *about, struct evtlog_profile **profilep)
{
	struct evtlog_profile *profile = profile_new();

	if (!profile)
		return -ENOMEM;
	profile->about = *about;
	profile->about.entries = 0;
	*profilep = profile;
	return 0;
}

static int add_path(struct evtlog_profile *profile, struct profile_slot *slot,
		    const struct evtlog_profile_path *from)
{
	const char *text = profile_string(profile, from->path, strlen(from->path));
	struct evtlog_profile_path *path = text ? profile_add_path(slot) : NULL;

	if (!path)
		return -ENOMEM;
	*path = *from;
	path->path = text;
	path->event = profile_event_of(text);
	return 0;
}

static int add_value(struct evtlog_profile *profile, struct profile_slot *slot,
		     const struct evtlog_profile_value *from)
{
	const char *name = profile_string(profile, from->name, strlen(from->name));
	struct evtlog_profile_value *value = name ? profile_add_value(slot) : NULL;

	if (!value)
		return -ENOMEM;
	*value = *from;
	value->name = name;
	return 0;
}

int evtlog_profile_add(struct evtlog_profile *profile, const struct evtlog_profile_entry *entry,
		       const struct evtlog_profile_path *paths,
		       const struct evtlog_profile_value *values)
{
	const char *comm = profile_string(profile, entry->comm, strlen(entry->comm));
	struct profile_slot *slot = comm ? profile_add_entry(profile) : NULL;
	int error = slot ? 0 : -ENOMEM;

	if (error)
		return error;
	slot->entry = *entry;
	slot->entry.comm = comm;
	slot->entry.paths = slot->entry.values = 0;
	error = profile_reserve_paths(slot, entry->paths);
	for (size_t i = 0; i < entry->paths && !error; i++)
		error = add_path(profile, slot, &paths[i]);
	for (size_t i = 0; i < entry->values && !error; i++)
		error = add_value(profile, slot, &values[i]);
	return error;
}
