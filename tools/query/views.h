/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables by the names that Perfetto and systing give them.
 *
 * Stage: above the tables of virtual.c, which makes them right after these.
 */
#ifndef EVTLOG_QUERY_VIEWS_H
#define EVTLOG_QUERY_VIEWS_H

#include "sqlite.h"

/* Makes temporary views.  As sqlite3_exec(). */
int views_create(sqlite3 *db);

#endif /* EVTLOG_QUERY_VIEWS_H */
