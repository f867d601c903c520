/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Rows that are collected for an Arrow array.
 *
 * Stage: between the tables of a log and the stream's get_next().
 */
#ifndef EVTLOG_LIB_ARROW_BATCH_H
#define EVTLOG_LIB_ARROW_BATCH_H

#include <evtlog/arrow.h>

#include "lib/tables/tables.h"

/*
 * @valid:	a bit for each row
 * @data:	values; for strings, the ends of the strings in @text
 */
struct batch_column {
	uint8_t *valid;
	void *data;
	char *text;
	size_t text_count;
	size_t text_capacity;
	int64_t nulls;
};

/* @capacity: in rows, of all columns */
struct batch {
	const struct table *table;
	size_t count;
	size_t capacity;
	struct batch_column columns[TABLE_COLUMNS_MAX];
};

/* Adds a row.  Returns 0; -ENOMEM; -EOVERFLOW: more than 2 GiB of strings. */
int batch_put(struct batch *batch, const struct dictionary *dictionary, const int64_t *values,
	      uint32_t nulls);

/* Moves the rows to @array, and is then empty.  Returns 0 or -ENOMEM. */
int batch_take(struct batch *batch, struct ArrowArray *array);
void batch_free(struct batch *batch);

#endif /* EVTLOG_LIB_ARROW_BATCH_H */
