/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a command goes through its options.
 *
 * What an option means is the command's to know.
 */
#ifndef EVTLOG_COMMON_OPTIONS_H
#define EVTLOG_COMMON_OPTIONS_H

#include <getopt.h>

/*
 * What an option can have, for the message about a value that it can't.
 * @words:	it is one of these, up to a NULL; or
 * @like:	what it looks like: "a number from 1 to 9"
 */
struct option_value {
	int option;
	const char *const *words;
	const char *like;
};

/*
 * @command:	as misuse() has it
 * @help:	what --help, -h prints
 * @letters:	as for getopt_long()
 * @longs:	the same; 'h' is help
 * @take:	takes an option, by its val: 0; -errno if it can't have this @value; an exit
 *		status, after saying what is wrong.  @value: NULL if it has none
 * @values:	of the options that can refuse one, up to { }
 */
struct options {
	const char *command;
	const char *help;
	const char *letters;
	const struct option *longs;
	int (*take)(void *context, int option, char *value);
	const struct option_value *values;
};

enum { OPTIONS_TAKEN = -1 };

/*
 * options_take() - go through argv; argv[optind] is the first that is no option
 *
 * Returns OPTIONS_TAKEN, or the exit status of a command that is over by this: help was
 * asked for, or an option is wrong.
 */
int options_take(const struct options *options, int argc, char **argv, void *context);

/* The same of a command that takes nothing but options. */
int options_take_only(const struct options *options, int argc, char **argv, void *context);

/*
 * options_next() - one option, of a command that does the rest itself: @options' take, help
 * and values are not used
 *
 * Returns EXIT_OK and *@option with optarg, OPTIONS_TAKEN behind the last, or EXIT_MISUSE
 * after saying what is wrong.
 */
int options_next(const struct options *options, int argc, char **argv, int *option);

/*
 * options_word() - the number of @text in a list of words that ends with NULL; -EINVAL: it
 * is none of them
 */
int options_word(const char *const *words, const char *text);

/* The name of a long option by its val; NULL: there is none. */
const char *options_name(const struct option *longs, int option);

#endif /* EVTLOG_COMMON_OPTIONS_H */
