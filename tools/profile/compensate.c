// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes off a profile what its measurement cost, by evtlog_profile_compensate().
 *
 * The library is given the numbers as text, and gives them back in the same order.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/profiles.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "profile/compensate.h"
#include "profile/profile.h"

static void put_entry(FILE *out, const struct profile_entry *entry)
{
	if (entry->cpu >= 0)
		fprintf(out, "cpu %d 0 0\n", entry->cpu);
	else
		fputs("task 0 0 0 0 0 0 x\n", out);
	for (size_t i = 0; i < entry->count; i++) {
		const struct profile_path *path = &entry->at[i];

		fprintf(out, "  %s %" PRIu64 " %" PRIu64 " %" PRIu64 " 0\n", path->path, path->count,
			path->inclusive, path->exclusive);
	}
}

static int load(const struct profile *profile, struct evtlog_profile **loaded)
{
	size_t bytes;
	char *text;
	FILE *out = open_memstream(&text, &bytes);
	int error;

	if (!out)
		return -ENOMEM;
	fputs("state off\n", out);
	for (size_t i = 0; i < PROFILE_COSTS; i++) {
		if (profile->costs[i])
			fprintf(out, "%s\n", profile->costs[i]);
	}
	for (size_t i = 0; i < profile->count; i++)
		put_entry(out, &profile->at[i]);
	if (fclose(out))
		return -ENOMEM;
	error = evtlog_profile_load_bytes(text, bytes, loaded, NULL);
	free(text);
	return error;
}

static void take_back(struct profile *profile, const struct evtlog_profile *loaded)
{
	const struct evtlog_profile_about *about = evtlog_profile_about(loaded);

	profile->is_compensated = true;
	profile->removed = about->removed;
	profile->clamped = about->clamped;
	for (size_t i = 0; i < profile->count; i++) {
		for (size_t k = 0; k < profile->at[i].count; k++) {
			const struct evtlog_profile_path *path = evtlog_profile_path_at(loaded, i, k);

			profile->at[i].at[k].inclusive = path->inclusive;
			profile->at[i].at[k].exclusive = path->exclusive;
		}
	}
}

int profile_compensate_or_say(struct profile *profile)
{
	struct evtlog_profile *loaded;
	int error = load(profile, &loaded);

	if (!error) {
		error = evtlog_profile_compensate(loaded);
		if (!error)
			take_back(profile, loaded);
		evtlog_profile_free(loaded);
	}
	if (error == -ENODATA)
		pr_err("--compensate: the profile does not say what a measurement costs, as those of regions; leave the option out");
	else if (error)
		pr_err("--compensate: %s", strerror(-error));
	return error ? EXIT_FAILED : EXIT_OK;
}

void profile_print_compensated(FILE *out, const struct profile *profile, uint64_t hz)
{
	if (profile->is_compensated)
		fprintf(out, "compensated: %.3f us of measuring subtracted, %" PRIu64 " sums would be below 0\n\n",
			hz ? profile->removed * 1e6 / hz : 0, profile->clamped);
}

void profile_print_json_compensated(struct json *json, const struct profile *profile)
{
	if (!profile->is_compensated)
		return;
	json_object(json, "compensated");
	json_u64(json, "removed_ticks", profile->removed);
	json_u64(json, "clamped", profile->clamped);
	json_end(json);
}
