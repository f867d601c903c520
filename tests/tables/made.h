/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table that a test writes row by row, in the format of an export.
 */
#ifndef EVTLOG_TESTS_TABLES_MADE_H
#define EVTLOG_TESTS_TABLES_MADE_H

#include "parquet/rows.h"

/*
 * @rows:	closed before the first table and after each
 */
struct made {
	struct page_maker maker;
	struct rows rows;
	struct dictionary dictionary;
};

/* Writes row @i, from 1 on, with strings of the dictionary; returns 0 or -errno. */
typedef int (*made_row)(struct made *made, int64_t i);

/* Returns 0 or -errno; call made_free() in any case. */
int made_init(struct made *made);
void made_free(struct made *made);

/* Writes @count rows to DIRECTORY/NAME.parquet, and DIRECTORY/views.sql; @table: its number */
int made_write(struct made *made, const char *directory, unsigned int table, int64_t count,
	       made_row put);

#endif
