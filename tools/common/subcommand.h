/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of commands: evtlog's own, or those of one that has some.
 *
 * It runs none.
 */
#ifndef EVTLOG_COMMON_SUBCOMMAND_H
#define EVTLOG_COMMON_SUBCOMMAND_H

#include <stddef.h>
#include <stdio.h>

#include "command.h"

/*
 * @of:	the command that has them, NULL: evtlog itself
 * @at:	a NULL among them is a command that this program was linked without
 */
struct command_table {
	const char *of;
	const struct evtlog_command *const *at;
	size_t count;
};

/* NULL: there is none such. */
const struct evtlog_command *table_find(const struct command_table *table, const char *name);

/* misuse(), with what may have been meant by @name. */
int table_unknown(const struct command_table *table, const char *name);

/* A line for each, for --help. */
void table_print(const struct command_table *table, FILE *out);

#endif /* EVTLOG_COMMON_SUBCOMMAND_H */
