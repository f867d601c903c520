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
 * Parses a list such as node[1-16],login1,rack2-*.  Returns 0 or -errno as hostlist_add(), with
 * the error message in @why (HOSTLIST_WHY_BYTES).  Call host_filter_free() in both cases.
 */
int host_filter_parse(struct choice *choice, const char *text, char *why);
void host_filter_free(struct choice *choice);

/*
 * Parses --host of @command, replacing an earlier value.  Returns 0, or EXIT_MISUSE after
 * printing the error.
 */
int host_filter_option(struct choice *choice, const char *command, const char *text);

bool host_filter_fits(const struct choice *choice, const char *name);

#endif /* EVTLOG_INPUT_HOST_FILTER_H */
