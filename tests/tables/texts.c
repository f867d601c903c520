// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * texts DIR ROWS - writes a table event, DIR/event.parquet, and DIR/views.sql
 *
 * Each row has another name: more than a dictionary has.  Fails if a table takes a row whose string
 * finds no memory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "made.h"

static struct made made;

static int put_event(struct made *to, int64_t i)
{
	int64_t host = dictionary_add_text(&to->dictionary, "node1");
	char name[32];

	snprintf(name, sizeof(name), "n%lld", (long long)i);
	return rows_put(&to->rows, &to->maker, (int64_t[]) {
		i, 1000 * i, i % 4, 0, dictionary_add_text(&to->dictionary, name), i, host, 1, 0
	}, 1 << 3);
}

/* As if the previous strings had taken all memory */
static bool refuses(const char *directory)
{
	struct dictionary *dictionary = &made.dictionary;
	struct rows *rows = &made.rows;
	int64_t key = dictionary_add_text(dictionary, "key");
	int64_t value[] = { key, dictionary_once(dictionary, "text", 4), key, 1, 0 };
	struct bytes *text = &rows->in_time.columns[1].text;
	struct bytes kept;
	char path[4096];
	int error;

	snprintf(path, sizeof(path), "%s/meta.parquet", directory);
	error = rows_open(rows, &tables_list[TABLE_META], path, INT64_MAX);
	if (error || rows_put(rows, &made.maker, value, 0))
		return false;
	kept = *text;
	text->count = text->capacity = SIZE_MAX - 2;
	error = rows_put(rows, &made.maker, value, 0);
	*text = kept;
	rows_discard(rows);
	return error == -ENOMEM;
}

int main(int argc, char **argv)
{
	int error;

	if (argc != 3)
		return 2;
	error = made_init(&made);
	if (!error && !refuses(argv[1])) {
		fputs("texts: a row is taken whose string is not kept\n", stderr);
		return 1;
	}
	if (!error)
		error = made_write(&made, argv[1], TABLE_EVENT, atol(argv[2]), put_event);
	made_free(&made);
	return error ? 1 : 0;
}
