/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a command goes through its options.
 *
 * Stage: between argv and the commands.  What an option means is the command's to know.
 */
#ifndef EVTLOG_OPTIONS_H
#define EVTLOG_OPTIONS_H

#include <getopt.h>

/*
 * @command:	as misuse() has it
 * @help:	what --help, -h prints
 * @letters:	as for getopt_long()
 * @longs:	the same; 'h' is help
 * @take:	takes an option, by its val: 0; -errno if it can't have this @value; an exit
 *		status, after saying what is wrong.  @value: NULL if it has none
 */
struct options {
	const char *command;
	const char *help;
	const char *letters;
	const struct option *longs;
	int (*take)(void *context, int option, char *value);
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

/* The name of a long option by its val; NULL: there is none. */
const char *options_name(const struct option *longs, int option);

#endif /* EVTLOG_OPTIONS_H */
