/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the rows of a query as they come: aligned columns, CSV, or a JSON object per line.
 *
 * Stage: between statement.c and the output.  It keeps only the first rows, for column widths.
 */
#ifndef EVTLOG_QUERY_PRINT_H
#define EVTLOG_QUERY_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/csv.h"
#include "sqlite.h"

enum print_form {
	PRINT_TEXT,
	PRINT_CSV,
	PRINT_JSON,
};

extern const char *const print_form_names[];

/*
 * @names:	escaped names of columns
 * @cells:	values of the first @rows rows, until the widths of columns are known
 * @widths:	widths of columns
 * @numbers:	true for columns with only numbers so far; these are aligned to the right
 * @ready:	print_begin() has allocated all of these
 * @aligned:	the first rows are printed
 */
struct print {
	FILE *out;
	enum print_form form;
	sqlite3_stmt *statement;
	int columns;
	char **names;
	char **cells;
	size_t rows;
	size_t *widths;
	bool *numbers;
	bool ready;
	bool aligned;
	struct csv csv;
};

/* For a statement with columns.  Returns 0 or -ENOMEM.  Call print_end() in both cases. */
int print_begin(struct print *print, FILE *out, enum print_form form, sqlite3_stmt *statement);
/* Prints or keeps the current row.  Returns 0 or -ENOMEM. */
int print_row(struct print *print);
/* Prints the kept rows, and frees the memory. */
void print_end(struct print *print);

#endif /* EVTLOG_QUERY_PRINT_H */
