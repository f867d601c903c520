// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Goes through the options of a command.
 *
 * Stage: between argv and the commands; it knows no option but help.
 */
#include <stdio.h>

#include "command.h"
#include "options.h"
#include "say.h"

const char *options_name(const struct option *longs, int option)
{
	for (; longs->name; longs++)
		if (longs->val == option)
			return longs->name;
	return NULL;
}

static int misuse_value(const struct options *options, int option, const char *value)
{
	const char *name = options_name(options->longs, option);

	if (!value)
		value = "";
	if (!name)
		return misuse(options->command, "%s: not a valid value", value);
	return misuse(options->command, "--%s: %s: not a valid value", name, value);
}

int options_take(const struct options *options, int argc, char **argv, void *context)
{
	int option, result;

	while ((option = getopt_long(argc, argv, options->letters, options->longs, NULL)) != -1) {
		switch (option) {
		case 'h':
			fputs(options->help, stdout);
			return finish(EXIT_OK);
		case '?':
			/* getopt_long() said what is wrong. */
			return misuse(options->command, "wrong usage");
		}
		result = options->take(context, option, optarg);
		if (result)
			return result < 0 ? misuse_value(options, option, optarg) : result;
	}
	return OPTIONS_TAKEN;
}

int options_take_only(const struct options *options, int argc, char **argv, void *context)
{
	int result = options_take(options, argc, argv, context);

	if (result == OPTIONS_TAKEN && optind < argc)
		return misuse(options->command, "%s: takes no arguments", argv[optind]);
	return result;
}
