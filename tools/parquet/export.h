/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes logs as Parquet files, a file for each table, which DuckDB, pandas, Spark and others read.
 */
#ifndef EVTLOG_PARQUET_EXPORT_H
#define EVTLOG_PARQUET_EXPORT_H

#include <stdint.h>

#include "export/sources.h"
#include "lib/tables/tables.h"

/* What is written unless the user says otherwise: of the others there are views. */
#define PARQUET_TABLES	(TABLES_ALL & ~TABLES_DERIVED)

/* @tables: a bit for each enum table_number */
struct parquet_options {
	const char *directory;
	struct sources_options sources;
	uint32_t tables;
};

/* "sched_slice,thread" as bits of tables.  0; -EINVAL: one is none of them; -ENOMEM. */
int parquet_tables(uint32_t *tables, const char *list);

/* Returns an exit status, after saying what is wrong: then no directory is there. */
int parquet_export(const struct parquet_options *opts, char **paths, size_t count);

/* ---- views.sql ---- */

/*
 * What makes the files tables of an SQL engine, with views that Perfetto's and systing's queries
 * want.
 */

/* Writes it into @directory, of @tables.  0 or -errno. */
int views_write(const char *directory, uint32_t tables);

#endif /* EVTLOG_PARQUET_EXPORT_H */
