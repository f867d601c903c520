// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the footer of a Parquet file: columns, row groups and notes.
 */
#include <stdio.h>
#include <unistd.h>

#include <evtlog/version.h>

#include "encode.h"
#include "file.h"
#include "lib/base/io.h"

/* ---- Bytes for the end of a file: in memory, and in a nameless file ---- */

/* Memory for each overflow; there can be 50. */
#define HELD_MAX	(128u << 10)

static int spill(struct overflow *overflow)
{
	int error;

	if (!overflow->spilled) {
		overflow->fd = nameless_file();
		if (overflow->fd < 0)
			return overflow->fd;
	}
	error = io_write_at(overflow->fd, overflow->held.at, overflow->held.count,
			    overflow->spilled);
	overflow->spilled += overflow->held.count;
	overflow->held.count = 0;
	return error;
}

int overflow_put(struct overflow *overflow, const void *bytes, size_t count)
{
	bytes_put(&overflow->held, bytes, count);
	if (overflow->held.error)
		return overflow->held.error;
	return overflow->held.count > HELD_MAX ? spill(overflow) : 0;
}

int overflow_take(struct overflow *overflow, void *bytes, size_t count)
{
	uint64_t left = overflow->taken < overflow->spilled ?
			overflow->spilled - overflow->taken : 0;
	size_t there = count < left ? count : left;

	if (there) {
		ssize_t got = io_read_at(overflow->fd, bytes, there, overflow->taken);

		if (got < 0)
			return got;
		if ((size_t)got != there)
			return -EIO;
	}
	overflow->taken += there;
	if (count == there)
		return 0;
	memcpy((char *)bytes + there, overflow->held.at + (overflow->taken - overflow->spilled),
	       count - there);
	overflow->taken += count - there;
	return 0;
}

void overflow_free(struct overflow *overflow)
{
	if (overflow->spilled)
		close(overflow->fd);
	bytes_free(&overflow->held);
	memset(overflow, 0, sizeof(*overflow));
}

/* ---- The footer ---- */

#define CONVERTED_UTF8	0
#define CONVERTED_UINT64	14
#define FORMAT_VERSION	2

static void put_schema_column(struct thrift *thrift, const struct table_column *is)
{
	const struct column column = { .is = is };

	thrift_begin(thrift);
	thrift_int(thrift, 1, THRIFT_I32, column_type(&column));
	thrift_int(thrift, 3, THRIFT_I32, is->nullable);
	thrift_binary(thrift, 4, is->name, strlen(is->name));
	if (is->type == TABLE_STRING) {
		thrift_int(thrift, 6, THRIFT_I32, CONVERTED_UTF8);
		/* LogicalType, a union, with its empty member STRING */
		thrift_struct(thrift, 10);
		thrift_struct(thrift, 1);
		thrift_end(thrift);
		thrift_end(thrift);
	} else if (is->type == TABLE_UINT64) {
		thrift_int(thrift, 6, THRIFT_I32, CONVERTED_UINT64);
	}
	thrift_end(thrift);
}

static void put_schema(struct thrift *thrift, const struct table *table)
{
	thrift_list(thrift, 2, THRIFT_STRUCT, table->column_count + 1);
	thrift_begin(thrift);
	thrift_binary(thrift, 4, table->name, strlen(table->name));
	thrift_int(thrift, 5, THRIFT_I32, table->column_count);
	thrift_end(thrift);
	for (unsigned int i = 0; i < table->column_count; i++)
		put_schema_column(thrift, &table->columns[i]);
}

static void put_notes(struct thrift *thrift, const struct parquet_note *notes, size_t count)
{
	thrift_list(thrift, 5, THRIFT_STRUCT, count);
	for (size_t i = 0; i < count; i++) {
		thrift_begin(thrift);
		thrift_binary(thrift, 1, notes[i].key, strlen(notes[i].key));
		thrift_binary(thrift, 2, notes[i].value, strlen(notes[i].value));
		thrift_end(thrift);
	}
}

/* Without column orders, readers ignore the minimum and maximum of strings. */
static void put_orders(struct thrift *thrift, const struct table *table)
{
	thrift_list(thrift, 7, THRIFT_STRUCT, table->column_count);
	for (unsigned int i = 0; i < table->column_count; i++) {
		thrift_begin(thrift);
		thrift_struct(thrift, 1);
		thrift_end(thrift);
		thrift_end(thrift);
	}
}

/* ---- Row groups ---- */

/* Writes a ColumnChunk: its kept first part @at, and the fields of its page index. */
static void put_chunk(struct bytes *footer, const struct chunk *chunk, const void *at,
		      uint64_t index)
{
	struct thrift thrift = { .to = footer, .depth = 1, .last = { CHUNK_META_DATA } };

	bytes_put(footer, at, chunk->meta);
	thrift_int(&thrift, 4, THRIFT_I64, index + chunk->index.ranges);
	thrift_int(&thrift, 5, THRIFT_I32, chunk->index.places);
	if (chunk->index.ranges) {
		thrift_int(&thrift, 6, THRIFT_I64, index);
		thrift_int(&thrift, 7, THRIFT_I32, chunk->index.ranges);
	}
	thrift_end(&thrift);
}

/* @index: offset of the row group's page index; advanced to the next row group's */
static int put_group(struct bytes *footer, struct parquet_file *file, uint64_t *index)
{
	struct thrift thrift = { .to = footer };
	unsigned char *meta, *at;
	struct group group;
	int error = overflow_take(&file->groups, &group, sizeof(group));

	if (error)
		return error;
	meta = at = malloc(group.meta);
	if (!meta)
		return -ENOMEM;
	error = overflow_take(&file->groups, meta, group.meta);
	thrift_begin(&thrift);
	thrift_list(&thrift, 1, THRIFT_STRUCT, file->table->column_count);
	for (unsigned int i = 0; i < file->table->column_count && !error; i++) {
		const struct chunk *chunk = &group.chunks[i];

		put_chunk(footer, chunk, at, *index);
		at += chunk->meta;
		*index += chunk->index.ranges + chunk->index.places;
	}
	thrift_int(&thrift, 2, THRIFT_I64, group.uncompressed_bytes);
	thrift_int(&thrift, 3, THRIFT_I64, group.rows);
	thrift_int(&thrift, 5, THRIFT_I64, group.offset);
	thrift_int(&thrift, 6, THRIFT_I64, group.bytes);
	thrift_end(&thrift);
	free(meta);
	return error;
}

/* Writes the footer so far, because with many row groups it is long. */
static int write_out(struct parquet_file *file, struct bytes *footer)
{
	int error = footer->error;

	if (!error)
		error = parquet_file_write(file, footer->at, footer->count);
	footer->count = 0;
	return error;
}

int footer_write(struct parquet_file *file, uint64_t index, const struct parquet_note *notes,
		 size_t count)
{
	struct bytes footer = { 0 };
	struct thrift thrift = { .to = &footer };
	char made_by[64];
	int error = 0;

	snprintf(made_by, sizeof(made_by), "evtlog version %s", evtlog_version());
	thrift_begin(&thrift);
	thrift_int(&thrift, 1, THRIFT_I32, FORMAT_VERSION);
	put_schema(&thrift, file->table);
	thrift_int(&thrift, 3, THRIFT_I64, file->rows);
	thrift_list(&thrift, 4, THRIFT_STRUCT, file->group_count);
	for (size_t i = 0; i < file->group_count && !error; i++) {
		error = put_group(&footer, file, &index);
		if (!error)
			error = write_out(file, &footer);
	}
	put_notes(&thrift, notes, count);
	thrift_binary(&thrift, 6, made_by, strlen(made_by));
	put_orders(&thrift, file->table);
	thrift_end(&thrift);
	if (!error)
		error = write_out(file, &footer);
	bytes_free(&footer);
	return error;
}
