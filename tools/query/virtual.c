// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Implements virtual tables: takes constraints, and returns the values of rows.
 *
 * For "ts >= 5 AND cpu IN (0, 1)", SQLite calls xBestIndex once to ask which constraints the table
 * handles, and passes the values to xFilter.  SQLite checks only keys and hosts again; all others
 * are exact.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "virtual.h"

/* Letters of idxStr, one for each value that xFilter gets */
enum {
	WANT_KEY = 'k',
	WANT_FROM = 'g',	/* >= */
	WANT_AFTER = 'G',	/* > */
	WANT_UNTIL = 'l',	/* <= */
	WANT_BEFORE = 'L',	/* < */
	WANT_AT = '=',
	WANT_CPU = 'c',
	WANT_CPUS = 'C',	/* IN */
	WANT_UTID = 'u',
	WANT_UTIDS = 'U',
	WANT_HOST = 'h',
};

#define WANTS_MAX	16

/* After the letters: the column, if rows must be sorted by a column */
#define GROUP_FORMAT	" %d"

/* sqlite3_vtab_distinct(): for GROUP BY */
#define DISTINCT_GROUPS	1

/* Estimated bytes of records for each row */
#define BYTES_PER_ROW	16
#define ROWS_LEAST	1000

struct virtual_table {
	sqlite3_vtab base;
	struct query_logs *logs;
	enum table_number table;
	double rows;
};

struct virtual_cursor {
	sqlite3_vtab_cursor base;
	struct cursor cursor;
};

/* ---- Tables ---- */

static const char *type_name(unsigned int type)
{
	switch (type) {
	case TABLE_STRING:
		return "TEXT";
	case TABLE_DOUBLE:
		return "REAL";
	default:
		return "INTEGER";
	}
}

static int declare(sqlite3 *db, const struct table *table)
{
	sqlite3_str *text = sqlite3_str_new(db);
	char *sql;
	int result;

	sqlite3_str_appendf(text, "CREATE TABLE %s(", table->name);
	for (unsigned int i = 0; i < table->column_count; i++)
		sqlite3_str_appendf(text, "%s\"%w\" %s", i ? ", " : "", table->columns[i].name,
				    type_name(table->columns[i].type));
	sqlite3_str_appendall(text, ")");
	sql = sqlite3_str_finish(text);
	if (!sql)
		return SQLITE_NOMEM;
	result = sqlite3_declare_vtab(db, sql);
	sqlite3_free(sql);
	return result;
}

static double count_rows(const struct query_logs *logs)
{
	double bytes = 0;

	for (size_t i = 0; i < logs->set.count; i++) {
		struct evtlog_summary summary;

		evtlog_summarize(logs->set.files[i].file, &summary);
		bytes += summary.raw_bytes;
	}
	return bytes / BYTES_PER_ROW + ROWS_LEAST;
}

static int table_connect(sqlite3 *db, void *logs, int argc, const char *const *argv,
			 sqlite3_vtab **tablep, char **errorp)
{
	enum table_number number = argc == 4 ? tables_find(argv[3]) : TABLES;
	struct virtual_table *table;
	int result;

	if (number == TABLES) {
		*errorp = sqlite3_mprintf("evtlog: %s: no such table of a log",
					  argc > 3 ? argv[3] : "no name");
		return SQLITE_ERROR;
	}
	result = declare(db, &tables_list[number]);
	if (result != SQLITE_OK)
		return result;
	table = sqlite3_malloc(sizeof(*table));
	if (!table)
		return SQLITE_NOMEM;
	*table = (struct virtual_table) { .logs = logs, .table = number, .rows = count_rows(logs) };
	*tablep = &table->base;
	return SQLITE_OK;
}

static int table_disconnect(sqlite3_vtab *base)
{
	sqlite3_free(base);
	return SQLITE_OK;
}

/* ---- Constraints of a statement ---- */

static int want_of_time(unsigned char op)
{
	switch (op) {
	case SQLITE_INDEX_CONSTRAINT_GE:
		return WANT_FROM;
	case SQLITE_INDEX_CONSTRAINT_GT:
		return WANT_AFTER;
	case SQLITE_INDEX_CONSTRAINT_LE:
		return WANT_UNTIL;
	case SQLITE_INDEX_CONSTRAINT_LT:
		return WANT_BEFORE;
	case SQLITE_INDEX_CONSTRAINT_EQ:
		return WANT_AT;
	default:
		return 0;
	}
}

/* Returns true if the first column has unique numbers. */
static bool has_numbers(const struct virtual_table *table)
{
	return table->table == TABLE_THREAD || table->table == TABLE_PROCESS;
}

/* Returns the letter of a constraint; 0 if SQLite must check it. */
static int want_of(const struct virtual_table *table, int column, unsigned char op)
{
	const struct table *about = &tables_list[table->table];
	const char *name;

	if (column < 0)
		return 0;
	name = about->columns[column].name;
	if (kept_is(table->table))
		return !column && op == SQLITE_INDEX_CONSTRAINT_EQ && has_numbers(table) ? WANT_KEY : 0;
	if (column == about->time)
		return want_of_time(op);
	if (op != SQLITE_INDEX_CONSTRAINT_EQ)
		return 0;
	/* id and arg_set_id of an event are equal. */
	if (cursor_is_ordered(table->table) && (!column || !strcmp(name, "arg_set_id")))
		return WANT_KEY;
	if (!strcmp(name, "cpu"))
		return WANT_CPU;
	if (!strcmp(name, "utid"))
		return WANT_UTID;
	return strcmp(name, "host") ? 0 : WANT_HOST;
}

/* Estimated share of rows that match the constraint of a letter */
static double share_of(int want)
{
	switch (want) {
	case WANT_KEY:
	case WANT_AT:
		return 1e-9;
	case WANT_CPU:
	case WANT_CPUS:
	case WANT_HOST:
		return 0.3;
	case WANT_UTID:
	case WANT_UTIDS:
		return 0.05;
	default:
		return 0.2;
	}
}

/* Returns a constraint on the key, or -1.  With a key, SQLite checks all others on the few rows. */
static int find_key(const struct virtual_table *table, const sqlite3_index_info *info)
{
	for (int i = 0; i < info->nConstraint; i++)
		if (info->aConstraint[i].usable &&
		    want_of(table, info->aConstraint[i].iColumn, info->aConstraint[i].op) == WANT_KEY)
			return i;
	return -1;
}

/* Rows of points come in the order of time; rows of slices in the order of their ends. */
static bool is_in_order(const struct virtual_table *table, const sqlite3_index_info *info)
{
	static const uint32_t points = 1u << TABLE_WAKEUP | 1u << TABLE_WAKEUP_NEW |
				       1u << TABLE_SCHED_MIGRATE | 1u << TABLE_PROCESS_EXIT |
				       1u << TABLE_EVENT | 1u << TABLE_SAMPLE;

	return info->nOrderBy == 1 && !info->aOrderBy[0].desc && points >> table->table & 1 &&
	       info->aOrderBy[0].iColumn == tables_list[table->table].time &&
	       table->logs->set.count == 1;
}

/*
 * Returns true for GROUP BY a column of numbers: we sort rows by this column, so SQLite need not.
 * *@group: the column
 */
static bool can_group(const struct virtual_table *table, const sqlite3_index_info *info, int *group)
{
	const struct table *about = &tables_list[table->table];

	if (info->nOrderBy != 1 || info->aOrderBy[0].desc || info->aOrderBy[0].iColumn < 0 ||
	    sqlite3_vtab_distinct((sqlite3_index_info *)info) != DISTINCT_GROUPS ||
	    kept_is(table->table))
		return false;
	for (unsigned int i = 0; i < about->column_count; i++)
		if (about->columns[i].once && info->colUsed >> i & 1)
			return false;
	*group = info->aOrderBy[0].iColumn;
	return about->columns[*group].type != TABLE_STRING &&
	       about->columns[*group].type != TABLE_DOUBLE;
}

static int table_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	struct virtual_table *table = (struct virtual_table *)base;
	bool small = kept_is(table->table);
	double rows = !small ? table->rows : table->table == TABLE_RUN ? table->logs->set.count : ROWS_LEAST;
	double all = rows;
	int key = find_key(table, info);
	char wants[WANTS_MAX + 1];
	int count = 0, group;

	for (int i = 0; i < info->nConstraint && count < WANTS_MAX; i++) {
		const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
		int want = constraint->usable ? want_of(table, constraint->iColumn, constraint->op) : 0;

		/* With NOCASE, n1 equals N1. */
		if (want == WANT_HOST && strcmp(sqlite3_vtab_collation(info, i), "BINARY"))
			want = 0;
		if (!want || (key >= 0 && i != key))
			continue;
		if ((want == WANT_UTID || want == WANT_CPU) && sqlite3_vtab_in(info, i, 1))
			want = want == WANT_UTID ? WANT_UTIDS : WANT_CPUS;
		wants[count] = want;
		rows *= share_of(want);
		info->aConstraintUsage[i].argvIndex = ++count;
		info->aConstraintUsage[i].omit = want != WANT_KEY && want != WANT_HOST;
	}
	wants[count] = '\0';
	info->orderByConsumed = is_in_order(table, info);
	if (!info->orderByConsumed && key < 0 && can_group(table, info, &group)) {
		info->orderByConsumed = true;
		info->idxStr = sqlite3_mprintf("%s" GROUP_FORMAT, wants, group);
	} else {
		info->idxStr = sqlite3_mprintf("%s", wants);
	}
	if (!info->idxStr)
		return SQLITE_NOMEM;
	info->needToFreeIdxStr = 1;
	info->idxNum = (int)(uint32_t)info->colUsed;
	info->estimatedRows = rows < 1 ? 1 : (sqlite3_int64)rows;
	/* Any scan reads the log, so a small table should be the inner table of a join. */
	if (key >= 0)
		info->estimatedCost = small ? 1 : 10;
	else
		info->estimatedCost = small ? all : 4 * all + rows;
	if (key >= 0 && has_numbers(table))
		info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
	return SQLITE_OK;
}

/* ---- Values for xFilter ---- */

/*
 * Takes a number to compare times and ids with.  Returns false for text and NULL.
 * @up: round fractions up, not down; *@exact: true if not rounded or limited
 */
static bool number_of(sqlite3_value *value, bool up, int64_t *number, bool *exact)
{
	double real, whole;

	*exact = true;
	switch (sqlite3_value_numeric_type(value)) {
	case SQLITE_INTEGER:
		*number = sqlite3_value_int64(value);
		return true;
	case SQLITE_FLOAT:
		real = sqlite3_value_double(value);
		if (real >= 0x1p63 || real < -0x1p63) {
			*number = real > 0 ? INT64_MAX : INT64_MIN;
			*exact = false;
			return true;
		}
		whole = (double)(int64_t)real;
		if (up ? whole < real : whole > real)
			whole += up ? 1 : -1;
		*exact = whole == real;
		*number = (int64_t)whole;
		return true;
	default:
		return false;
	}
}

static void at_least(struct wanted *wanted, int64_t from)
{
	if (from > wanted->from)
		wanted->from = from;
}

static void at_most(struct wanted *wanted, int64_t to)
{
	if (to < wanted->to)
		wanted->to = to;
}

static void want_time(struct wanted *wanted, int want, sqlite3_value *value)
{
	bool is_lower = want == WANT_FROM || want == WANT_AFTER, exact, null, text;
	int64_t number;

	null = sqlite3_value_type(value) == SQLITE_NULL;
	text = !null && !number_of(value, is_lower, &number, &exact);
	/* In SQL, each text is greater than all numbers. */
	if (null || (text && (is_lower || want == WANT_AT))) {
		wanted->nothing = true;
		return;
	}
	if (text)
		return;
	switch (want) {
	case WANT_AT:
		wanted->nothing |= !exact;
		at_least(wanted, number);
		at_most(wanted, number);
		break;
	case WANT_AFTER:
		if (exact && number == INT64_MAX)
			wanted->nothing = true;
		at_least(wanted, exact && number < INT64_MAX ? number + 1 : number);
		break;
	case WANT_FROM:
		at_least(wanted, number);
		break;
	case WANT_BEFORE:
		if (exact && number == INT64_MIN)
			wanted->nothing = true;
		at_most(wanted, exact && number > INT64_MIN ? number - 1 : number);
		break;
	default:
		at_most(wanted, number);
	}
}

static int compare_numbers(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Takes the sorted integers of an IN list, or one value.  Other values match no row: skip them. */
static int numbers_of(sqlite3_value *value, bool is_list, int64_t **numbersp, size_t *countp)
{
	size_t count = 0, capacity = 0;
	int64_t *numbers = NULL;
	sqlite3_value *item = value;
	int result = SQLITE_OK;

	if (is_list)
		result = sqlite3_vtab_in_first(value, &item);
	while (result == SQLITE_OK && item) {
		bool exact;
		int64_t number;

		if (count == capacity) {
			int64_t *grown;

			capacity = 2 * capacity + 8;
			grown = reallocarray(numbers, capacity, sizeof(*numbers));
			if (!grown) {
				free(numbers);
				return SQLITE_NOMEM;
			}
			numbers = grown;
		}
		if (number_of(item, false, &number, &exact) && exact)
			numbers[count++] = number;
		if (!is_list)
			break;
		result = sqlite3_vtab_in_next(value, &item);
	}
	if (result != SQLITE_OK && result != SQLITE_DONE) {
		free(numbers);
		return result;
	}
	if (!numbers)
		numbers = malloc(sizeof(*numbers));
	if (!numbers)
		return SQLITE_NOMEM;
	qsort(numbers, count, sizeof(*numbers), compare_numbers);
	*numbersp = numbers;
	*countp = count;
	return SQLITE_OK;
}

static int want_utids(struct wanted *wanted, int64_t *numbers, size_t count)
{
	size_t kept = 0;

	if (!wanted->utids) {
		wanted->utids = numbers;
		wanted->utid_count = count;
		return SQLITE_OK;
	}
	/* Keep only numbers that are in both lists. */
	for (size_t i = 0; i < wanted->utid_count; i++)
		if (bsearch(&wanted->utids[i], numbers, count, sizeof(*numbers), compare_numbers))
			wanted->utids[kept++] = wanted->utids[i];
	wanted->utid_count = kept;
	free(numbers);
	return SQLITE_OK;
}

static int want_cpus(struct wanted *wanted, int64_t *numbers, size_t count)
{
	bool *cpus = calloc(EVTLOG_CPU_LIMIT, sizeof(*cpus));

	for (size_t i = 0; cpus && i < count; i++)
		if (numbers[i] >= 0 && numbers[i] < EVTLOG_CPU_LIMIT)
			cpus[numbers[i]] = !wanted->cpus || wanted->cpus[numbers[i]];
	free(numbers);
	if (!cpus)
		return SQLITE_NOMEM;
	free(wanted->cpus);
	wanted->cpus = cpus;
	return SQLITE_OK;
}

/* Excludes the logs of other hosts.  SQLite also checks the host of each row. */
static int want_host(struct wanted *wanted, struct query_logs *logs, sqlite3_value *value)
{
	const char *name = (const char *)sqlite3_value_text(value);
	size_t length = name ? sqlite3_value_bytes(value) : 0;

	if (!wanted->hosts) {
		wanted->hosts = calloc(logs->set.count + 1, sizeof(*wanted->hosts));
		if (!wanted->hosts)
			return SQLITE_NOMEM;
		memset(wanted->hosts, true, logs->set.count);
	}
	for (size_t i = 0; i < logs->set.count; i++) {
		/* The name as in rows, where invalid UTF-8 is replaced */
		int64_t id = dictionary_add_text(&logs->dictionary, logs->set.files[i].name);
		struct dictionary_text text;

		if (id < 0)
			return SQLITE_NOMEM;
		text = dictionary_text(&logs->dictionary, id);
		wanted->hosts[i] &= name && length == text.length &&
				    !memcmp(name, text.bytes, length);
	}
	return SQLITE_OK;
}

static int want_one(struct wanted *wanted, struct query_logs *logs, int want,
		    sqlite3_value *value)
{
	bool is_list = want == WANT_UTIDS || want == WANT_CPUS, exact;
	int64_t *numbers;
	size_t count;
	int result;

	switch (want) {
	case WANT_KEY:
		wanted->has_key = true;
		wanted->nothing = !number_of(value, false, &wanted->key, &exact) || !exact;
		return SQLITE_OK;
	case WANT_HOST:
		return want_host(wanted, logs, value);
	case WANT_UTID:
	case WANT_UTIDS:
	case WANT_CPU:
	case WANT_CPUS:
		result = numbers_of(value, is_list, &numbers, &count);
		if (result != SQLITE_OK)
			return result;
		return want == WANT_CPU || want == WANT_CPUS ? want_cpus(wanted, numbers, count) :
							       want_utids(wanted, numbers, count);
	default:
		want_time(wanted, want, value);
		return SQLITE_OK;
	}
}

/* ---- Cursors ---- */

static int cursor_open(sqlite3_vtab *base, sqlite3_vtab_cursor **cursorp)
{
	struct virtual_table *table = (struct virtual_table *)base;
	struct virtual_cursor *at = sqlite3_malloc(sizeof(*at));

	if (!at)
		return SQLITE_NOMEM;
	memset(at, 0, sizeof(*at));
	cursor_init(&at->cursor, table->logs, table->table);
	*cursorp = &at->base;
	return SQLITE_OK;
}

static int cursor_close(sqlite3_vtab_cursor *base)
{
	cursor_free(&((struct virtual_cursor *)base)->cursor);
	sqlite3_free(base);
	return SQLITE_OK;
}

static int result_of(sqlite3_vtab_cursor *base, int error)
{
	if (!error)
		return SQLITE_OK;
	if (error == -EINTR)
		return SQLITE_INTERRUPT;
	if (error == -ENOMEM)
		return SQLITE_NOMEM;
	sqlite3_free(base->pVtab->zErrMsg);
	base->pVtab->zErrMsg = sqlite3_mprintf(
		((struct virtual_cursor *)base)->cursor.wanted.is_grouped ?
		"rows can't be read, or can't be sorted in a file in $TMPDIR or /var/tmp: %s" :
		"a log can't be read: %s", strerror(-error));
	return SQLITE_IOERR;
}

static int table_filter(sqlite3_vtab_cursor *base, int used, const char *wants, int argc,
			sqlite3_value **argv)
{
	struct cursor *cursor = &((struct virtual_cursor *)base)->cursor;
	struct wanted wanted = { .from = INT64_MIN, .to = INT64_MAX, .used = used };
	int result = SQLITE_OK, group;

	for (int i = 0; result == SQLITE_OK && i < argc; i++)
		result = want_one(&wanted, cursor->logs, wants[i], argv[i]);
	if (result != SQLITE_OK) {
		wanted_free(&wanted);
		return result;
	}
	if (sscanf(wants + argc, GROUP_FORMAT, &group) == 1) {
		wanted.is_grouped = true;
		wanted.group = group;
	}
	return result_of(base, cursor_start(cursor, &wanted));
}

static int table_next(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = &((struct virtual_cursor *)base)->cursor;

	return result_of(base, cursor_next(cursor));
}

static int table_eof(sqlite3_vtab_cursor *base)
{
	return ((struct virtual_cursor *)base)->cursor.ended;
}

/* From 2^63 on, SQLite has only doubles: return text, which sum() and comparisons convert. */
static void result_unsigned(sqlite3_context *context, uint64_t value)
{
	char text[24];

	if (value <= INT64_MAX) {
		sqlite3_result_int64(context, value);
		return;
	}
	sqlite3_snprintf(sizeof(text), text, "%llu", (unsigned long long)value);
	sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static int table_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	const struct cursor *cursor = &((struct virtual_cursor *)base)->cursor;
	const struct table *table = &tables_list[cursor->table];
	struct dictionary_text text;
	bool null;
	int64_t value = cursor_value(cursor, column, &null);

	if (null)
		return SQLITE_OK;
	switch (table->columns[column].type) {
	case TABLE_UINT64:
		result_unsigned(context, value);
		break;
	case TABLE_STRING:
		text = block_text(cursor->rows, &cursor->logs->dictionary, value);
		sqlite3_result_text(context, text.bytes, text.length,
				    value & BLOCK_TEXT ? SQLITE_TRANSIENT : SQLITE_STATIC);
		break;
	case TABLE_DOUBLE:
		sqlite3_result_double(context, tables_double(value));
		break;
	default:
		sqlite3_result_int64(context, value);
	}
	return SQLITE_OK;
}

static int table_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	int64_t identity;
	int error = cursor_identity(&((struct virtual_cursor *)base)->cursor, &identity);

	if (!error)
		*rowid = identity;
	return result_of(base, error);
}

static const sqlite3_module module = {
	.xCreate = table_connect,
	.xConnect = table_connect,
	.xBestIndex = table_best_index,
	.xDisconnect = table_disconnect,
	.xDestroy = table_disconnect,
	.xOpen = cursor_open,
	.xClose = cursor_close,
	.xFilter = table_filter,
	.xNext = table_next,
	.xEof = table_eof,
	.xColumn = table_column,
	.xRowid = table_rowid,
};

int virtual_register(sqlite3 *db, struct query_logs *logs, void (*destroy)(void *logs))
{
	int result = sqlite3_create_module_v2(db, "evtlog", &module, logs, destroy);

	for (unsigned int i = 0; result == SQLITE_OK && i < TABLES; i++) {
		const char *name = tables_list[i].name;
		char *sql;

		/* Their rows are also in the complete tables. */
		if (TABLES_REST >> i & 1)
			continue;
		sql = sqlite3_mprintf("CREATE VIRTUAL TABLE temp.\"%w\" USING evtlog(%s)", name,
				      name);
		result = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
		sqlite3_free(sql);
	}
	return result == SQLITE_OK ? views_create(db, logs) : result;
}
