// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads small tables, and finds their rows by number.
 */
#include <errno.h>
#include <stdlib.h>

#include "logs.h"

#define EVENTS_AT_ONCE	4096

#define KEPT	(1u << TABLE_THREAD | 1u << TABLE_PROCESS | 1u << TABLE_THREAD_NAME | \
		 1u << TABLE_RUN | 1u << TABLE_META | 1u << TABLE_CLOCK | 1u << TABLE_LOSS | 1u << TABLE_KERNEL_COUNTER)

bool kept_is(enum table_number table)
{
	return KEPT >> table & 1;
}

void kept_free(struct kept *kept)
{
	if (!kept)
		return;
	block_free(&kept->rows);
	free(kept->by_key);
	free(kept);
}

static int take_row(void *context, enum table_number table, const int64_t *values, uint32_t nulls)
{
	struct query_logs *logs = context;

	return block_add(&logs->kept[table]->rows, &tables_list[table], &logs->dictionary, values,
			 nulls);
}

static int read_log(struct query_logs *logs, size_t number)
{
	struct tables_numbers numbers;
	struct tables *tables;
	int result = query_logs_read(logs, number, QUERY_FROM_START, KEPT, &numbers, NULL, take_row,
				     logs, &tables);

	if (!result)
		result = 1;
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

static int read_all(struct query_logs *logs)
{
	int error = 0;

	for (unsigned int i = 0; i < TABLES; i++) {
		if (!kept_is(i))
			continue;
		logs->kept[i] = calloc(1, sizeof(*logs->kept[i]));
		if (!logs->kept[i])
			return -ENOMEM;
		block_init(&logs->kept[i]->rows, &tables_list[i], 0);
	}
	for (size_t i = 0; !error && i < logs->set.count; i++)
		error = read_log(logs, i);
	for (unsigned int i = 0; !error && i < TABLES; i++)
		if (kept_is(i))
			error = sort(logs->kept[i]);
	return error;
}

const struct kept *kept_of(struct query_logs *logs, enum table_number table, int *error)
{
	*error = 0;
	if (logs->kept[table])
		return logs->kept[table];
	*error = read_all(logs);
	if (!*error)
		return logs->kept[table];
	for (unsigned int i = 0; i < TABLES; i++) {
		kept_free(logs->kept[i]);
		logs->kept[i] = NULL;
	}
	return NULL;
}

static int64_t key_at(const struct kept *kept, size_t number)
{
	return kept->rows.values[kept->by_key[number] * kept->rows.columns];
}

/* Of rows with one key the first counts. */
static bool is_repeated(const struct kept *kept, size_t number)
{
	return number && key_at(kept, number - 1) == key_at(kept, number);
}

size_t kept_find(const struct kept *kept, int64_t key)
{
	size_t low = 0, high = kept->rows.rows;
	/* Numbers of one log follow one another: mostly the row is where none are missing. */
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
