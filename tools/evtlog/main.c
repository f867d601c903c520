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

#ifndef EVTLOG_VERSION
#define EVTLOG_VERSION "unknown"
#endif

/* NULL: this program was linked without it. */
static const struct evtlog_command *const commands[] = {
#define X(name) &command_##name,
	EVTLOG_COMMANDS(X)
#undef X
};

/* Commands of version 0.11; this list goes with the next version. */
static const struct moved_command moved[] = {
	{ "arm", "start --arm" },
	{ "disarm", "stop --disarm" },
	{ "flight", "buffer record --when" },
	{ "gather", "remote gather" },
	{ "merge", "dump" },
	{ "watch", "buffer when|wait|del|list" },
	{ }
};

static const struct command_table table = {
	.about = "Record what the Linux kernel does, and analyse it.",
	.notes =
	"'evtlog help COMMAND' prints the same; evtlog-COMMAND(1) is its manual page.\n\n"
	"Exit status: 0 done, 1 failed, 2 misuse, 3 done on some hosts only,\n"
	"4 done, but events were lost or parts of the file are damaged,\n"
	"5 there are differences (diff, jitter diff).\n",
	.at = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
	.moved = moved,
};

static int help(int argc, char **argv)
{
	char *help_argv[] = { argv[1], (char *)"--help", NULL };
	const struct evtlog_command *command;

	if (argc < 2 || argv[1][0] == '-')
		return table_help(&table, NULL);
	command = table_find(&table, argv[1]);
	if (!command)
		return table_unknown(&table, argv[1]);
	return command->run(2, help_argv);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		table_help(&table, NULL);
	} else if (!strcmp(argv[1], "help")) {
		return help(argc - 1, argv + 1);
	} else if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V") ||
		   !strcmp(argv[1], "version")) {
		printf("evtlog %s\n", EVTLOG_VERSION);
		return finish(EXIT_OK);
	}
	return table_run(&table, argc, argv);
}
