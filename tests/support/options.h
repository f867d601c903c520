/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of programs that tests run: a table of their names, the variables that they set, and
 * their help.
 */
#ifndef EVTLOG_TESTS_SUPPORT_OPTIONS_H
#define EVTLOG_TESTS_SUPPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum option_kind { OPTION_FLAG, OPTION_U32, OPTION_U64, OPTION_S64, OPTION_TEXT, OPTION_CALL };

/*
 * @argument:	its name in the help; NULL: a flag
 * @take:	called with the argument, instead of setting a variable
 */
struct test_option {
	const char *name;
	const char *argument;
	const char *help;
	enum option_kind kind;
	void *to;
	void (*take)(const char *argument);
};

/* The variable's type is that of the argument: a number, or a text. */
#define OPTION(name, argument, variable, help)				\
	{ name, argument, help, _Generic((variable),			\
		bool *: OPTION_FLAG, unsigned int *: OPTION_U32,	\
		uint64_t *: OPTION_U64, int64_t *: OPTION_S64,		\
		const char **: OPTION_TEXT), variable, NULL }
#define OPTION_TAKE(name, argument, function, help)			\
	{ name, argument, help, OPTION_CALL, NULL, function }

/*
 * Takes the options in @table, which ends with {}. Returns the other arguments: as many as
 * @operands, or any number for -1. Prints the help for --help; exits with 2 on misuse.
 *
 * @usage:	the arguments after the program's name, and more lines for the help
 */
char **test_options(const struct test_option *table, const char *usage, int operands, int argc,
		    char **argv);

#endif /* EVTLOG_TESTS_SUPPORT_OPTIONS_H */
