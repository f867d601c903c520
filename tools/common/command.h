/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What main.c and the commands of evtlog share: the table and the exits.
 *
 * A command reads argv and speaks. It does not hold anything two commands share beyond that: see
 * error.h, options.h, json.h.
 */
#ifndef EVTLOG_COMMON_COMMAND_H
#define EVTLOG_COMMON_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum evtlog_exit {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_MISUSE = 2,
	EXIT_SOME = 3,		/* of many hosts, not all did it */
	EXIT_EVENTS_LOST = 4,	/* done, but events were lost */
	EXIT_DIFFERENT = 5,	/* of two, there is what was asked for: jitter diff */
};

/*
 * @name:	the word that the user types
 * @summary:	one line for `evtlog --help`
 * @group:	heading that `evtlog --help` prints before this command, the first of its group, or
 *		NULL
 * @is_hidden:	the command is left out of `evtlog --help`
 * @run:	main() of the command; argv[0] is @name.  Returns an exit status.  Supports --help:
 *		prints usage with examples to stdout, exit status 0.
 */
struct evtlog_command {
	const char *name;
	const char *summary;
	const char *group;
	bool is_hidden;
	int (*run)(int argc, char **argv);
};

/*
 * A command is a file cmd-NAME.c that defines
 *
 *	const struct evtlog_command command_NAME = { ... };
 *
 * and a line here, in the order `evtlog --help` shows them.
 */
#define EVTLOG_COMMANDS(X) \
	X(record) \
	X(start) \
	X(stop) \
	X(status) \
	X(filter) \
	X(probe) \
	X(buffer) \
	X(watch) \
	X(profile) \
	X(stat) \
	X(dump) \
	X(view) \
	X(query) \
	X(info) \
	X(check) \
	X(index) \
	X(jitter) \
	X(path) \
	X(remote) \
	X(sensor) \
	X(export)

/* Weak: the test machine's program is linked without view, export and query. */
#define X(name) extern const struct evtlog_command command_##name __attribute__((weak));
EVTLOG_COMMANDS(X)
#undef X

/* ---- subcommand.c: a table of commands: evtlog's own, or those of one that has some ---- */

/*
 * A spelling of an earlier version
 * @old:	the command
 * @now:	the command and options that replace it
 */
struct moved_command {
	const char *old;
	const char *now;
};

/*
 * @of:		the command that has them, NULL: evtlog itself
 * @about:	what they are for, in lines of any length
 * @notes:	printed as it is after the list of commands
 * @at:		a NULL among them is a command that this program was linked without
 * @moved:	spellings of earlier versions, up to one without @old; NULL: none
 */
struct command_table {
	const char *of;
	const char *about;
	const char *notes;
	const struct evtlog_command *const *at;
	size_t count;
	const struct moved_command *moved;
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

#endif /* EVTLOG_COMMON_COMMAND_H */
