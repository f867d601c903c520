/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Goes through the rows of a table that SQLite wants, one after another.
 *
 * Stage: virtual.c tells what is wanted; the rows come from lib/tables in blocks, or are kept ones.
 * It does not know SQLite.
 */
#ifndef EVTLOG_QUERY_CURSOR_H
#define EVTLOG_QUERY_CURSOR_H

#include "block.h"
#include "lib/tables/tables.h"
#include "logs.h"

/*
 * ---- identity.c: numbers of rows that are the same whatever a scan leaves out ----
 *
 * SQLite takes rows of two scans for one if they have the same: for OR, RIGHT JOIN and FULL JOIN.
 *
 *	kept rows	their index
 *	event		its number
 *	args		that of the event, and which field of it
 *	others		a hash of all that is in the row; of equal rows, which all scans have, or
 *			none, each next one has another
 */

struct identity_seen;

/*
 * The rows of a scan so far.
 * @seen:	how often each hash was there: @count of them, room for @capacity
 * @event:	of the last row of args, which is field @field
 */
struct identities {
	struct identity_seen *seen;
	size_t count;
	size_t capacity;
	int64_t event;
	unsigned int field;
};

void identities_free(struct identities *identities);

/* Of a field of an event; from 0 on */
int64_t identity_of_field(int64_t event, size_t field);

/*
 * identities_take() - the number of the next row, of a table that is not kept
 * @log:	number of it
 *
 * 0 or -ENOMEM.
 */
int identities_take(struct identities *identities, enum table_number table, size_t log,
		    const struct dictionary *dictionary, const int64_t *values, uint32_t nulls,
		    int64_t *identity);

/*
 * ---- grouped.c: rows of a table in the order of one column of numbers, for GROUP BY ----
 *
 * Only columns that a statement asks for are held, as numbers; what does not fit into memory waits
 * in a file without a name.
 */

struct grouped;

/*
 * grouped_new() - begins with no rows
 * @key:	column by which they are put in order, NULL first; of one value they stay as they were
 * @used:	bits of the columns that are asked for; none has strings that hold for one row only
 * @more:	columns of numbers behind those of @table, all asked for
 *
 * 0 or -ENOMEM; grouped_free() in both cases.
 */
int grouped_new(struct grouped **groupedp, const struct table *table, unsigned int key,
		uint32_t used, unsigned int more);
void grouped_free(struct grouped *grouped);

/* Adds a row.  0; -ENOMEM; -errno of write(). */
int grouped_add(struct grouped *grouped, const int64_t *values, uint32_t nulls);

/* There are no more: what grouped_next() gives begins.  0; -ENOMEM; -errno of write(). */
int grouped_end(struct grouped *grouped);

/*
 * Fills @to, of the same table, with the next rows; none: there are no more.  Columns that nobody
 * asked for have any value.  0; -ENOMEM; -errno of read().
 */
int grouped_next(struct grouped *grouped, struct row_block *to);

/* ---- Cursor ---- */

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
