/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of one table in memory: those of some events, or all of a small table.
 *
 * Stage: between lib/tables, which gives rows, and virtual.c, which SQLite asks for them.
 */
#ifndef EVTLOG_QUERY_BLOCK_H
#define EVTLOG_QUERY_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/tables/tables.h"

/*
 * @values:	@columns of each row, those of the table first; strings that hold for one row only are at an offset of @texts
 * @nulls:	of each row
 * @has_once:	there are such strings
 */
struct row_block {
	unsigned int columns;
	bool has_once;
	size_t rows;
	size_t capacity;
	int64_t *values;
	uint32_t *nulls;
	char *texts;
	size_t text_bytes;
	size_t text_capacity;
};

/* A string in @texts: its offset, and a bit above all ids of a dictionary */
#define BLOCK_TEXT	(INT64_C(1) << 62)

/* @more: columns of numbers behind those of @table */
void block_init(struct row_block *block, const struct table *table, unsigned int more);
void block_free(struct row_block *block);

static inline void block_empty(struct row_block *block)
{
	block->rows = 0;
	block->text_bytes = 0;
}

/* Adds a row of @table, and of columns behind it.  0 or -ENOMEM. */
int block_add(struct row_block *block, const struct table *table, const struct dictionary *dictionary,
	      const int64_t *values, uint32_t nulls);

/* Has room for so many rows at least, which are any.  0 or -ENOMEM. */
int block_reserve(struct row_block *block, size_t rows);

/* A string of a row */
struct dictionary_text block_text(const struct row_block *block, const struct dictionary *dictionary,
				  int64_t value);

/*
 * ---- Small tables, of which all rows are kept: threads, processes, runs ----
 *
 * SQL joins others to them by their numbers, once for each row.  They are read at once, when the
 * first of them is asked for; tables that need no event are read without the others.
 */

struct query_logs;

/*
 * @by_key:	indexes of rows in @rows, in order of the first column
 */
struct kept {
	struct row_block rows;
	size_t *by_key;
};

/* Whether a table is small */
bool kept_is(enum table_number table);

/* The rows of a table, which stay; NULL: *@error is -errno.  @columns: bits of the columns used */
const struct kept *kept_of(struct query_logs *logs, enum table_number table, uint32_t columns,
			   int *error);
void kept_free(struct kept *tables[TABLES]);

/* The row whose first column is @key; SIZE_MAX: there is none. */
size_t kept_find(const struct kept *kept, int64_t key);

#endif /* EVTLOG_QUERY_BLOCK_H */
