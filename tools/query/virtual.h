/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of logs as virtual tables of SQLite.
 *
 * Stage: below session.c, whose connection is evtlog's own, and extension.c, whose is anybody's.
 */
#ifndef EVTLOG_QUERY_VIRTUAL_H
#define EVTLOG_QUERY_VIRTUAL_H

#include "logs.h"
#include "sqlite.h"

/*
 * virtual_register() - makes temporary tables of all that there are, and views
 * @logs:	live until @destroy
 * @destroy:	called with the logs when no table needs them any more, at the connection's end, or
 *		here if it fails; NULL: they live as long as the connection
 *
 * Return: as sqlite3_exec().
 */
int virtual_register(sqlite3 *db, struct query_logs *logs, void (*destroy)(void *logs));

/* ---- views.c: tables by the names that Perfetto and systing give them, functions of times ---- */

/* Makes temporary views, and ts_rel() and ts_abs().  As sqlite3_exec(). */
int views_create(sqlite3 *db, struct query_logs *logs);

#endif /* EVTLOG_QUERY_VIRTUAL_H */
