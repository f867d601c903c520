// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds a command by its name and runs it, or suggests a similar name.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "error.h"
#include "options.h"
#include "spelling.h"

const struct evtlog_command *table_find(const struct command_table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->at[i] && !strcmp(table->at[i]->name, name))
			return table->at[i];
	return NULL;
}

int table_unknown(const struct command_table *table, const char *name)
{
	char names[512] = "";
	struct spelling spelling;
	size_t length = 0;

	for (const struct moved_command *moved = table->moved; moved && moved->old; moved++)
		if (!strcmp(moved->old, name))
			return misuse(table->of, "'evtlog %s%s%s' is 'evtlog %s' since version 0.12",
				      table->of ? table->of : "", table->of ? " " : "", name,
				      moved->now);
	spelling_start(&spelling, name);
	for (size_t i = 0; i < table->count; i++) {
		if (!table->at[i])
			continue;
		spelling_try(&spelling, table->at[i]->name);
		length += snprintf(names + length, sizeof(names) - length, "%s%s",
				   length ? ", " : "", table->at[i]->name);
		if (length >= sizeof(names))
			break;
	}
	if (spelling.nearest)
		return misuse(table->of, "%s: no such command; did you mean '%s'?",
			      name, spelling.nearest);
	return misuse(table->of, "%s: no such command; there are %s", name, names);
}

static void print_help(const struct command_table *table)
{
	printf("Usage: evtlog%s%s COMMAND [OPTION...] [ARG...]\n\n", table->of ? " " : "",
	       table->of ? table->of : "");
	options_print_text(table->about, stdout);
	if (table->of)
		printf("\nCommands:\n");
	for (size_t i = 0; i < table->count; i++) {
		const struct evtlog_command *command = table->at[i];

		if (!command || command->is_hidden)
			continue;
		if (command->group)
			printf("\n%s:\n", command->group);
		printf("  %-9s %s\n", command->name, command->summary);
	}
	if (table->shared) {
		printf("\nOptions of several commands:\n");
		options_print_list(table->shared, false, stdout);
	}
	printf("\n'evtlog%s%s COMMAND --help' prints its options, with examples.\n%s",
	       table->of ? " " : "", table->of ? table->of : "", table->notes);
}

int table_help(const struct command_table *table, const char *form)
{
	if (form && strcmp(form, OPTIONS_FORM_TABLE))
		return misuse(table->of, "--help: takes no value");
	if (!form)
		print_help(table);
	for (size_t i = 0; form && i < table->count; i++)
		if (table->at[i])
			printf("command\t%s\t%s\n", table->at[i]->name, table->at[i]->summary);
	if (form && table->shared)
		options_print_list(table->shared, true, stdout);
	return finish(EXIT_OK);
}

int table_run(const struct command_table *table, int argc, char **argv)
{
	static const char help[] = "--help=";
	const struct evtlog_command *command;

	if (argc < 2)
		return misuse(table->of, "no command given");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return table_help(table, NULL);
	if (!strncmp(argv[1], help, strlen(help)))
		return table_help(table, argv[1] + strlen(help));
	if (argv[1][0] == '-' && table->shared)
		return misuse(table->of, "%.*s: give options after the command",
			      (int)strcspn(argv[1], "="), argv[1]);
	if (argv[1][0] == '-')
		return misuse(table->of, "%.*s: no such option", (int)strcspn(argv[1], "="),
			      argv[1]);
	command = table_find(table, argv[1]);
	if (!command)
		return table_unknown(table, argv[1]);
	return command->run(argc - 1, argv + 1);
}
