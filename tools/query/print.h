/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the rows of a query as they come: aligned columns, CSV, or a JSON object per line.
 *
 * Called by statement.c.  It does not hold more than the first rows, for the columns' widths.
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
 * @names:	of columns, for a terminal
 * @cells:	of the first @rows rows, until the widths of columns are known
 * @widths:	of the columns
 * @numbers:	columns in which there were numbers only, which stand at the right
 * @ready:	print_begin() has made all of this
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

/* Before the first row of a statement that has columns.  0 or -ENOMEM; print_end() in both cases. */
int print_begin(struct print *print, FILE *out, enum print_form form, sqlite3_stmt *statement);
/* The row at hand.  0 or -ENOMEM. */
int print_row(struct print *print);
/* Prints what is kept, and frees it. */
void print_end(struct print *print);

#endif /* EVTLOG_QUERY_PRINT_H */
