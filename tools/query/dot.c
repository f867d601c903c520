// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * .tables, .schema, .mode, .help, .quit
 */
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/options.h"
#include "dot.h"

#define WORD_BYTES	64

/* ---- Tables ---- */

/* The statement that makes a table as it looks, of ours and of the user's temporary ones */
static const char schema[] =
	"SELECT name, sql FROM temp.sqlite_schema WHERE name NOT LIKE 'sqlite_%' "
	"AND (?1 = '' OR name = ?1) ORDER BY name";

static const char columns[] = "SELECT name, type FROM pragma_table_xinfo(?1, 'temp') WHERE hidden = 0";

/* What CREATE TABLE would say of a virtual table */
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

/* ---- Commands ---- */

static int show_help(struct query_session *session)
{
	fputs(".tables           list the tables\n"
	      ".schema [TABLE]   show columns, of one table or of all\n"
	      ".mode FORM        print rows as text, csv or json\n"
	      ".help             this\n"
	      ".quit             end\n"
	      "All else is SQL, which ends with a semicolon; see evtlog-query(7).\n", session->out);
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

int dot_run(struct query_session *session, enum print_form *form, const char **at)
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
