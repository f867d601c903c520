/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a query may do: read tables, and keep temporary tables and views of its own.
 *
 * Called by session.c once its own tables are there.  The extension has no guard: there it is the
 * program's that loads it.
 */
#ifndef EVTLOG_QUERY_GUARD_H
#define EVTLOG_QUERY_GUARD_H

#include "sqlite.h"

/*
 * guard_close() - from now on no statement can open, write or change a file, or load code
 *
 * Files that SQLite sorts in have no name, and are in TMPDIR.  Returns 0; -EIO: SQLite refuses.
 */
int guard_close(sqlite3 *db);

#endif /* EVTLOG_QUERY_GUARD_H */
