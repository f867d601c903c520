// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog jitter: finds the command of its own that the user named and runs it.
 *
 * It measures and reads nothing itself.
 */
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/subcommand.h"
#include "jitter/subcommands.h"

/* NULL: this program was linked without it. */
static const struct evtlog_command *const commands[] = {
#define X(name) &jitter_##name,
	JITTER_COMMANDS(X)
#undef X
};

static const struct command_table table = {
	.of = "jitter",
	.at = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
};

static void print_help(void)
{
	printf("Usage: evtlog jitter COMMAND [OPTION...] [ARG...]\n"
	       "Finds which task or interrupt took a program's time: measures interruptions from\n"
	       "user mode while the kernel logs what they are.\n\nCommands:\n");
	table_print(&table, stdout);
	printf("\n      --help    print this and exit\n\n"
	       "'evtlog jitter COMMAND --help' tells about one of them.\n\n"
	       "Examples:\n"
	       "  evtlog jitter run -o quiet --duration 60s\n"
	       "  evtlog jitter report quiet\n"
	       "  evtlog jitter diff quiet after-the-upgrade\n");
}

static int run(int argc, char **argv)
{
	const struct evtlog_command *command;

	if (argc < 2)
		return misuse("jitter", "no command given");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_help();
		return finish(EXIT_OK);
	}
	if (argv[1][0] == '-')
		return misuse("jitter", "%s: no such option", argv[1]);
	command = table_find(&table, argv[1]);
	if (!command)
		return table_unknown(&table, argv[1]);
	return command->run(argc - 1, argv + 1);
}

const struct evtlog_command command_jitter = {
	.name = "jitter",
	.summary = "measure OS jitter, and say what it is made of",
	.run = run,
};
