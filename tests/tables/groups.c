// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a table thread_wait whose rows come when they end, one in 1,000 of which began at any time
 * before: as of threads that sleep for long.
 *
 *	groups DIR ROWS		DIR/thread_wait.parquet, DIR/views.sql
 */
#include <stdio.h>
#include <stdlib.h>

#include "parquet/rows.h"
#include "parquet/views.h"

static struct page_maker maker;
static struct rows rows;

static int write_rows(struct dictionary *dictionary, int64_t count)
{
	int64_t state = dictionary_add_text(dictionary, "S");
	int64_t host = dictionary_add_text(dictionary, "node1");
	int error = 0;

	for (int64_t i = 1; i <= count && !error; i++) {
		int64_t end = 1000 * i, dur = i % 1000 ? 1 + i * 7919 % 3000 : 1 + i * 7919 % end;

		dur = dur < end ? dur : end;
		error = rows_put(&rows, &maker, (int64_t[]) {
			end - dur, dur, i % 100, state, 0, 0, 0, host, 1, 0
		}, 1 << 4 | 1 << 5);
	}
	return error;
}

int main(int argc, char **argv)
{
	struct dictionary dictionary = { 0 };
	char path[4096];
	int error;

	if (argc != 3)
		return 2;
	snprintf(path, sizeof(path), "%s/thread_wait.parquet", argv[1]);
	error = page_maker_init(&maker, &dictionary);
	if (!error)
		error = rows_open(&rows, &tables_list[TABLE_THREAD_WAIT], path, INT64_MAX);
	if (!error)
		error = write_rows(&dictionary, atol(argv[2]));
	if (!error)
		error = rows_finish(&rows, &maker, NULL, 0);
	if (!error)
		error = views_write(argv[1], UINT32_C(1) << TABLE_THREAD_WAIT);
	rows_discard(&rows);
	page_maker_free(&maker);
	dictionary_free(&dictionary);
	return error ? 1 : 0;
}
