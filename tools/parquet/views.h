/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * views.sql: what makes the files tables of an SQL engine, with views that Perfetto's and
 * systing's queries want.
 */
#ifndef EVTLOG_PARQUET_VIEWS_H
#define EVTLOG_PARQUET_VIEWS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/tables/tables.h"

#define VIEW_OF(NAME)	(UINT32_C(1) << TABLE_##NAME)

/*
 * What is made of other tables
 *
 * @needs:	all of these
 * @is:		the number that it has as a file, which then is there instead; TABLES: none
 */
struct view {
	uint32_t needs;
	enum table_number is;
	const char *sql;
};

/* systing.c: a schema of its own, with systing's columns and no others */
extern const struct view views_of_systing[];
extern const size_t views_of_systing_count;

/* Writes it into @directory, of @tables.  0 or -errno. */
int views_write(const char *directory, uint32_t tables);

#endif /* EVTLOG_PARQUET_VIEWS_H */
