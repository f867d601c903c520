// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer's entry: reads any bytes as a log, and makes its tables for Parquet, queries and Arrow.
 *
 * Each table is exported as an Arrow C stream and read as by a user of Arrow. Readers do not check
 * the lengths and offsets of an array, so they must be correct.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/arrow.h>
#include <evtlog/evtlog.h>

#include "mutate.h"

/* Few rows, to get several batches */
#define BATCH_ROWS	64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;

	if (size < 48 || size > max_size || seed % 4 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	return mutate(data, size, max_size, &state);
}

static bool is_valid(const struct ArrowArray *column, int64_t row)
{
	const uint8_t *valid = column->buffers[0];

	return !valid || valid[row / 8] >> row % 8 & 1;
}

/* Checks that the strings are contiguous, and reads them. */
static uint64_t touch_strings(const struct ArrowArray *column)
{
	const int32_t *offsets = column->buffers[1];
	const uint8_t *bytes = column->buffers[2];
	uint64_t sum = 0;

	for (int64_t i = 0; i < column->length; i++) {
		if (offsets[i] < 0 || offsets[i + 1] < offsets[i])
			abort();
		for (int32_t k = offsets[i]; k < offsets[i + 1]; k++)
			sum += bytes[k];
	}
	return sum;
}

static uint64_t touch(const struct ArrowArray *column, const char *format)
{
	int64_t nulls = 0;
	uint64_t sum = 0;

	for (int64_t i = 0; i < column->length; i++) {
		nulls += !is_valid(column, i);
		switch (*format) {
		case 'l':
		case 'L':
		case 'g':
			sum += ((const uint64_t *)column->buffers[1])[i];
			break;
		case 'i':
			sum += ((const uint32_t *)column->buffers[1])[i];
			break;
		case 'b':
			sum += ((const uint8_t *)column->buffers[1])[i / 8];
			break;
		case 'u':
			break;
		default:
			abort();
		}
	}
	if (column->null_count >= 0 && column->null_count != nulls)
		abort();
	return *format == 'u' ? sum + touch_strings(column) : sum;
}

static uint64_t touch_batch(const struct ArrowArray *rows, const struct ArrowSchema *schema)
{
	uint64_t sum = 0;

	if (rows->n_children != schema->n_children || rows->length <= 0)
		abort();
	for (int64_t i = 0; i < rows->n_children; i++) {
		if (rows->children[i]->length != rows->length || rows->children[i]->offset)
			abort();
		sum += touch(rows->children[i], schema->children[i]->format);
	}
	return sum;
}

static uint64_t read_table(struct evtlog_file *file, const char *table)
{
	const struct evtlog_arrow_options options = { .batch_rows = BATCH_ROWS };
	struct ArrowArrayStream stream;
	struct ArrowSchema schema;
	struct ArrowArray rows;
	uint64_t sum = 0;

	if (evtlog_arrow_stream(file, table, &options, &stream))
		return 0;
	if (stream.get_schema(&stream, &schema))
		abort();
	while (!stream.get_next(&stream, &rows) && rows.release) {
		sum += touch_batch(&rows, &schema);
		rows.release(&rows);
	}
	schema.release(&schema);
	stream.release(&stream);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *bytes = malloc(size + 1);
	struct evtlog_error error;
	struct evtlog_file *file;
	uint64_t sum = 0;
	const char *table;

	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	if (size && !(data[size - 1] & 1))
		mutate_seal(bytes, size);
	if (!evtlog_open_bytes(bytes, size, &file, &error)) {
		for (size_t i = 0; (table = evtlog_arrow_table(i)); i++)
			sum += read_table(file, table);
		evtlog_close(file);
	}
	free(bytes);
	/* Uses @sum, so that the compiler does not remove the code above. */
	if (sum == 0x123456789abcdef)
		abort();
	return 0;
}
