/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes logs as Parquet files, one for each table, which DuckDB, pandas, Spark and others read.
 */
#ifndef EVTLOG_PARQUET_EXPORT_H
#define EVTLOG_PARQUET_EXPORT_H

#include <stdint.h>

#include "export/sources.h"
#include "lib/tables/tables.h"

/* Tables that are written by default; the others are views of them. */
#define PARQUET_TABLES	(TABLES_ALL & ~TABLES_DERIVED)

/* @tables: a bit for each enum table_number */
struct parquet_options {
	const char *directory;
	struct sources_options sources;
	uint32_t tables;
};

/* Parses names as in "sched_slice,thread".  Returns 0; -EINVAL for an unknown name; -ENOMEM. */
int parquet_tables(uint32_t *tables, const char *list);

/* Returns an exit status, after an error message.  After an error, no directory is left. */
int parquet_export(const struct parquet_options *opts, char **paths, size_t count);

/* ---- views.sql ---- */

/*
 * Writes views.sql for @tables into @directory.  It makes the files tables of an SQL engine, with
 * the views that queries for Perfetto and systing need.  Returns 0 or -errno.
 */
int views_write(const char *directory, uint32_t tables);

#endif /* EVTLOG_PARQUET_EXPORT_H */
