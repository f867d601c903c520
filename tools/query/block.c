// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Holds rows of one table in memory.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "logs.h"

#define ROWS_FIRST	1024
#define BYTES_FIRST	4096

void block_free(struct row_block *block)
{
	free(block->values);
	free(block->nulls);
	free(block->texts);
	*block = (struct row_block) { 0 };
}

void block_init(struct row_block *block, const struct table *table, unsigned int more)
{
	*block = (struct row_block) { .columns = table->column_count + more };
	for (unsigned int i = 0; i < table->column_count; i++)
		block->has_once |= table->columns[i].once;
}

static int set_capacity(struct row_block *block, size_t capacity)
{
	int64_t *values = reallocarray(block->values, capacity * block->columns, sizeof(*values));
	uint32_t *nulls;

	if (!values)
		return -ENOMEM;
	block->values = values;
	nulls = reallocarray(block->nulls, capacity, sizeof(*nulls));
	if (!nulls)
		return -ENOMEM;
	block->nulls = nulls;
	block->capacity = capacity;
	return 0;
}

static int grow(struct row_block *block)
{
	return set_capacity(block, block->capacity ? 2 * block->capacity : ROWS_FIRST);
}

int block_reserve(struct row_block *block, size_t rows)
{
	return rows > block->capacity ? set_capacity(block, rows) : 0;
}

/* Stores the length, then the string.  Returns the value for the row; -ENOMEM. */
static int64_t keep_text(struct row_block *block, struct dictionary_text text)
{
	size_t needed = block->text_bytes + sizeof(size_t) + text.length;
	size_t capacity = block->text_capacity ? block->text_capacity : BYTES_FIRST;
	int64_t at = block->text_bytes;
	char *texts;

	while (capacity < needed)
		capacity *= 2;
	if (capacity != block->text_capacity) {
		texts = realloc(block->texts, capacity);
		if (!texts)
			return -ENOMEM;
		block->texts = texts;
		block->text_capacity = capacity;
	}
	memcpy(block->texts + at, &text.length, sizeof(size_t));
	memcpy(block->texts + at + sizeof(size_t), text.bytes, text.length);
	block->text_bytes = needed;
	return BLOCK_TEXT + at;
}

int block_add(struct row_block *block, const struct table *table, const struct dictionary *dictionary,
	      const int64_t *values, uint32_t nulls)
{
	int64_t *row;

	if (__builtin_expect(block->rows == block->capacity, 0) && grow(block))
		return -ENOMEM;
	row = block->values + block->rows * block->columns;
	for (unsigned int i = 0; i < block->columns; i++)
		row[i] = values[i];
	block->nulls[block->rows] = nulls;
	for (unsigned int i = 0; block->has_once && i < table->column_count; i++) {
		if (!table->columns[i].once || nulls >> i & 1)
			continue;
		row[i] = keep_text(block, dictionary_text(dictionary, values[i]));
		if (row[i] < 0)
			return -ENOMEM;
	}
	block->rows++;
	return 0;
}

struct dictionary_text block_text(const struct row_block *block, const struct dictionary *dictionary,
				  int64_t value)
{
	struct dictionary_text text;

	if (!(value & BLOCK_TEXT))
		return dictionary_text(dictionary, value);
	value -= BLOCK_TEXT;
	memcpy(&text.length, block->texts + value, sizeof(text.length));
	text.bytes = block->texts + value + sizeof(text.length);
	return text;
}

/* ---- Small tables, kept completely ---- */

#define EVENTS_AT_ONCE	4096

/* Tables that need no events */
#define HEADS	(1u << TABLE_RUN | 1u << TABLE_META | 1u << TABLE_CLOCK)
#define KEPT	(HEADS | 1u << TABLE_THREAD | 1u << TABLE_PROCESS | 1u << TABLE_THREAD_NAME | \
		 1u << TABLE_LOSS | 1u << TABLE_KERNEL_COUNTER)

bool kept_is(enum table_number table)
{
	return KEPT >> table & 1;
}

void kept_free(struct kept *tables[TABLES])
{
	for (unsigned int i = 0; i < TABLES; i++) {
		if (!tables[i])
			continue;
		block_free(&tables[i]->rows);
		free(tables[i]->by_key);
		free(tables[i]);
		tables[i] = NULL;
	}
}

/* @kept: destination of the rows */
struct reading {
	struct query_logs *logs;
	struct kept **kept;
};

static int take_row(void *context, enum table_number table, const int64_t *values, uint32_t nulls)
{
	const struct reading *reading = context;

	return block_add(&reading->kept[table]->rows, &tables_list[table], &reading->logs->dictionary,
			 values, nulls);
}

static int read_log(struct reading *reading, size_t number, uint32_t wanted)
{
	struct query_logs *logs = reading->logs;
	struct tables_numbers numbers;
	struct tables *tables;
	int result = query_logs_read(logs, number, QUERY_ALL, wanted, &numbers, NULL, take_row,
				     reading, &tables);

	if (!result)
		result = wanted == HEADS ? tables_heads(tables) : 1;
	while (result > 0) {
		result = tables_next(tables, EVENTS_AT_ONCE);
		if (logs->stop)
			result = -EINTR;
	}
	tables_free(tables);
	return result;
}

static __thread const struct row_block *sorted;

static int compare(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	int64_t left = sorted->values[x * sorted->columns];
	int64_t right = sorted->values[y * sorted->columns];

	if (left != right)
		return left < right ? -1 : 1;
	return (x > y) - (x < y);
}

static int sort(struct kept *kept)
{
	kept->by_key = calloc(kept->rows.rows + 1, sizeof(*kept->by_key));
	if (!kept->by_key)
		return -ENOMEM;
	for (size_t i = 0; i < kept->rows.rows; i++)
		kept->by_key[i] = i;
	sorted = &kept->rows;
	qsort(kept->by_key, kept->rows.rows, sizeof(*kept->by_key), compare);
	return 0;
}

static int read_all(struct query_logs *logs, struct kept *kept[TABLES], uint32_t wanted)
{
	struct reading reading = { .logs = logs, .kept = kept };
	int error = 0;

	for (unsigned int i = 0; i < TABLES; i++) {
		if (!(wanted >> i & 1))
			continue;
		kept[i] = calloc(1, sizeof(*kept[i]));
		if (!kept[i])
			return -ENOMEM;
		block_init(&kept[i]->rows, &tables_list[i], 0);
	}
	for (size_t i = 0; !error && i < logs->set.count; i++)
		error = read_log(&reading, i, wanted);
	for (unsigned int i = 0; !error && i < TABLES; i++)
		if (wanted >> i & 1)
			error = sort(kept[i]);
	return error;
}

static bool needs_events(enum table_number table, uint32_t columns)
{
	const struct table *about = &tables_list[table];

	if (!(HEADS >> table & 1))
		return true;
	for (unsigned int i = 0; i < about->column_count; i++)
		if (about->columns[i].whole && columns >> i & 1)
			return true;
	return false;
}

const struct kept *kept_of(struct query_logs *logs, enum table_number table, uint32_t columns,
			   int *error)
{
	bool is_head = !needs_events(table, columns);
	struct kept **kept = is_head ? logs->heads : logs->kept;

	*error = kept[table] ? 0 : read_all(logs, kept, is_head ? HEADS : KEPT);
	if (*error)
		kept_free(kept);
	return kept[table];
}

static int64_t key_at(const struct kept *kept, size_t number)
{
	return kept->rows.values[kept->by_key[number] * kept->rows.columns];
}

/* Returns true if the previous row has the same key.  The first row with a key counts. */
static bool is_repeated(const struct kept *kept, size_t number)
{
	return number && key_at(kept, number - 1) == key_at(kept, number);
}

size_t kept_find(const struct kept *kept, int64_t key)
{
	size_t low = 0, high = kept->rows.rows;
	/* Keys of one log are mostly consecutive, so try this index first. */
	uint64_t guess = high ? (uint64_t)key - key_at(kept, 0) : 0;

	if (guess < high && key_at(kept, guess) == key && !is_repeated(kept, guess))
		return kept->by_key[guess];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (key_at(kept, middle) < key)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == kept->rows.rows || key_at(kept, low) != key)
		return SIZE_MAX;
	return kept->by_key[low];
}
