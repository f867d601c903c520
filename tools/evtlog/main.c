// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog: finds the command the user named and runs it.
 *
 * Stage: the outermost layer of the tools.  It does not read logs itself.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "say.h"

#ifndef EVTLOG_VERSION
#define EVTLOG_VERSION "unknown"
#endif

/* NULL: this program was linked without it. */
static const struct evtlog_command *const commands[] = {
#define X(name) &command_##name,
	EVTLOG_COMMANDS(X)
#undef X
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_help(void)
{
	printf("Usage: evtlog COMMAND [OPTION...] [ARG...]\n\n"
	       "Records what the kernel does, and shows it.\n\nCommands:\n");
	for (size_t i = 0; i < COMMANDS; i++)
		if (commands[i])
			printf("  %-9s %s\n", commands[i]->name,
			       commands[i]->summary);
	printf("\n'evtlog COMMAND --help' tells about one of them, with examples;\n"
	       "so does its manual page, evtlog-COMMAND(1).\n\n"
	       "Exit status: 0 done, 1 failed, 2 misuse, 3 done on some hosts only,\n"
	       "4 done but events were lost.\n");
}

static const struct evtlog_command *find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (commands[i] && !strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

/*
 * How many letters to change, add, drop or swap with the next (optimal string
 * alignment); names are short, longer ones are not near anyway.
 */
static unsigned int distance(const char *a, const char *b)
{
	enum { MAX = 24 };
	size_t a_len = strlen(a), b_len = strlen(b);
	unsigned int d[MAX + 1][MAX + 1];

	if (a_len > MAX || b_len > MAX)
		return MAX;
	for (size_t i = 0; i <= a_len; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= b_len; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		for (size_t j = 1; j <= b_len; j++) {
			unsigned int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			if (d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	}
	return d[a_len][b_len];
}

static int unknown_command(const char *name)
{
	const char *nearest = NULL;
	unsigned int least = 4;

	for (size_t i = 0; i < COMMANDS; i++) {
		unsigned int d;

		if (!commands[i])
			continue;
		d = distance(name, commands[i]->name);
		if (d < least) {
			least = d;
			nearest = commands[i]->name;
		}
	}
	if (nearest)
		return misuse(NULL, "%s: no such command; did you mean '%s'?",
			      name, nearest);
	return misuse(NULL, "%s: no such command", name);
}

static int help(int argc, char **argv)
{
	const struct evtlog_command *command;
	char *help_argv[] = { argv[1], (char *)"--help", NULL };

	if (argc < 2) {
		print_help();
		return finish(EXIT_OK);
	}
	command = find(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
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
	command = find(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	return command->run(argc - 1, argv + 1);
}
