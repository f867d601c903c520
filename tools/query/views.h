/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables by the names that Perfetto and systing give them, and functions of times.
 *
 * Stage: above the tables of virtual.c, which makes them right after these.
 */
#ifndef EVTLOG_QUERY_VIEWS_H
#define EVTLOG_QUERY_VIEWS_H

#include "logs.h"
#include "sqlite.h"

/* Makes temporary views, and ts_rel() and ts_abs().  As sqlite3_exec(). */
int views_create(sqlite3 *db, struct query_logs *logs);

#endif /* EVTLOG_QUERY_VIEWS_H */
