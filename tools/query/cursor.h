/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Goes through the rows of a table that SQLite wants, one after another.
 *
 * Stage: virtual.c tells what is wanted; the rows come from lib/tables in blocks, or are kept ones.
 * It does not know SQLite.
 */
#ifndef EVTLOG_QUERY_CURSOR_H
#define EVTLOG_QUERY_CURSOR_H

#include "grouped.h"
#include "identity.h"
#include "logs.h"

/*
 * What a row must be.
 * @from, @to:	its time; @to is included
 * @utids:	@utid_count of them, in order; NULL: any
 * @cpus:	by number, EVTLOG_CPU_LIMIT of them; NULL: any
 * @hosts:	by number of the log; NULL: any
 * @key:	of the first column, if @has_key: of a small table, or one in whose order rows come
 * @nothing:	no row can be it
 * @is_grouped:	rows come in the order of the column @group
 * @used:	bits of the columns that are asked for
 */
struct wanted {
	int64_t from;
	int64_t to;
	int64_t *utids;
	size_t utid_count;
	bool *cpus;
	bool *hosts;
	int64_t key;
	bool has_key;
	bool nothing;
	bool is_grouped;
	unsigned int group;
	uint32_t used;
};

/*
 * @wanted:	owned
 * @log:	that is read, by @tables
 * @read:	rows of it at hand, of which @rows has the @row
 * @rows:	@read, or what is kept of a small table
 * @number:	of the row in this scan, from 0 on
 * @identified:	rows have their identity in a column behind the others; @identities has all so far
 * @grouped:	all of them in the wanted order, if they are
 * @seeks:	its rows are asked for by key, and come in this order: it goes on where it is
 * @last_key:	that was asked for last, @key_row: its first row in @rows
 * @exhausted:	there are no more
 */
struct cursor {
	struct query_logs *logs;
	enum table_number table;
	int time_column;
	int cpu_column;
	int utid_column;
	struct wanted wanted;
	size_t log;
	struct tables *tables;
	struct tables_numbers numbers;
	struct row_block read;
	struct grouped *grouped;
	const struct row_block *rows;
	size_t row;
	int64_t number;
	struct identities identities;
	int64_t last_key;
	size_t key_row;
	bool identified;
	bool seeks;
	bool exhausted;
	bool ended;
};

/*
 * Whether rows of a table come in the order of its first column, so that a join of two such
 * tables reads each once
 */
bool cursor_is_ordered(enum table_number table);

/* Index of a column of a table by its name; -1: it has none. */
int cursor_column(enum table_number table, const char *name);

void cursor_init(struct cursor *cursor, struct query_logs *logs, enum table_number table);
void cursor_free(struct cursor *cursor);

/* The first row of what @wanted says, which is the cursor's from now on.  As cursor_next(). */
int cursor_start(struct cursor *cursor, const struct wanted *wanted);
void wanted_free(struct wanted *wanted);

/* The next row, or @ended.  0; -ENOMEM; -EINTR; -errno of read(). */
int cursor_fill(struct cursor *cursor);

/* The next row of the same key. */
int cursor_next_of_key(struct cursor *cursor);

/*
 * The number of the row at hand, which it has in any scan.  The first time one is asked for the
 * scan may begin anew, up to this row.  As cursor_next().
 */
int cursor_identity(struct cursor *cursor, int64_t *identity);

static inline int cursor_next(struct cursor *cursor)
{
	cursor->number++;
	if (__builtin_expect(cursor->wanted.has_key, 0))
		return cursor_next_of_key(cursor);
	if (__builtin_expect(++cursor->row < cursor->rows->rows, 1))
		return 0;
	return cursor_fill(cursor);
}

/* The value of a column of the row at hand; *@null: it has none. */
static inline int64_t cursor_value(const struct cursor *cursor, unsigned int column, bool *null)
{
	const struct row_block *rows = cursor->rows;

	*null = rows->nulls[cursor->row] >> column & 1;
	return rows->values[cursor->row * rows->columns + column];
}

#endif /* EVTLOG_QUERY_CURSOR_H */
