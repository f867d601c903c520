// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a table for a test.
 */
#include <stdio.h>

#include "made.h"
#include "parquet/export.h"

int made_init(struct made *made)
{
	return page_maker_init(&made->maker, &made->dictionary);
}

void made_free(struct made *made)
{
	rows_discard(&made->rows);
	page_maker_free(&made->maker);
	dictionary_free(&made->dictionary);
}

int made_write(struct made *made, const char *directory, unsigned int table, int64_t count,
	       made_row put)
{
	char path[4096];
	int error;

	snprintf(path, sizeof(path), "%s/%s.parquet", directory, tables_list[table].name);
	error = rows_open(&made->rows, &tables_list[table], path, INT64_MAX);
	for (int64_t i = 1; i <= count && !error; i++)
		error = put(made, i);
	if (!error)
		error = rows_finish(&made->rows, &made->maker, NULL, 0);
	return error ? error : views_write(directory, UINT32_C(1) << table);
}
