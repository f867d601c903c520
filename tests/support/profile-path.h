/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds a path of a profile's entry by its text.
 */
#ifndef EVTLOG_TESTS_SUPPORT_PROFILE_PATH_H
#define EVTLOG_TESTS_SUPPORT_PROFILE_PATH_H

#include <string.h>

#include <evtlog/profiles.h>

static inline const struct evtlog_profile_path *find_path(const struct evtlog_profile *profile,
							  size_t entry, const char *path)
{
	const struct evtlog_profile_path *at;

	for (size_t i = 0; (at = evtlog_profile_path_at(profile, entry, i)); i++) {
		if (!strcmp(at->path, path))
			return at;
	}
	return NULL;
}

#endif /* EVTLOG_TESTS_SUPPORT_PROFILE_PATH_H */
