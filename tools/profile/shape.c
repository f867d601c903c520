// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The options of commands that print profiles in one form or another.
 *
 * Called by cmd-run.c and cmd-show.c.
 */
#include "common/options.h"
#include "profile/compensate.h"
#include "profile/subcommands.h"

const struct option_desc profile_shape_options[] = {
	{ 't', "tree", .help = "what was within what, instead of a sum for each event" },
	{ 'f', "folded", .help = "folded stacks with us, for flame graphs" },
	PROFILE_COMPENSATE,
	{ 'j', "json", .help = "print JSON" },
	{ }
};

void profile_shape_option(struct profile_shape *shape, int option)
{
	switch (option) {
	case 't':
		shape->form = PROFILE_TREE;
		shape->given |= 1;
		break;
	case 'f':
		shape->form = PROFILE_FOLDED;
		shape->given |= 2;
		break;
	case 'C':
		shape->compensate = true;
		break;
	case 'j':
		shape->as_json = true;
		shape->given |= 4;
		break;
	}
}
