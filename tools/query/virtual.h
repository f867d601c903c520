/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of logs as virtual tables of SQLite.
 *
 * Stage: between cursor.h, which reads rows, and SQLite: in evtlog's own connection (session.c), or
 * in any program's (extension.c).
 */
#ifndef EVTLOG_QUERY_VIRTUAL_H
#define EVTLOG_QUERY_VIRTUAL_H

#include "logs.h"

/* SQLite's interface: of the library in evtlog, or of the program that loads the extension */
#ifdef EVTLOG_SQLITE_EXTENSION
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
#else
#include <sqlite3.h>
#endif

/*
 * virtual_register() - make temporary tables of all tables of logs, and views
 * @logs:	must stay valid until @destroy is called
 * @destroy:	called with @logs at the end of the connection, or here after an error; NULL: @logs
 *		must outlive the connection
 *
 * Return: as sqlite3_exec().
 */
int virtual_register(sqlite3 *db, struct query_logs *logs, void (*destroy)(void *logs));

/* ---- views.c: views with the names of Perfetto and systing, and functions of times ---- */

/* Makes temporary views, and ts_rel() and ts_abs().  Returns as sqlite3_exec(). */
int views_create(sqlite3 *db, struct query_logs *logs);

#endif /* EVTLOG_QUERY_VIRTUAL_H */
