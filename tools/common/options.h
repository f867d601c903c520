/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of a command's options: getopt_long(), --help, the manual page's options and the
 * completion are made from it.
 *
 * What an option means is the command's to know.
 */
#ifndef EVTLOG_COMMON_OPTIONS_H
#define EVTLOG_COMMON_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

/* What a value is, for the completion. */
enum value_kind {
	VALUE_TEXT,		/* a number, a time, a name: the completion offers nothing */
	VALUE_WORD,		/* one of option_desc.words */
	VALUE_WORDS,		/* some of them, separated by commas */
	VALUE_FILE,
	VALUE_DIRECTORY,
	VALUE_LOG,		/* .evl, .evm, or a directory of them */
	VALUE_CPUS,
	VALUE_TYPES,		/* types of events and their groups */
	VALUE_TYPE_CHANGES,	/* the same, with + and - */
	VALUE_COMMS,
	VALUE_HOSTS,
	VALUE_INTERFACE,	/* of the network */
	VALUE_COMMAND,		/* a program and its arguments */
};

/*
 * An option, or with @group a reference to a table of options that commands share.
 * @val:	what the command's take() gets; a letter is also the short option
 * @name:	the long option
 * @argument:	the value's name, such as FILE; [FILE]: it may be left out; NULL: there is none
 * @help:	what it does, one sentence without a capital and a full stop; any length
 * @kind, @words: the value, if it has one; @words end with NULL
 * @valid:	what a valid value looks like, for the message: "a number from 1 to 9"
 *
 * A table ends with { }.  Option --help is in every table and is not written down.
 */
struct option_desc {
	int val;
	const char *name;
	const char *argument;
	const char *help;
	enum value_kind kind;
	const char *const *words;
	const char *valid;
	const struct option_desc *group;
};

#define OPTION_GROUP(table)	{ .group = (table) }

/*
 * @command:	as misuse() has it: "dump", "jitter run"
 * @usage:	what follows the command's name, a line for each form
 * @about:	what the command does, paragraphs separated by empty lines; any length of lines
 * @table:	the options
 * @notes:	printed as it is after the options: exit status, examples
 * @operands:	what the arguments that are no options are, for the completion
 * @stops_at_operand: options after the first such argument are not the command's
 * @take:	takes an option, by its val: 0; -errno if it can't have this @value; an exit
 *		status, after saying what is wrong.  @value: NULL if it has none
 */
struct options {
	const char *command;
	const char *usage;
	const char *about;
	const struct option_desc *table;
	const char *notes;
	enum value_kind operands;
	bool stops_at_operand;
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

/*
 * options_word() - the number of @text in a list of words that ends with NULL; -EINVAL: it
 * is none of them
 */
int options_word(const char *const *words, const char *text);

/* The long name of an option by its val; NULL: there is none. */
const char *options_name(const struct option_desc *table, int val);

/* ---- options-print.c: as help for people, and as a table for scripts ---- */

#define OPTIONS_MAX	48

/* --help=table: for the completion, tools/man/update-options and tests. */
#define OPTIONS_FORM_TABLE	"table"

/* A table with its groups resolved, and --help at its end */
struct option_list {
	const struct option_desc *at[OPTIONS_MAX];
	size_t count;
};

void options_list(struct option_list *list, const struct option_desc *table);

/* At most 80 columns, except for notes, which are printed as they are. */
void options_print_help(const struct options *options, FILE *out);

/*
 * Lines with fields separated by tabs, "-" for an empty one:
 *	usage TEXT
 *	operands KIND
 *	option LETTER NAME ARGUMENT KIND WORDS HELP
 * WORDS are separated by blanks.
 */
void options_print_table(const struct options *options, FILE *out);

/* Text in lines of 80 columns; an empty line ("\n\n") begins a paragraph. */
void options_print_text(const char *text, FILE *out);

#endif /* EVTLOG_COMMON_OPTIONS_H */
