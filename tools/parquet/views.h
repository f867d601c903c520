/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * views.sql: what makes the files tables of an SQL engine, with views that Perfetto's and
 * systing's queries want.
 */
#ifndef EVTLOG_PARQUET_VIEWS_H
#define EVTLOG_PARQUET_VIEWS_H

#include <stdint.h>

/* Writes it into @directory, of @tables.  0 or -errno. */
int views_write(const char *directory, uint32_t tables);

#endif /* EVTLOG_PARQUET_VIEWS_H */
