// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog: finds the command the user named and runs it.
 *
 * It does not read logs itself.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/subcommand.h"

#ifndef EVTLOG_VERSION
#define EVTLOG_VERSION "unknown"
#endif

/* NULL: this program was linked without it. */
static const struct evtlog_command *const commands[] = {
#define X(name) &command_##name,
	EVTLOG_COMMANDS(X)
#undef X
};

static const struct command_table table = {
	.at = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
};

static void print_help(void)
{
	printf("Usage: evtlog COMMAND [OPTION...] [ARG...]\n\n"
	       "Records what the kernel does, and shows it.\n\nCommands:\n");
	table_print(&table, stdout);
	printf("\n'evtlog COMMAND --help' tells about one of them, with examples;\n"
	       "so does its manual page, evtlog-COMMAND(1).\n\n"
	       "Exit status: 0 done, 1 failed, 2 misuse, 3 done on some hosts only,\n"
	       "4 done but events were lost, 5 there are differences (jitter diff).\n");
}

static int help(int argc, char **argv)
{
	const struct evtlog_command *command;
	char *help_argv[] = { argv[1], (char *)"--help", NULL };

	if (argc < 2) {
		print_help();
		return finish(EXIT_OK);
	}
	command = table_find(&table, argv[1]);
	if (!command)
		return table_unknown(&table, argv[1]);
	return command->run(2, help_argv);
}

int main(int argc, char **argv)
{
	const struct evtlog_command *command;

	if (argc < 2) {
		print_help();
		fflush(stdout);
		return misuse(NULL, "no command given");
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help"))
		return help(argc - 1, argv + 1);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V") ||
	    !strcmp(argv[1], "version")) {
		printf("evtlog %s\n", EVTLOG_VERSION);
		return finish(EXIT_OK);
	}
	if (argv[1][0] == '-')
		return misuse(NULL, "%s: no such option", argv[1]);
	command = table_find(&table, argv[1]);
	if (!command)
		return table_unknown(&table, argv[1]);
	return command->run(argc - 1, argv + 1);
}
