/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which hosts of many are wanted: --host.
 */
#ifndef EVTLOG_INPUT_HOST_FILTER_H
#define EVTLOG_INPUT_HOST_FILTER_H

#include <stdbool.h>

#include "common/hostlist.h"

/*
 * @text:	as the user gave it; NULL: all hosts
 * @names:	hosts named in it
 * @patterns:	words of it with * or ?
 */
struct choice {
	const char *text;
	struct hostlist names;
	char **patterns;
	size_t pattern_count;
	size_t pattern_capacity;
};

/*
 * node[1-16],login1,rack2-*: @why is filled on failure, HOSTLIST_WHY_BYTES.  0 or
 * -errno as of hostlist_add(); host_filter_free() it in any case.
 */
int host_filter_parse(struct choice *choice, const char *text, char *why);
void host_filter_free(struct choice *choice);

/*
 * Takes --host of @command, in the place of what was given before: 0; EXIT_MISUSE,
 * after saying what is wrong with it.
 */
int host_filter_option(struct choice *choice, const char *command, const char *text);

bool host_filter_fits(const struct choice *choice, const char *name);

#endif /* EVTLOG_INPUT_HOST_FILTER_H */
