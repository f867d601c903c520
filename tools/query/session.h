/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A connection to SQLite with the tables of logs, and no other tables.
 *
 * Stage: between cmd-query.c, which opens it, and virtual.c, which provides the tables.
 */
#ifndef EVTLOG_QUERY_SESSION_H
#define EVTLOG_QUERY_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/csv.h"
#include "logs.h"
#include "virtual.h"

/*
 * @out:	destination of rows
 * @printed:	rows of a statement were printed
 */
struct query_session {
	sqlite3 *db;
	struct query_logs *logs;
	FILE *out;
	bool printed;
};

/*
 * query_session_open() - open logs and make their tables
 * @paths:	files, from paths_expand()
 *
 * Return: an exit status, after an error message.  Call query_session_close() in all cases.
 */
int query_session_open(struct query_session *session, char **paths, size_t count,
		       const struct query_manner *manner);
void query_session_close(struct query_session *session);

/* Call it before a statement: Ctrl-C stops what runs after this call. */
void query_session_begin(struct query_session *session);

/* Prints losses and damage in the parts that were read.  Returns as query_logs_verdict(). */
int query_session_verdict(const struct query_session *session);

/*
 * ---- print.c: rows as they come: aligned columns, CSV, or a JSON object per line ----
 *
 * It keeps only the first rows, for column widths.
 */

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

/* ---- statement.c ---- */

/*
 * statements_run() - run all statements of a text, and commands such as .tables, one a line
 * @form:	output form of rows; .mode changes it
 *
 * Return: an exit status, after an error message.  It stops at the first error.
 */
int statements_run(struct query_session *session, enum print_form *form, const char *text);

/*
 * prompt_run() - run statements that are typed at a terminal
 *
 * Runs until the end of input or .quit, also after failed statements.  Returns an exit status.
 */
int prompt_run(struct query_session *session, enum print_form form);

#endif /* EVTLOG_QUERY_SESSION_H */
