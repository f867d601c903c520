// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Collects rows, and returns them as an Arrow array of structs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "lib/base/array.h"

#define ROWS_FIRST	1024

/* Returns the bytes of @rows values of a type; strings have one end more than rows. */
static size_t data_bytes(uint8_t type, size_t rows)
{
	switch (type) {
	case TABLE_BOOL:
		return (rows + 7) / 8;
	case TABLE_INT32:
		return 4 * rows;
	case TABLE_STRING:
		return 4 * (rows + 1);
	default:
		return 8 * rows;
	}
}

static int grow(struct batch *batch)
{
	size_t capacity = batch->capacity ? 2 * batch->capacity : ROWS_FIRST;

	for (unsigned int i = 0; i < batch->table->column_count; i++) {
		struct batch_column *column = &batch->columns[i];
		uint8_t type = batch->table->columns[i].type;
		void *data = realloc(column->data, data_bytes(type, capacity));
		uint8_t *valid = realloc(column->valid, capacity / 8);

		column->data = data ? data : column->data;
		column->valid = valid ? valid : column->valid;
		if (!data || !valid)
			return -ENOMEM;
		if (!batch->capacity && type == TABLE_STRING)
			*(int32_t *)data = 0;
	}
	batch->capacity = capacity;
	return 0;
}

static void set_bit(uint8_t *bits, size_t at, bool is)
{
	if (at % 8 == 0)
		bits[at / 8] = 0;
	bits[at / 8] |= is << at % 8;
}

static int put_text(struct batch_column *column, size_t row, struct dictionary_text text)
{
	int32_t *ends = column->data;

	if (text.length > INT32_MAX - column->text_count)
		return -EOVERFLOW;
	if (array_reserve_more(&column->text, &column->text_capacity, column->text_count,
			       text.length, 1))
		return -ENOMEM;
	if (text.length)
		memcpy(column->text + column->text_count, text.bytes, text.length);
	column->text_count += text.length;
	ends[row + 1] = column->text_count;
	return 0;
}

int batch_put(struct batch *batch, const struct dictionary *dictionary, const int64_t *values,
	      uint32_t nulls)
{
	size_t row = batch->count;

	if (row == batch->capacity && grow(batch))
		return -ENOMEM;
	for (unsigned int i = 0; i < batch->table->column_count; i++) {
		struct batch_column *column = &batch->columns[i];
		bool is_null = nulls >> i & 1;
		int error = 0;

		set_bit(column->valid, row, !is_null);
		column->nulls += is_null;
		switch (batch->table->columns[i].type) {
		case TABLE_BOOL:
			set_bit(column->data, row, !is_null && values[i]);
			break;
		case TABLE_INT32:
			((int32_t *)column->data)[row] = is_null ? 0 : values[i];
			break;
		case TABLE_STRING:
			error = put_text(column, row, is_null ? (struct dictionary_text) { 0 } :
					 dictionary_text(dictionary, values[i]));
			break;
		default:
			((int64_t *)column->data)[row] = is_null ? 0 : values[i];
		}
		if (error)
			return error;
	}
	batch->count++;
	return 0;
}

/* ---- Arrays ---- */

static void release_column(struct ArrowArray *array)
{
	for (int64_t i = 0; i < array->n_buffers; i++)
		free((void *)array->buffers[i]);
	free(array->buffers);
	array->release = NULL;
}

static void release_rows(struct ArrowArray *array)
{
	for (int64_t i = 0; i < array->n_children; i++) {
		/* The consumer may have moved it. */
		if (array->children[i] && array->children[i]->release)
			array->children[i]->release(array->children[i]);
		free(array->children[i]);
	}
	free(array->children);
	free(array->buffers);
	array->release = NULL;
}

static struct ArrowArray *take_column(struct batch_column *column, uint8_t type, size_t count)
{
	struct ArrowArray *array = calloc(1, sizeof(*array));
	const void **buffers = calloc(3, sizeof(*buffers));

	if (!array || !buffers) {
		free(array);
		free(buffers);
		return NULL;
	}
	buffers[0] = column->valid;
	buffers[1] = column->data;
	buffers[2] = column->text;
	*array = (struct ArrowArray) {
		.length = count,
		.null_count = column->nulls,
		.n_buffers = type == TABLE_STRING ? 3 : 2,
		.buffers = buffers,
		.release = release_column,
	};
	*column = (struct batch_column) { 0 };
	return array;
}

int batch_take(struct batch *batch, struct ArrowArray *array)
{
	const unsigned int columns = batch->table->column_count;

	*array = (struct ArrowArray) {
		.length = batch->count,
		.n_buffers = 1,
		.buffers = calloc(1, sizeof(*array->buffers)),
		.children = calloc(columns, sizeof(*array->children)),
		.release = release_rows,
	};
	if (!array->buffers || !array->children)
		goto no_memory;
	array->n_children = columns;
	for (unsigned int i = 0; i < columns; i++) {
		array->children[i] = take_column(&batch->columns[i],
						 batch->table->columns[i].type, batch->count);
		if (!array->children[i])
			goto no_memory;
	}
	batch->count = 0;
	batch->capacity = 0;
	return 0;

no_memory:
	release_rows(array);
	return -ENOMEM;
}

void batch_free(struct batch *batch)
{
	for (unsigned int i = 0; i < TABLE_COLUMNS_MAX; i++) {
		free(batch->columns[i].valid);
		free(batch->columns[i].data);
		free(batch->columns[i].text);
	}
}
