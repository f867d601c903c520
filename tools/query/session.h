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

#endif /* EVTLOG_QUERY_SESSION_H */
