/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects hosts: --host.
 */
#ifndef EVTLOG_INPUT_HOST_FILTER_H
#define EVTLOG_INPUT_HOST_FILTER_H

#include <stdbool.h>

#include "common/hostlist.h"

/*
 * @text:	the option's value, NULL for all hosts
 * @names:	hosts named in @text
 * @patterns:	words of @text with * or ?
 */
struct choice {
	const char *text;
	struct hostlist names;
	char **patterns;
	size_t pattern_count;
	size_t pattern_capacity;
};

/*
 * Parses --host of @command, a list such as node[1-16],login1,rack2-*, replacing an earlier value.
 * Returns 0, or EXIT_MISUSE after printing the error.  Call host_filter_free() in both cases.
 */
int host_filter_option(struct choice *choice, const char *command, const char *text);
void host_filter_free(struct choice *choice);

bool host_filter_fits(const struct choice *choice, const char *name);

#endif /* EVTLOG_INPUT_HOST_FILTER_H */
