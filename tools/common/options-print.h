/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a command's options: as help for people, and as a table for scripts.
 *
 * Stage: beside options.h, for it and for commands that have commands of their own.
 */
#ifndef EVTLOG_COMMON_OPTIONS_PRINT_H
#define EVTLOG_COMMON_OPTIONS_PRINT_H

#include <stdio.h>

#include "options.h"

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

#endif /* EVTLOG_COMMON_OPTIONS_PRINT_H */
