/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Iterates over the selected rows of a table.
 *
 * Stage: virtual.c passes a selection; rows come from lib/tables in blocks, or from a kept table.
 * It does not depend on SQLite.
 */
#ifndef EVTLOG_QUERY_CURSOR_H
#define EVTLOG_QUERY_CURSOR_H

#include "block.h"
#include "lib/tables/tables.h"
#include "logs.h"

/*
 * ---- identity.c: numbers of rows that do not depend on a scan's selection ----
 *
 * For OR, RIGHT JOIN and FULL JOIN, SQLite assumes that rows of two scans with the same number are
 * the same row.
 *
 *	kept rows	index of the row
 *	event		number of the event
 *	args		number of the event, and position of the field in the event
 *	others		hash of the row's values; equal rows get different hashes in order, which
 *			works as a scan has all of them or none
 */

struct identity_seen;

/*
 * The rows of a scan so far.
 * @seen:	hash table of hashes and their counts: @capacity slots, @count used
 * @event, @field: event and field position of the last row of args
 */
struct identities {
	struct identity_seen *seen;
	size_t count;
	size_t capacity;
	int64_t event;
	unsigned int field;
};

void identities_free(struct identities *identities);

/* Returns the identity of field @field, from 0, of an event. */
int64_t identity_of_field(int64_t event, size_t field);

/*
 * identities_take() - compute the identity of the next row, of a table that is not kept
 * @log:	number of the log
 *
 * Return: 0 or -ENOMEM.
 */
int identities_take(struct identities *identities, enum table_number table, size_t log,
		    const struct dictionary *dictionary, const int64_t *values, uint32_t nulls,
		    int64_t *identity);

/*
 * ---- grouped.c: sorts rows of a table by one column of numbers, for GROUP BY ----
 *
 * It holds only the used columns, as numbers.  Rows that do not fit into memory are stored in a
 * nameless file.
 */

struct grouped;

/*
 * grouped_new() - start without rows
 * @key:	column to sort by, NULL first; rows with equal keys keep their order
 * @used:	bits of the used columns; none of them has strings that are valid for one row only
 * @more:	number of additional columns of numbers after those of @table; all are used
 *
 * Return: 0 or -ENOMEM.  Call grouped_free() in both cases.
 */
int grouped_new(struct grouped **groupedp, const struct table *table, unsigned int key,
		uint32_t used, unsigned int more);
void grouped_free(struct grouped *grouped);

/* Adds a row.  Returns 0; -ENOMEM; -errno of write(). */
int grouped_add(struct grouped *grouped, const int64_t *values, uint32_t nulls);

/* Call it after the last row, before grouped_next().  Returns 0; -ENOMEM; -errno of I/O. */
int grouped_end(struct grouped *grouped);

/*
 * Fills @to, of the same table, with the next rows; without rows at the end.  Unused columns are
 * undefined.  Returns 0; -ENOMEM; -errno of read().
 */
int grouped_next(struct grouped *grouped, struct row_block *to);

/* ---- Cursor ---- */

/*
 * The selection of rows.
 * @from, @to:	range of times, including @to
 * @utids:	@utid_count threads, sorted; NULL: any
 * @cpus:	by number, EVTLOG_CPU_LIMIT elements; NULL: any
 * @hosts:	by number of the log; NULL: any
 * @key:	value of the first column, if @has_key; for small tables, and if cursor_is_ordered()
 * @nothing:	no row can match
 * @is_grouped:	rows are sorted by the column @group
 * @used:	bits of the used columns
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
 * @wanted:	selection; owned by the cursor
 * @log:	number of the next log; @tables reads the current one
 * @read:	block of rows of the current log
 * @grouped:	sorted rows, if @wanted.is_grouped
 * @rows:	@read, or the rows of a small table; @row: index of the current row
 * @number:	number of the current row in this scan, from 0
 * @identities:	state of all rows so far, if @identified
 * @last_key:	previous wanted key; @key_row: its first row in @rows
 * @identified:	rows have their identity in a column after the others
 * @seeks:	rows are selected by key and come in its order: later keys follow the current row
 * @exhausted:	all rows are read
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
 * Returns true if rows of a table come in the order of its first column.  A join of two such
 * tables reads each once.
 */
bool cursor_is_ordered(enum table_number table);

void cursor_init(struct cursor *cursor, struct query_logs *logs, enum table_number table);
void cursor_free(struct cursor *cursor);

/* Goes to the first row of a selection.  Takes ownership of @wanted.  Returns as cursor_fill(). */
int cursor_start(struct cursor *cursor, const struct wanted *wanted);
void wanted_free(struct wanted *wanted);

/* Goes to the next block's first row, or sets @ended.  0; -ENOMEM; -EINTR; -errno of read(). */
int cursor_fill(struct cursor *cursor);

/* Goes to the next row of the same key, or sets @ended. */
int cursor_next_of_key(struct cursor *cursor);

/*
 * Returns in *@identity the number of the current row, which is the same in any scan.  The first
 * call may restart the scan and advance to this row again.  Returns as cursor_fill().
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

/* Returns the value of a column of the current row; *@null is true if it is NULL. */
static inline int64_t cursor_value(const struct cursor *cursor, unsigned int column, bool *null)
{
	const struct row_block *rows = cursor->rows;

	*null = rows->nulls[cursor->row] >> column & 1;
	return rows->values[cursor->row * rows->columns + column];
}

#endif /* EVTLOG_QUERY_CURSOR_H */
