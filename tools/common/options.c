// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Goes through the options of a command.
 *
 * It knows no option but help.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "error.h"
#include "options.h"
#include "spelling.h"

const char *options_name(const struct option *longs, int option)
{
	for (; longs->name; longs++)
		if (longs->val == option)
			return longs->name;
	return NULL;
}

int options_word(const char *const *words, const char *text)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], text))
			return i;
	return -EINVAL;
}

/* "run, switches or name"; @text is large enough for all that are in use. */
static void list_words(const char *const *words, char *text, size_t capacity)
{
	size_t length = 0;

	*text = '\0';
	for (size_t i = 0; words[i] && length < capacity; i++)
		length += snprintf(text + length, capacity - length, "%s%s",
				   !i ? "" : words[i + 1] ? ", " : " or ", words[i]);
}

static int misuse_value(const struct options *options, int option, const char *value)
{
	const struct option_value *can = options->values;
	const char *name = options_name(options->longs, option);
	char words[512];

	while (can && (can->words || can->like) && can->option != option)
		can++;
	if (!can || (!can->words && !can->like))
		return misuse(options->command, "--%s: %s: not a valid value",
			      name ? name : "?", value ? value : "");
	if (can->words)
		list_words(can->words, words, sizeof(words));
	return misuse(options->command, "--%s: %s: not a valid value; give %s", name ? name : "?",
		      value ? value : "", can->words ? words : can->like);
}

/* How many long options begin like this, and the one that is near if none does. */
static size_t find_named(const struct option *longs, const char *name, size_t length,
			 struct spelling *spelling)
{
	size_t fits = 0;

	for (; longs->name; longs++) {
		fits += !strncmp(longs->name, name, length);
		spelling_try(spelling, longs->name);
	}
	return fits;
}

static int misuse_long(const struct options *options, const char *arg)
{
	char name[64];
	struct spelling spelling;
	size_t fits;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(arg + 2, "="), arg + 2);
	spelling_start(&spelling, name);
	fits = find_named(options->longs, name, strlen(name), &spelling);
	if (fits > 1)
		return misuse(options->command, "--%s: %zu options begin like this; write it out",
			      name, fits);
	if (spelling.nearest)
		return misuse(options->command, "--%s: no such option; did you mean --%s?", name,
			      spelling.nearest);
	return misuse(options->command, "--%s: no such option", name);
}

/* getopt_long() refused @option, 0 or an option's val, or a letter that is none. */
static int misuse_option(const struct options *options, int refused, int option,
			 const char *arg)
{
	const char *name = options_name(options->longs, option);
	bool is_long = !strncmp(arg, "--", 2);

	if (refused == ':' && name)
		return misuse(options->command, "--%s: its value is missing", name);
	if (refused == ':')
		return misuse(options->command, "-%c: its value is missing", option);
	if (!option && is_long)
		return misuse_long(options, arg);
	if (is_long && name)
		return misuse(options->command, "--%s: takes no value", name);
	return misuse(options->command, "-%c: no such option", option);
}

int options_next(const struct options *options, int argc, char **argv, int *option)
{
	bool first_ends = *options->letters == '+';
	char letters[64];

	/* What is wrong is said here, in the words of all other messages. */
	opterr = 0;
	snprintf(letters, sizeof(letters), "%s:%s", first_ends ? "+" : "",
		 options->letters + first_ends);
	*option = getopt_long(argc, argv, letters, options->longs, NULL);
	if (*option == '?' || *option == ':')
		return misuse_option(options, *option, optopt, argv[optind - 1]);
	return *option == -1 ? OPTIONS_TAKEN : EXIT_OK;
}

int options_take(const struct options *options, int argc, char **argv, void *context)
{
	int option, result;

	while ((result = options_next(options, argc, argv, &option)) == EXIT_OK) {
		if (option == 'h') {
			fputs(options->help, stdout);
			return finish(EXIT_OK);
		}
		result = options->take(context, option, optarg);
		if (result)
			return result < 0 ? misuse_value(options, option, optarg) : result;
	}
	return result;
}

int options_take_only(const struct options *options, int argc, char **argv, void *context)
{
	int result = options_take(options, argc, argv, context);

	if (result == OPTIONS_TAKEN && optind < argc)
		return misuse(options->command, "%s: takes no arguments", argv[optind]);
	return result;
}
