/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A connection to SQLite that has a log's tables, and nothing else.
 *
 * Stage: above virtual.c, which gives the tables; cmd-query.c opens one.
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
 * @out:	where rows go
 * @printed:	rows of a statement were
 */
struct query_session {
	sqlite3 *db;
	struct query_logs *logs;
	FILE *out;
	bool printed;
};

/*
 * query_session_open() - makes the tables of some logs known
 * @paths:	files, as paths_expand() gives them
 * @manner:	how they are opened
 *
 * An exit status, after saying what is wrong; query_session_close() in all cases.
 */
int query_session_open(struct query_session *session, char **paths, size_t count,
		       const struct query_manner *manner);
void query_session_close(struct query_session *session);

/* Before a statement: Ctrl-C stops what is run from now on. */
void query_session_begin(struct query_session *session);

/* What the logs lack, as far as they were read: EXIT_OK or EXIT_EVENTS_LOST, after saying so. */
int query_session_verdict(const struct query_session *session);

/* ---- statement.c ---- */

/*
 * statements_run() - all statements of a text, and commands such as .tables, each a line of its own
 * @form:	of rows; a line .mode changes it
 *
 * An exit status, after saying what is wrong: nothing is run behind a statement that failed.
 */
int statements_run(struct query_session *session, enum print_form *form, const char *text);

/* .quit: the status of a prompt that is to end */
#define DOT_QUIT	(-1)

/*
 * dot_run() - the command in the line at *@at, which is left behind it
 *
 * An exit status, after saying what is wrong; DOT_QUIT.
 */
int dot_run(struct query_session *session, enum print_form *form, const char **at);

/* ---- prompt.c: a prompt on a terminal; its lines are not saved ---- */

/* Until the end of input or .quit.  An exit status: a statement that fails does not end it. */
int prompt_run(struct query_session *session, enum print_form form);

#endif /* EVTLOG_QUERY_SESSION_H */
