// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs SQL statements one after another: those of a text, or those that are typed at a terminal.
 */
#include <editline/readline.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/linebuf.h"
#include "common/options.h"
#include "session.h"

/* Longest part of a line that is shown below a message */
#define EXCERPT_BYTES	70

/* ---- Errors ---- */

/* Returns a hint for a message of SQLite. */
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
		{ "not authorized", "; a query may read tables and create temporary ones" },
		{ "incomplete input", "; the end of the statement is missing" },
		{ "too many attached", "; a query may not open files" },
	};

	for (size_t i = 0; i < sizeof(remedies) / sizeof(*remedies); i++)
		if (!strncmp(message, remedies[i].begin, strlen(remedies[i].begin)))
			return remedies[i].remedy;
	return "";
}

/* Prints the line with the error, and a mark below @column. */
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

/* @text: all statements; @statement points into it, to the failed one */
static void report_error(sqlite3 *db, const char *text, const char *statement)
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

/* Runs the statement at *@at, and moves *@at after it.  Returns an exit status. */
static int run_one(struct query_session *session, enum print_form form, const char *text, const char **at)
{
	sqlite3_stmt *statement;
	const char *rest;
	int result;

	query_session_begin(session);
	if (sqlite3_prepare_v2(session->db, *at, -1, &statement, &rest) != SQLITE_OK) {
		report_error(session->db, text, *at);
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
		pr_err("query: interrupted; the rows above are not all rows");
	else if (result != SQLITE_DONE && result != SQLITE_NOMEM)
		report_error(session->db, text, *at);
	sqlite3_finalize(statement);
	*at = rest;
	return result == SQLITE_DONE ? EXIT_OK : EXIT_FAILED;
}

/* ---- Commands other than SQL: .tables, .schema and the like ---- */

#define WORD_BYTES	64

/* Status of .quit: the prompt ends. */
#define DOT_QUIT	(-1)

/* Selects the statements that make our tables and the user's temporary tables. */
static const char schema[] =
	"SELECT name, sql FROM temp.sqlite_schema WHERE name NOT LIKE 'sqlite_%' "
	"AND (?1 = '' OR name = ?1) ORDER BY name";

static const char columns[] = "SELECT name, type FROM pragma_table_xinfo(?1, 'temp') WHERE hidden = 0";

/* Prints a virtual table as a CREATE TABLE statement. */
static int show_columns(struct query_session *session, const char *table)
{
	sqlite3_stmt *statement;
	const char *before = "(\n  ";

	if (sqlite3_prepare_v2(session->db, columns, -1, &statement, NULL) != SQLITE_OK)
		return EXIT_FAILED;
	sqlite3_bind_text(statement, 1, table, -1, SQLITE_TRANSIENT);
	fprintf(session->out, "CREATE TABLE %s ", table);
	while (sqlite3_step(statement) == SQLITE_ROW) {
		fprintf(session->out, "%s%s %s", before, (const char *)sqlite3_column_text(statement, 0),
			(const char *)sqlite3_column_text(statement, 1));
		before = ",\n  ";
	}
	fputs("\n);\n", session->out);
	sqlite3_finalize(statement);
	return EXIT_OK;
}

static int show_schema(struct query_session *session, const char *name)
{
	sqlite3_stmt *statement;
	int status = EXIT_OK;
	bool found = false;

	if (sqlite3_prepare_v2(session->db, schema, -1, &statement, NULL) != SQLITE_OK)
		return EXIT_FAILED;
	sqlite3_bind_text(statement, 1, name, -1, SQLITE_TRANSIENT);
	while (status == EXIT_OK && sqlite3_step(statement) == SQLITE_ROW) {
		const char *table = (const char *)sqlite3_column_text(statement, 0);
		const char *sql = (const char *)sqlite3_column_text(statement, 1);

		found = true;
		if (sql && strncmp(sql, "CREATE VIRTUAL", strlen("CREATE VIRTUAL")))
			fprintf(session->out, "%s;\n", sql);
		else
			status = show_columns(session, table);
	}
	sqlite3_finalize(statement);
	if (found || !*name)
		return status;
	pr_err("query: .schema %s: no such table; .tables lists them", name);
	return EXIT_FAILED;
}

static int show_tables(struct query_session *session)
{
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(session->db, schema, -1, &statement, NULL) != SQLITE_OK)
		return EXIT_FAILED;
	sqlite3_bind_text(statement, 1, "", -1, SQLITE_STATIC);
	while (sqlite3_step(statement) == SQLITE_ROW)
		fprintf(session->out, "%s\n", (const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	return EXIT_OK;
}

static int show_help(struct query_session *session)
{
	fputs(".tables           list the tables\n"
	      ".schema [TABLE]   show columns, of one table or of all\n"
	      ".mode FORM        print rows as text, csv or json\n"
	      ".help             print this list\n"
	      ".quit             end\n"
	      "Everything else is SQL, which ends with a semicolon; see evtlog-query(1).\n", session->out);
	return EXIT_OK;
}

static int set_mode(enum print_form *form, const char *name)
{
	int word = options_word(print_form_names, name);

	if (word < 0) {
		pr_err("query: .mode %s: not one of text, csv and json", name);
		return EXIT_MISUSE;
	}
	*form = word;
	return EXIT_OK;
}

/*
 * Runs the command in the line at *@at, and moves *@at to the end of the line.  Returns an exit
 * status, after an error message; or DOT_QUIT.
 */
static int run_dot(struct query_session *session, enum print_form *form, const char **at)
{
	char text[WORD_BYTES] = "", name[WORD_BYTES] = "", rest[2] = "", line[4 * WORD_BYTES];
	size_t length = strcspn(*at, "\n");

	snprintf(line, sizeof(line), "%.*s", (int)length, *at);
	*at += length;
	if (sscanf(line, "%63s %63s %1s", text, name, rest) > 2) {
		pr_err("query: %s: too many words; see .help", text);
		return EXIT_MISUSE;
	}
	if (!strcmp(text, ".tables") && !*name)
		return show_tables(session);
	if (!strcmp(text, ".schema"))
		return show_schema(session, name);
	if (!strcmp(text, ".mode"))
		return set_mode(form, name);
	if (!strcmp(text, ".help"))
		return show_help(session);
	if (!strcmp(text, ".quit") || !strcmp(text, ".exit"))
		return DOT_QUIT;
	pr_err("query: %s: no such command; .help lists them", text);
	return EXIT_MISUSE;
}

/* ---- All statements of a text ---- */

int statements_run(struct query_session *session, enum print_form *form, const char *text)
{
	const char *at = text;
	int status = EXIT_OK;

	while (status == EXIT_OK && !ferror(session->out)) {
		at += strspn(at, " \t\r\n;");
		if (!*at)
			break;
		if (*at == '.')
			status = run_dot(session, form, &at);
		else
			status = run_one(session, *form, text, &at);
	}
	return status;
}

/* ---- A prompt on a terminal, for statements of several lines; they are not saved ---- */

/* Appends a line to an unfinished statement.  Returns 0 or -ENOMEM. */
static int join_line(char **text, const char *line)
{
	char *joined;

	if (asprintf(&joined, "%s%s%s", *text ? *text : "", *text ? "\n" : "", line) < 0)
		return -ENOMEM;
	free(*text);
	*text = joined;
	return 0;
}

static bool is_whole(const char *text)
{
	const char *begin = text + strspn(text, " \t\n");

	return !*begin || *begin == '.' || sqlite3_complete(text);
}

/* Returns NULL at the end of input, or after Ctrl-C: then session->logs->stop is true. */
static char *read_line(struct query_session *session, const char *prompt)
{
	query_session_begin(session);
	return readline(prompt);
}

int prompt_run(struct query_session *session, enum print_form form)
{
	int status = EXIT_OK, error = 0;
	char *text = NULL, *line;

	while (!error && status != DOT_QUIT) {
		line = read_line(session, text ? "   ...> " : "evtlog> ");
		if (!line && !session->logs->stop)
			break;
		if (!line) {
			/* Drop the unfinished statement. */
			free(text);
			text = NULL;
			putc('\n', session->out);
			continue;
		}
		error = join_line(&text, line);
		free(line);
		if (error || !is_whole(text))
			continue;
		if (text[strspn(text, " \t\n")])
			add_history(text);
		status = statements_run(session, &form, text);
		fflush(session->out);
		session->printed = false;
		free(text);
		text = NULL;
	}
	if (status != DOT_QUIT)
		putc('\n', session->out);
	free(text);
	if (!error)
		return EXIT_OK;
	pr_err("query: %s", strerror(-error));
	return EXIT_FAILED;
}
