/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table that a test makes row by row, as an export writes it.
 */
#ifndef EVTLOG_TESTS_TABLES_MADE_H
#define EVTLOG_TESTS_TABLES_MADE_H

#include "parquet/rows.h"

/*
 * @rows:	closed before the first table and behind each
 */
struct made {
	struct page_maker maker;
	struct rows rows;
	struct dictionary dictionary;
};

/* Row @i, from 1 on, with strings of the dictionary; 0 or -errno. */
typedef int (*made_row)(struct made *made, int64_t i);

/* 0 or -errno; made_free() in any case */
int made_init(struct made *made);
void made_free(struct made *made);

/* DIRECTORY/NAME.parquet of a table of enum table_number, of @count rows, and DIRECTORY/views.sql */
int made_write(struct made *made, const char *directory, unsigned int table, int64_t count,
	       made_row put);

#endif
