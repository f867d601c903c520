/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SQLite's interface: of the library in evtlog, or of the program that loads the extension.
 *
 * Files that are part of both include this header.
 */
#ifndef EVTLOG_QUERY_SQLITE_H
#define EVTLOG_QUERY_SQLITE_H

#ifdef EVTLOG_SQLITE_EXTENSION
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
#else
#include <sqlite3.h>
#endif

#endif /* EVTLOG_QUERY_SQLITE_H */
