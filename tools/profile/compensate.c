// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Subtracts the cost of the measurement from a profile, with evtlog_profile_compensate().
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/options.h"
#include "profile/compensate.h"
#include "profile/profile.h"
#include "profile/subcommands.h"

static void take_back(struct profile *profile, const struct evtlog_profile *given)
{
	profile->about = *evtlog_profile_about(given);
	for (size_t i = 0; i < profile->count; i++) {
		struct profile_entry *entry = &profile->at[i];

		for (size_t k = 0; k < entry->count; k++) {
			const struct evtlog_profile_path *path = evtlog_profile_path_at(given, i, k);

			entry->at[k].inclusive = path->inclusive;
			entry->at[k].exclusive = path->exclusive;
		}
	}
}

int profile_compensate_or_say(struct profile *profile)
{
	struct evtlog_profile *given;
	int error = profile_give(profile, &given);

	if (!error) {
		error = evtlog_profile_compensate(given);
		if (!error)
			take_back(profile, given);
		evtlog_profile_free(given);
	}
	if (error == -ENODATA)
		pr_err("--compensate: the profile does not say what a measurement costs, as those of regions; leave the option out");
	else if (error == -EALREADY)
		pr_err("--compensate: the profile is compensated already; leave the option out");
	else if (error)
		pr_err("--compensate: %s", strerror(-error));
	return error ? EXIT_FAILED : EXIT_OK;
}

void profile_print_compensated(FILE *out, const struct evtlog_profile_about *about, uint64_t hz)
{
	if (about->is_compensated)
		fprintf(out, "compensated: %.3f us of measuring subtracted, %" PRIu64 " sums would be below 0\n\n",
			hz ? about->removed * 1e6 / hz : 0, about->clamped);
}

void profile_print_json_compensated(struct json *json, const struct evtlog_profile_about *about)
{
	if (!about->is_compensated)
		return;
	json_object(json, "compensated");
	json_u64(json, "removed_ticks", about->removed);
	json_u64(json, "clamped", about->clamped);
	json_end(json);
}

/* ---- Options of commands that print profiles ---- */

enum { TREE = PROFILE_COMPENSATE_OPTION + 1, FOLDED };

const struct option_desc profile_shape_options[] = {
	{ TREE, "tree", .help = "print the tree of nested events instead of a sum per event" },
	{ FOLDED, "folded", .help = "print folded stacks in us, for flame graphs" },
	PROFILE_COMPENSATE,
	{ 'j', "json", .help = "print JSON" },
	{ }
};

void profile_shape_option(struct profile_shape *shape, int option)
{
	switch (option) {
	case TREE:
		shape->form = PROFILE_TREE;
		shape->given |= 1;
		break;
	case FOLDED:
		shape->form = PROFILE_FOLDED;
		shape->given |= 2;
		break;
	case PROFILE_COMPENSATE_OPTION:
		shape->compensate = true;
		break;
	case 'j':
		shape->as_json = true;
		shape->given |= 4;
		break;
	}
}
