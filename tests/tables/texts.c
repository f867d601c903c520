// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a table event with a name for each row, more than a dictionary has; and of a table whose
 * strings find no memory it takes no row.
 *
 *	texts DIR ROWS		DIR/event.parquet, DIR/views.sql
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "parquet/rows.h"
#include "parquet/views.h"

static struct page_maker maker;
static struct rows rows;

static int write_rows(struct dictionary *dictionary, int64_t count)
{
	int64_t host = dictionary_add_text(dictionary, "node1");
	int error = 0;

	for (int64_t i = 1; i <= count && !error; i++) {
		char name[32];

		snprintf(name, sizeof(name), "n%lld", (long long)i);
		error = rows_put(&rows, &maker, (int64_t[]) {
			i, 1000 * i, i % 4, 0, dictionary_add_text(dictionary, name), i, host, 1, 0
		}, 1 << 3);
	}
	return error;
}

/* As if all memory were taken by the strings before */
static bool refuses(struct dictionary *dictionary, const char *path)
{
	int64_t key = dictionary_add_text(dictionary, "key");
	int64_t value[] = { key, dictionary_once(dictionary, "text", 4), key, 1, 0 };
	struct bytes *text = &rows.in_time.columns[1].text;
	struct bytes kept;
	int error = rows_open(&rows, &tables_list[TABLE_META], path, INT64_MAX);

	if (error || rows_put(&rows, &maker, value, 0))
		return false;
	kept = *text;
	text->count = text->capacity = SIZE_MAX - 2;
	error = rows_put(&rows, &maker, value, 0);
	*text = kept;
	rows_discard(&rows);
	return error == -ENOMEM;
}

int main(int argc, char **argv)
{
	struct dictionary dictionary = { 0 };
	char path[4096];
	int error;

	if (argc != 3)
		return 2;
	error = page_maker_init(&maker, &dictionary);
	snprintf(path, sizeof(path), "%s/meta.parquet", argv[1]);
	if (!error && !refuses(&dictionary, path)) {
		fputs("texts: a row is taken whose string is not kept\n", stderr);
		return 1;
	}
	snprintf(path, sizeof(path), "%s/event.parquet", argv[1]);
	if (!error)
		error = rows_open(&rows, &tables_list[TABLE_EVENT], path, INT64_MAX);
	if (!error)
		error = write_rows(&dictionary, atol(argv[2]));
	if (!error)
		error = rows_finish(&rows, &maker, NULL, 0);
	if (!error)
		error = views_write(argv[1], UINT32_C(1) << TABLE_EVENT);
	rows_discard(&rows);
	page_maker_free(&maker);
	dictionary_free(&dictionary);
	return error ? 1 : 0;
}
