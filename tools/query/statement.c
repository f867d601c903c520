// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs SQL statements one after another.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/linebuf.h"
#include "dot.h"
#include "statement.h"

/* More of a line is not shown below a message. */
#define EXCERPT_BYTES	70

/* ---- What is wrong ---- */

/* What helps with a message of SQLite */
static const char *remedy(const char *message)
{
	static const struct {
		const char *begin;
		const char *remedy;
	} remedies[] = {
		{ "no such table", "; .tables lists them" },
		{ "no such column", "; .schema lists columns" },
		{ "no such function", "; SELECT name FROM pragma_function_list lists them" },
		{ "authorization denied", "; a query may not write files" },
		{ "not authorized", "; a query may read tables, and have temporary ones" },
		{ "incomplete input", "; the statement goes on" },
		{ "too many attached", "; a query may not open files" },
	};

	for (size_t i = 0; i < sizeof(remedies) / sizeof(*remedies); i++)
		if (!strncmp(message, remedies[i].begin, strlen(remedies[i].begin)))
			return remedies[i].remedy;
	return "";
}

/* The line with the place, and a mark below it */
static void show_place(const char *line, size_t column)
{
	size_t length = strcspn(line, "\n"), from = 0;
	struct line shown;

	if (column > EXCERPT_BYTES)
		from = column - EXCERPT_BYTES / 2;
	if (length > from + EXCERPT_BYTES)
		length = from + EXCERPT_BYTES;
	shown.length = 0;
	for (size_t i = from; i < length; i++)
		if (line[i] == '\t')
			line_char(&shown, ' ');
		else
			line_escaped(&shown, line + i, 1);
	line_char(&shown, '\0');
	fprintf(stderr, "  %s\n  %*s\n", shown.text, (int)(column - from) + 1, "^");
}

/* @text: all of it, in which @statement begins. */
static void tell_error(sqlite3 *db, const char *text, const char *statement)
{
	const char *message = sqlite3_errmsg(db), *line = text;
	int offset = sqlite3_error_offset(db);
	unsigned int number = 1;

	if (offset < 0) {
		pr_err("query: %s%s", message, remedy(message));
		return;
	}
	for (const char *at = text; at < statement + offset; at++)
		if (*at == '\n') {
			number++;
			line = at + 1;
		}
	pr_err("query: line %u, column %zu: %s%s", number,
	       (size_t)(statement + offset - line) + 1, message, remedy(message));
	show_place(line, statement + offset - line);
}

/* ---- Running ---- */

static int print_rows(struct query_session *session, enum print_form form, sqlite3_stmt *statement)
{
	struct print print;
	int error = print_begin(&print, session->out, form, statement), result = SQLITE_DONE;

	while (!error && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		error = print_row(&print);
		if (ferror(session->out))
			break;
	}
	print_end(&print);
	if (!error)
		return result == SQLITE_ROW ? SQLITE_DONE : result;
	pr_err("query: %s", strerror(-error));
	return SQLITE_NOMEM;
}

static int run_prepared(struct query_session *session, enum print_form form, sqlite3_stmt *statement)
{
	int result;

	if (sqlite3_column_count(statement))
		return print_rows(session, form, statement);
	while ((result = sqlite3_step(statement)) == SQLITE_ROW)
		;
	return result;
}

/* One statement at *@at, which is left behind it.  An exit status. */
static int run_one(struct query_session *session, enum print_form form, const char *text, const char **at)
{
	sqlite3_stmt *statement;
	const char *rest;
	int result;

	query_session_begin(session);
	if (sqlite3_prepare_v2(session->db, *at, -1, &statement, &rest) != SQLITE_OK) {
		tell_error(session->db, text, *at);
		return EXIT_FAILED;
	}
	/* A comment, or nothing */
	if (!statement) {
		*at = rest;
		return EXIT_OK;
	}
	if (session->printed && form == PRINT_TEXT && sqlite3_column_count(statement))
		putc('\n', session->out);
	session->printed |= sqlite3_column_count(statement) > 0;
	result = run_prepared(session, form, statement);
	if (result == SQLITE_INTERRUPT)
		pr_err("query: stopped; the rows above are not all");
	else if (result != SQLITE_DONE && result != SQLITE_NOMEM)
		tell_error(session->db, text, *at);
	sqlite3_finalize(statement);
	*at = rest;
	return result == SQLITE_DONE ? EXIT_OK : EXIT_FAILED;
}

int statements_run(struct query_session *session, enum print_form *form, const char *text)
{
	const char *at = text;
	int status = EXIT_OK;

	while (status == EXIT_OK && !ferror(session->out)) {
		at += strspn(at, " \t\r\n;");
		if (!*at)
			break;
		if (*at == '.')
			status = dot_run(session, form, &at);
		else
			status = run_one(session, *form, text, &at);
	}
	return status;
}
