/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands of a prompt that are no SQL: .tables, .schema and the like.
 */
#ifndef EVTLOG_QUERY_DOT_H
#define EVTLOG_QUERY_DOT_H

#include "print.h"
#include "session.h"

/* .quit: the status of a prompt that is to end */
#define DOT_QUIT	(-1)

/*
 * dot_run() - the command in the line at *@at, which is left behind it
 *
 * An exit status, after saying what is wrong; DOT_QUIT.
 */
int dot_run(struct query_session *session, enum print_form *form, const char **at);

#endif /* EVTLOG_QUERY_DOT_H */
