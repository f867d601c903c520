// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows of one table in memory.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"

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

/* Its length is in front of a string. */
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
