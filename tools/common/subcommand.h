/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of commands: evtlog's own, or those of one that has some.
 */
#ifndef EVTLOG_COMMON_SUBCOMMAND_H
#define EVTLOG_COMMON_SUBCOMMAND_H

#include <stddef.h>

#include "command.h"

/*
 * @of:		the command that has them, NULL: evtlog itself
 * @about:	what they are for, in lines of any length
 * @notes:	printed as it is after the list of commands
 * @at:		a NULL among them is a command that this program was linked without
 */
struct command_table {
	const char *of;
	const char *about;
	const char *notes;
	const struct evtlog_command *const *at;
	size_t count;
};

/*
 * table_run() - find the command that argv[1] names and run it; or print help
 *
 * Returns its exit status, or EXIT_MISUSE after saying what is wrong.
 */
int table_run(const struct command_table *table, int argc, char **argv);

/* What --help prints, or --help=table if @form is "table". */
int table_help(const struct command_table *table, const char *form);

/* NULL: there is none such. */
const struct evtlog_command *table_find(const struct command_table *table, const char *name);

/* misuse(), with what may have been meant by @name. */
int table_unknown(const struct command_table *table, const char *name);

#endif /* EVTLOG_COMMON_SUBCOMMAND_H */
