// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which entries of a profile are shown.
 */
#include "profile/profile.h"

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
