/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by main.c and the commands of evtlog: the table of commands and the exit statuses.
 *
 * Other code that commands share is in error.h, options.h and json.h.
 */
#ifndef EVTLOG_COMMON_COMMAND_H
#define EVTLOG_COMMON_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum evtlog_exit {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_MISUSE = 2,
	EXIT_SOME = 3,		/* of many hosts, some failed */
	EXIT_EVENTS_LOST = 4,	/* done, but events were lost */
	EXIT_DIFFERENT = 5,	/* diff, jitter diff: the difference that was asked for exists */
};

/*
 * @name:	the word that the user types
 * @summary:	one line for `evtlog --help`
 * @group:	heading that `evtlog --help` prints before this command, the first of its group, or
 *		NULL
 * @is_hidden:	the command is left out of `evtlog --help`
 * @run:	main() of the command; argv[0] is @name.  Returns an exit status.  Must accept
 *		--help: print usage with examples to stdout and return 0.
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
 * and a line here, in the order of `evtlog --help`.
 */
#define EVTLOG_COMMANDS(X) \
	X(record) \
	X(start) \
	X(stop) \
	X(status) \
	X(filter) \
	X(probe) \
	X(buffer) \
	X(profile) \
	X(stat) \
	X(dump) \
	X(view) \
	X(query) \
	X(info) \
	X(check) \
	X(index) \
	X(why) \
	X(diff) \
	X(jitter) \
	X(path) \
	X(remote) \
	X(sensor) \
	X(export)

/* Weak: the test machine's program is linked without view, export, query, why and diff. */
#define X(name) extern const struct evtlog_command command_##name __attribute__((weak));
EVTLOG_COMMANDS(X)
#undef X

/* ---- subcommand.c: tables of commands, of evtlog or of a command with subcommands ---- */

/*
 * A command of an earlier version
 * @old:	its name
 * @now:	the command and options that replace it
 */
struct moved_command {
	const char *old;
	const char *now;
};

struct option_desc;

/*
 * @of:		the command that has the subcommands, NULL for evtlog itself
 * @about:	description, with lines of any length
 * @notes:	printed unchanged after the list of commands
 * @at:		NULL elements are commands that are not linked into this program
 * @shared:	the groups that its commands share, or NULL
 * @moved:	commands of earlier versions, terminated by an entry without @old; or NULL
 */
struct command_table {
	const char *of;
	const char *about;
	const char *notes;
	const struct evtlog_command *const *at;
	size_t count;
	const struct option_desc *shared;
	const struct moved_command *moved;
};

/*
 * table_run() - run the command named by argv[1], or print help
 *
 * Returns the command's exit status, or EXIT_MISUSE after printing the error.
 */
int table_run(const struct command_table *table, int argc, char **argv);

/* Prints --help, or --help=table if @form is "table". */
int table_help(const struct command_table *table, const char *form);

/* Returns NULL if there is no such command. */
const struct evtlog_command *table_find(const struct command_table *table, const char *name);

/* misuse(), with a command that @name may have meant. */
int table_unknown(const struct command_table *table, const char *name);

#endif /* EVTLOG_COMMON_COMMAND_H */
