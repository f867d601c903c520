/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of a command's options.  getopt_long(), --help, the options in the manual page and
 * the shell completion use it.
 *
 * The commands give the options their meaning.
 */
#ifndef EVTLOG_COMMON_OPTIONS_H
#define EVTLOG_COMMON_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

/* Kinds of values, for the completion. */
enum value_kind {
	VALUE_TEXT,		/* a number, a time, a name: no completion */
	VALUE_WORD,		/* one of option_desc.words */
	VALUE_WORDS,		/* some of them, separated by commas */
	VALUE_FILE,
	VALUE_DIRECTORY,
	VALUE_LOG,		/* a file .evl or .evm, or a directory of them */
	VALUE_CPUS,
	VALUE_TYPES,		/* types of events and their groups */
	VALUE_TYPE_CHANGES,	/* the same, with + and - */
	VALUE_COMMS,
	VALUE_HOSTS,
	VALUE_INTERFACE,	/* of the network */
	VALUE_COMMAND,		/* a program and its arguments */
};

/*
 * An option; or with @group, a table of options that several commands share.  If @is_shared, the
 * help of the command with these subcommands lists the group, not the help of each.
 * @val:	passed to the command's take(); a letter is also the short option: e events, p probe,
 *		o output, n a number, j JSON, f force, q quiet.  Other options have no letter
 * @name:	the long option
 * @argument:	name of the value, such as FILE, or [FILE] if optional; NULL if there is no value
 * @help:	what the option does, one sentence without capital and full stop; any length
 * @kind, @words: kind of the value, and the allowed words; @words end with NULL
 * @valid:	form of a valid value, for the error message: "a number from 1 to 9"
 *
 * A table ends with { }.  The option --help is added to each table.
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
	bool is_shared;
};

#define OPTION_GROUP(table)	{ .group = (table) }
#define OPTION_SHARED(table)	{ .group = (table), .is_shared = true }

/*
 * @command:	as for misuse(): "dump", "jitter run"
 * @usage:	text after the command's name, one line for each form
 * @about:	what the command does; paragraphs separated by empty lines, lines of any length
 * @table:	the options
 * @notes:	printed unchanged after the options: exit status, examples
 * @operands:	kind of the arguments that are not options, for the completion
 * @stops_at_operand: options after the first such argument are not parsed
 * @take:	called for each option, with its val.  Returns 0; -errno if @value is not valid;
 *		an exit status after printing the error.  @value is NULL if there is none.
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
 * options_take() - parse argv; argv[optind] is the first argument that is not an option
 *
 * Returns OPTIONS_TAKEN, or an exit status if the command must end: after --help or a wrong
 * option.
 */
int options_take(const struct options *options, int argc, char **argv, void *context);

/* The same, for a command without other arguments. */
int options_take_only(const struct options *options, int argc, char **argv, void *context);

/* options_word() - return the index of @text in a NULL-terminated list; -EINVAL if not found */
int options_word(const char *const *words, const char *text);

/*
 * options_words() - adds the bits of the words in @text, "one,two", to @bits.  Returns 0; -EINVAL: a
 * word is not in the list
 */
int options_words(const char *const *words, const char *text, unsigned int *bits);

/* Returns the long name of an option by its val, NULL if there is none. */
const char *options_name(const struct option_desc *table, int val);

/* ---- options-print.c: prints options as help for people and as a table for scripts ---- */

#define OPTIONS_MAX	48

/* --help=table: for the completion, tools/man/update-options and tests. */
#define OPTIONS_FORM_TABLE	"table"

/* A table with groups inserted, and --help at the end */
struct option_list {
	const struct option_desc *at[OPTIONS_MAX];
	bool is_shared[OPTIONS_MAX];
	size_t count;
};

void options_list(struct option_list *list, const struct option_desc *table);

/* Prints at most 80 columns, but notes unchanged. */
void options_print_help(const struct options *options, FILE *out);

/*
 * Prints lines with fields separated by tabs, "-" for an empty field:
 *	usage TEXT
 *	operands KIND
 *	option LETTER NAME ARGUMENT KIND WORDS HELP
 *	shared COMMAND NAME
 * WORDS are separated by blanks.  The table of COMMAND has the option NAME.
 */
void options_print_table(const struct options *options, FILE *out);

/* Prints only the options of @table, without --help, for people or for scripts. */
void options_print_list(const struct option_desc *table, bool for_scripts, FILE *out);

/* Prints text in lines of 80 columns; an empty line ("\n\n") separates paragraphs. */
void options_print_text(const char *text, FILE *out);

#endif /* EVTLOG_COMMON_OPTIONS_H */
