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

#include "logs.h"
#include "print.h"
#include "sqlite.h"

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

/* ---- statement.c ---- */

/*
 * statements_run() - run all statements of a text, and commands such as .tables, one a line
 * @form:	output form of rows; .mode changes it
 *
 * Return: an exit status, after an error message.  It stops at the first error.
 */
int statements_run(struct query_session *session, enum print_form *form, const char *text);

/* Status of .quit: the prompt ends. */
#define DOT_QUIT	(-1)

/*
 * dot_run() - run the command in the line at *@at, and move *@at to the end of the line
 *
 * Return: an exit status, after an error message; or DOT_QUIT.
 */
int dot_run(struct query_session *session, enum print_form *form, const char **at);

/* ---- prompt.c: a prompt on a terminal; its lines are not saved ---- */

/* Runs until the end of input or .quit, also after failed statements.  Returns an exit status. */
int prompt_run(struct query_session *session, enum print_form form);

#endif /* EVTLOG_QUERY_SESSION_H */
