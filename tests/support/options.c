// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Options of programs that tests run.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"

#define OPTIONS_MAX	40
#define FIRST		256

static _Noreturn void misused(void)
{
	fprintf(stderr, "%s: try --help\n", program_invocation_short_name);
	exit(2);
}

static void print_help(const struct test_option *table, const char *usage)
{
	printf("Usage: %s %s\n\n", program_invocation_short_name, usage);
	for (; table->name; table++) {
		const char *argument = table->argument ? table->argument : "";
		int width = printf("  --%s %s", table->name, argument);

		printf("%*s%s\n", width < 22 ? 22 - width : 1, "", table->help);
	}
}

static uint64_t number_of(const char *name, const char *text)
{
	char *end;
	uint64_t number;

	errno = 0;
	number = *text == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
	if (!errno && end != text && !*end)
		return number;
	fprintf(stderr, "%s: --%s: %s: not a number\n", program_invocation_short_name, name, text);
	exit(2);
}

static void take(const struct test_option *option, const char *argument)
{
	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)option->to = true;
		break;
	case OPTION_U32:
		*(unsigned int *)option->to = number_of(option->name, argument);
		break;
	case OPTION_U64:
	case OPTION_S64:
		*(uint64_t *)option->to = number_of(option->name, argument);
		break;
	case OPTION_TEXT:
		*(const char **)option->to = argument;
		break;
	case OPTION_CALL:
		option->take(argument);
		break;
	}
}

char **test_options(const struct test_option *table, const char *usage, int operands, int argc,
		    char **argv)
{
	struct option longs[OPTIONS_MAX + 2] = { { "help", no_argument, NULL, 'h' } };
	int option;

	for (int i = 0; table[i].name; i++) {
		if (i == OPTIONS_MAX)
			abort();
		longs[i + 1] = (struct option) {
			table[i].name, table[i].argument ? required_argument : no_argument,
			NULL, FIRST + i,
		};
	}
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (option == 'h') {
			print_help(table, usage);
			exit(0);
		}
		if (option < FIRST)
			misused();
		take(&table[option - FIRST], optarg);
	}
	if (operands >= 0 && argc - optind != operands)
		misused();
	return argv + optind;
}
