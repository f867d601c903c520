/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holds rows of one table in memory: the rows of some events, or all rows of a small table.
 *
 * Stage: between lib/tables, which emits rows, and virtual.c, which passes them to SQLite.
 */
#ifndef EVTLOG_QUERY_BLOCK_H
#define EVTLOG_QUERY_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/tables/tables.h"

/*
 * @columns:	columns of the table, and additional ones
 * @has_once:	the table has columns with strings that are valid for one row only
 * @values:	@columns values for each row; BLOCK_TEXT and an offset in @texts for such strings
 * @nulls:	for each row, a bit for each NULL
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

/* Value of a string in @texts: this bit and the offset.  All ids of a dictionary are smaller. */
#define BLOCK_TEXT	(INT64_C(1) << 62)

/* @more: number of additional columns of numbers, after the columns of @table */
void block_init(struct row_block *block, const struct table *table, unsigned int more);
void block_free(struct row_block *block);

static inline void block_empty(struct row_block *block)
{
	block->rows = 0;
	block->text_bytes = 0;
}

/* Adds a row of @table with its additional columns.  Returns 0 or -ENOMEM. */
int block_add(struct row_block *block, const struct table *table, const struct dictionary *dictionary,
	      const int64_t *values, uint32_t nulls);

/* Reserves memory for at least @rows rows, with undefined content.  Returns 0 or -ENOMEM. */
int block_reserve(struct row_block *block, size_t rows);

/* Returns the string for a value of a row. */
struct dictionary_text block_text(const struct row_block *block, const struct dictionary *dictionary,
				  int64_t value);

/*
 * ---- Small tables, kept completely: threads, processes, runs ----
 *
 * SQL joins other tables to them by number, with one lookup for each row.  All of them are read
 * together when the first is needed; tables that need no events are read without the others.
 */

struct query_logs;

/* @by_key: indices into @rows, sorted by the first column */
struct kept {
	struct row_block rows;
	size_t *by_key;
};

/* Returns true if a table is small and kept completely. */
bool kept_is(enum table_number table);

/* Rows of a table, until kept_free(); NULL: see *@error, -errno.  @columns: bits of used columns */
const struct kept *kept_of(struct query_logs *logs, enum table_number table, uint32_t columns,
			   int *error);
void kept_free(struct kept *tables[TABLES]);

/* Returns the index of the row with @key in the first column; SIZE_MAX if there is none. */
size_t kept_find(const struct kept *kept, int64_t key);

#endif /* EVTLOG_QUERY_BLOCK_H */
