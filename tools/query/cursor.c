// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads rows of a table in blocks of about a thousand events.
 *
 * With a time window, a log is read until everything that began in the window has ended.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"

#define EVENTS_AT_ONCE	1024
/* Smaller blocks with a time window, as it can end after any block */
#define EVENTS_OF_WINDOW	128

/* Returns the index of a column by its name; -1 if the table has no such column. */
static int column_named(enum table_number table, const char *name)
{
	for (unsigned int i = 0; i < tables_list[table].column_count; i++)
		if (!strcmp(tables_list[table].columns[i].name, name))
			return i;
	return -1;
}

void cursor_init(struct cursor *cursor, struct query_logs *logs, enum table_number table)
{
	memset(cursor, 0, sizeof(*cursor));
	cursor->logs = logs;
	cursor->table = table;
	cursor->time_column = tables_list[table].time;
	cursor->cpu_column = column_named(table, "cpu");
	cursor->utid_column = column_named(table, "utid");
	block_init(&cursor->read, &tables_list[table], 0);
}

void wanted_free(struct wanted *wanted)
{
	free(wanted->utids);
	free(wanted->cpus);
	free(wanted->hosts);
	*wanted = (struct wanted) { 0 };
}

void cursor_free(struct cursor *cursor)
{
	tables_free(cursor->tables);
	grouped_free(cursor->grouped);
	block_free(&cursor->read);
	identities_free(&cursor->identities);
	wanted_free(&cursor->wanted);
}

/* ---- Selection of rows ---- */

static bool has_utid(const struct wanted *wanted, int64_t utid)
{
	size_t low = 0, high = wanted->utid_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (wanted->utids[middle] < utid)
			low = middle + 1;
		else
			high = middle;
	}
	return low < wanted->utid_count && wanted->utids[low] == utid;
}

static bool is_wanted(const struct cursor *cursor, const int64_t *values, uint32_t nulls)
{
	const struct wanted *wanted = &cursor->wanted;
	int64_t value;

	if (cursor->time_column >= 0) {
		value = values[cursor->time_column];
		if (value < wanted->from || value > wanted->to)
			return false;
	}
	if (wanted->cpus && cursor->cpu_column >= 0) {
		value = values[cursor->cpu_column];
		if (nulls >> cursor->cpu_column & 1 || value < 0 || value >= EVTLOG_CPU_LIMIT ||
		    !wanted->cpus[value])
			return false;
	}
	if (wanted->utids && cursor->utid_column >= 0)
		return !(nulls >> cursor->utid_column & 1) &&
		       has_utid(wanted, values[cursor->utid_column]);
	return true;
}

static int take_row(void *context, enum table_number table, const int64_t *values, uint32_t nulls)
{
	int64_t identified[TABLE_COLUMNS_MAX + 1];
	struct cursor *cursor = context;

	if (!is_wanted(cursor, values, nulls))
		return 0;
	if (__builtin_expect(cursor->identified, 0)) {
		unsigned int columns = tables_list[table].column_count;
		int error = identities_take(&cursor->identities, table, cursor->log,
					    &cursor->logs->dictionary, values, nulls,
					    &identified[columns]);

		if (error)
			return error;
		memcpy(identified, values, columns * sizeof(*values));
		values = identified;
	}
	if (cursor->wanted.is_grouped)
		return grouped_add(cursor->grouped, values, nulls);
	return block_add(&cursor->read, &tables_list[table], &cursor->logs->dictionary, values,
			 nulls);
}

/* ---- Reading ---- */

/* Opens the next wanted log; *@more is false if there is none. */
static int open_log(struct cursor *cursor, bool *more)
{
	const struct wanted *wanted = &cursor->wanted;
	struct query_part part = QUERY_ALL;

	while (cursor->log < cursor->logs->set.count && wanted->hosts &&
	       !wanted->hosts[cursor->log])
		cursor->log++;
	*more = cursor->log < cursor->logs->set.count;
	if (!*more)
		return 0;
	part.from = wanted->from;
	if (wanted->has_key)
		part.event = wanted->key;
	return query_logs_read(cursor->logs, cursor->log++, part, UINT32_C(1) << cursor->table,
			       &cursor->numbers, NULL, take_row, cursor, &cursor->tables);
}

static int read_block(struct cursor *cursor)
{
	const struct wanted *wanted = &cursor->wanted;
	bool ends = wanted->to != INT64_MAX;
	int result = tables_next(cursor->tables, ends ? EVENTS_OF_WINDOW : EVENTS_AT_ONCE);

	if (result > 0 && ends &&
	    tables_is_past(cursor->tables, wanted->from, wanted->to))
		result = 0;
	if (result > 0)
		return cursor->logs->stop ? -EINTR : 0;
	tables_free(cursor->tables);
	cursor->tables = NULL;
	return result;
}

static int fill_grouped(struct cursor *cursor)
{
	int error = grouped_next(cursor->grouped, &cursor->read);

	cursor->row = 0;
	cursor->ended = error || !cursor->read.rows;
	if (!error && cursor->logs->stop)
		error = -EINTR;
	return error;
}

int cursor_fill(struct cursor *cursor)
{
	bool more = true;
	int error = 0;

	if (cursor->rows != &cursor->read) {
		cursor->ended = true;
		return 0;
	}
	if (cursor->wanted.is_grouped)
		return fill_grouped(cursor);
	block_empty(&cursor->read);
	cursor->row = 0;
	while (!error && !cursor->read.rows) {
		if (!cursor->tables)
			error = open_log(cursor, &more);
		if (!more)
			break;
		if (!error)
			error = read_block(cursor);
	}
	cursor->ended = error || !cursor->read.rows;
	return error;
}

/* Reads all rows and sorts them. */
static int start_grouped(struct cursor *cursor)
{
	const struct wanted *wanted = &cursor->wanted;
	bool more = true;
	int error = grouped_new(&cursor->grouped, &tables_list[cursor->table], wanted->group,
				wanted->used, cursor->identified);

	while (!error) {
		if (!cursor->tables)
			error = open_log(cursor, &more);
		if (!more)
			break;
		if (!error)
			error = read_block(cursor);
	}
	if (!error)
		error = grouped_end(cursor->grouped);
	cursor->ended = error;
	return error ? error : fill_grouped(cursor);
}

static int start_kept(struct cursor *cursor)
{
	const struct kept *kept;
	int error;

	kept = kept_of(cursor->logs, cursor->table, cursor->wanted.used, &error);
	if (error)
		return error;
	cursor->rows = &kept->rows;
	cursor->ended = !kept->rows.rows;
	if (!cursor->wanted.has_key)
		return 0;
	cursor->row = kept_find(kept, cursor->wanted.key);
	cursor->ended = cursor->row == SIZE_MAX;
	return 0;
}

/* ---- Rows by key ---- */

bool cursor_is_ordered(enum table_number table)
{
	return table == TABLE_EVENT || table == TABLE_ARGS;
}

static int64_t key_of(const struct cursor *cursor)
{
	return cursor->rows->values[cursor->row * cursor->rows->columns];
}

static bool is_of_key(const struct cursor *cursor)
{
	return cursor->row < cursor->rows->rows && key_of(cursor) == cursor->wanted.key;
}

/* All rows of a key are of one event and thus in one block. */
int cursor_next_of_key(struct cursor *cursor)
{
	cursor->row++;
	cursor->ended = !cursor->seeks || !is_of_key(cursor);
	return 0;
}

/* Advances to the wanted key, or to the first larger key. */
static int seek(struct cursor *cursor)
{
	int error = 0;

	while (!cursor->exhausted) {
		while (cursor->row < cursor->rows->rows && key_of(cursor) < cursor->wanted.key)
			cursor->row++;
		if (cursor->row < cursor->rows->rows)
			break;
		error = cursor_fill(cursor);
		cursor->exhausted = cursor->ended;
	}
	cursor->key_row = cursor->row;
	cursor->last_key = cursor->wanted.key;
	cursor->ended = cursor->exhausted || !is_of_key(cursor);
	return error;
}

/* Returns true if the wanted rows are at the current position or after it. */
static bool can_go_on(const struct cursor *cursor, const struct wanted *wanted)
{
	return cursor->seeks && wanted->has_key && !wanted->nothing &&
	       wanted->key >= cursor->last_key;
}

/* ---- Start ---- */

/* Starts a scan by @cursor->wanted. */
static int start(struct cursor *cursor)
{
	const struct wanted *wanted = &cursor->wanted;

	tables_free(cursor->tables);
	cursor->tables = NULL;
	grouped_free(cursor->grouped);
	cursor->grouped = NULL;
	identities_free(&cursor->identities);
	cursor->log = 0;
	cursor->row = 0;
	cursor->number = 0;
	cursor->seeks = false;
	cursor->exhausted = false;
	cursor->ended = wanted->nothing;
	if (cursor->ended)
		return 0;
	if (kept_is(cursor->table))
		return start_kept(cursor);
	cursor->rows = &cursor->read;
	block_empty(&cursor->read);
	if (wanted->is_grouped)
		return start_grouped(cursor);
	cursor->seeks = wanted->has_key;
	return cursor->seeks ? seek(cursor) : cursor_fill(cursor);
}

int cursor_start(struct cursor *cursor, const struct wanted *wanted)
{
	if (can_go_on(cursor, wanted)) {
		if (wanted->key == cursor->last_key)
			cursor->row = cursor->key_row;
		wanted_free(&cursor->wanted);
		cursor->wanted = *wanted;
		return seek(cursor);
	}
	wanted_free(&cursor->wanted);
	cursor->wanted = *wanted;
	return start(cursor);
}

/* ---- Identities ---- */

/* Restarts the scan with identities and advances to the current row. */
static int identify(struct cursor *cursor)
{
	int64_t number = cursor->number;
	int error;

	block_free(&cursor->read);
	block_init(&cursor->read, &tables_list[cursor->table], 1);
	cursor->identified = true;
	error = start(cursor);
	while (!error && !cursor->ended && cursor->number < number)
		error = cursor_next(cursor);
	/* -EIO: the log has changed meanwhile. */
	return error ? error : cursor->ended ? -EIO : 0;
}

/* Returns the position of a field in its event; all fields of an event are in one block. */
static size_t field_of(const struct cursor *cursor)
{
	const struct row_block *rows = cursor->rows;
	size_t first = cursor->row;

	while (first && rows->values[(first - 1) * rows->columns] == key_of(cursor))
		first--;
	return cursor->row - first;
}

int cursor_identity(struct cursor *cursor, int64_t *identity)
{
	unsigned int column = tables_list[cursor->table].column_count;
	int error;

	if (kept_is(cursor->table)) {
		*identity = cursor->row;
		return 0;
	}
	if (!cursor->wanted.is_grouped && cursor_is_ordered(cursor->table)) {
		*identity = cursor->table == TABLE_EVENT ? key_of(cursor) :
			    identity_of_field(key_of(cursor), field_of(cursor));
		return 0;
	}
	error = cursor->identified ? 0 : identify(cursor);
	if (!error)
		*identity = cursor->rows->values[cursor->row * cursor->rows->columns + column];
	return error;
}
