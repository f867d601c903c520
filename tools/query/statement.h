/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs SQL statements and prints their rows, or says what is wrong with them, and where.
 *
 * Called by cmd-query.c for what is on the command line or in a file, and by prompt.c.
 */
#ifndef EVTLOG_QUERY_STATEMENT_H
#define EVTLOG_QUERY_STATEMENT_H

#include "print.h"
#include "session.h"

/*
 * statements_run() - all statements of a text, and commands such as .tables, each a line of its own
 * @form:	of rows; a line .mode changes it
 *
 * An exit status, after saying what is wrong: nothing is run behind a statement that failed.
 */
int statements_run(struct query_session *session, enum print_form *form, const char *text);

#endif /* EVTLOG_QUERY_STATEMENT_H */
