// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a Parquet file: magic, row groups, footer.
 *
 * Called by rows.c.
 */
#include <evtlog/version.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "file.h"
#include "lib/base/io.h"
#include "thrift.h"

#define MAGIC		"PAR1"
#define MAGIC_BYTES	4
#define CODEC_ZSTD	6
#define CONVERTED_UTF8	0
#define FORMAT_VERSION	2

static int write_bytes(struct parquet_file *file, const void *bytes, size_t count)
{
	int error = io_write(file->fd, bytes, count);

	file->offset += count;
	return error;
}

int parquet_file_open(struct parquet_file *file, const struct table *table, const char *path)
{
	*file = (struct parquet_file) { .table = table };
	file->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (file->fd < 0)
		return -errno;
	return write_bytes(file, MAGIC, MAGIC_BYTES);
}

void parquet_file_discard(struct parquet_file *file)
{
	if (file->table && file->fd >= 0)
		close(file->fd);
	bytes_free(&file->groups);
	memset(file, 0, sizeof(*file));
}

/* ---- Statistics ---- */

static int compare(struct dictionary_text one, struct dictionary_text other)
{
	size_t length = one.length < other.length ? one.length : other.length;
	int result = memcmp(one.bytes, other.bytes, length);

	return result ? result : (one.length > other.length) - (one.length < other.length);
}

static void put_string_range(struct thrift *thrift, const struct column *column,
			     const struct dictionary *dictionary)
{
	struct dictionary_text least = dictionary_text(dictionary, column->entries[0]);
	struct dictionary_text most = least;

	for (size_t i = 1; i < column->entry_count; i++) {
		struct dictionary_text text = dictionary_text(dictionary, column->entries[i]);

		if (compare(text, least) < 0)
			least = text;
		if (compare(text, most) > 0)
			most = text;
	}
	thrift_binary(thrift, 5, most.bytes, most.length);
	thrift_binary(thrift, 6, least.bytes, least.length);
}

static void put_number(struct thrift *thrift, int id, int64_t value, unsigned int bytes)
{
	unsigned char le[8];

	for (unsigned int i = 0; i < bytes; i++)
		le[i] = (uint64_t)value >> 8 * i;
	thrift_binary(thrift, id, le, bytes);
}

static void put_statistics(struct thrift *thrift, const struct column *column,
			   const struct dictionary *dictionary)
{
	static const unsigned char bytes[] = {
		[TABLE_INT64] = 8, [TABLE_INT32] = 4, [TABLE_BOOL] = 1, [TABLE_STRING] = 0,
	};

	thrift_struct(thrift, 12);
	thrift_int(thrift, 3, THRIFT_I64, column->nulls);
	if (column->is->type == TABLE_STRING) {
		/* Of those that are PLAIN nobody has all. */
		if (column->entry_count && !column->has_plain)
			put_string_range(thrift, column, dictionary);
	} else if (column->has_range && column->is->type != TABLE_DOUBLE) {
		put_number(thrift, 5, column->most, bytes[column->is->type]);
		put_number(thrift, 6, column->least, bytes[column->is->type]);
	}
	thrift_end(thrift);
}

/* ---- Row groups ---- */

struct chunk {
	uint64_t offset;
	uint64_t data_offset;
	uint64_t bytes;
	uint64_t uncompressed_bytes;
};

static int write_chunk(struct parquet_file *file, struct page_maker *maker, struct column *column,
		       struct chunk *chunk)
{
	struct bytes dictionary = { 0 };
	int error;

	*chunk = (struct chunk) { .offset = file->offset };
	column_dictionary(column, maker, &dictionary, &chunk->uncompressed_bytes);
	error = dictionary.error;
	if (!error && dictionary.count)
		error = write_bytes(file, dictionary.at, dictionary.count);
	chunk->data_offset = file->offset;
	if (!error)
		error = write_bytes(file, column->pages.at, column->pages.count);
	chunk->bytes = file->offset - chunk->offset;
	chunk->uncompressed_bytes += column->uncompressed_bytes;
	bytes_free(&dictionary);
	return error;
}

static void put_encodings(struct thrift *thrift, const struct column *column)
{
	const struct { bool has; enum parquet_encoding encoding; } all[] = {
		{ column->has_plain || column->has_dictionary, PARQUET_PLAIN },
		{ true, PARQUET_RLE },
		{ column->has_delta, PARQUET_DELTA_BINARY_PACKED },
		{ column->has_dictionary, PARQUET_RLE_DICTIONARY },
	};
	size_t count = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		count += all[i].has;
	thrift_list(thrift, 2, THRIFT_I32, count);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i].has)
			bytes_put_zigzag(thrift->to, all[i].encoding);
}

static void put_chunk(struct thrift *thrift, const struct column *column, const struct chunk *chunk,
		      const struct dictionary *dictionary)
{
	const char *name = column->is->name;

	thrift_begin(thrift);
	thrift_int(thrift, 2, THRIFT_I64, chunk->offset);
	thrift_struct(thrift, 3);
	thrift_int(thrift, 1, THRIFT_I32, column_type(column));
	put_encodings(thrift, column);
	thrift_list(thrift, 3, THRIFT_BINARY, 1);
	thrift_element(thrift, name, strlen(name));
	thrift_int(thrift, 4, THRIFT_I32, CODEC_ZSTD);
	thrift_int(thrift, 5, THRIFT_I64, column->values);
	thrift_int(thrift, 6, THRIFT_I64, chunk->uncompressed_bytes);
	thrift_int(thrift, 7, THRIFT_I64, chunk->bytes);
	thrift_int(thrift, 9, THRIFT_I64, chunk->data_offset);
	if (column->has_dictionary)
		thrift_int(thrift, 11, THRIFT_I64, chunk->offset);
	put_statistics(thrift, column, dictionary);
	thrift_end(thrift);
	thrift_end(thrift);
}

int parquet_file_group(struct parquet_file *file, struct page_maker *maker,
		       struct column *columns, uint64_t rows)
{
	struct thrift thrift = { .to = &file->groups };
	struct chunk chunks[FILE_COLUMNS];
	uint64_t offset = file->offset, uncompressed_bytes = 0;
	int error = 0;

	for (unsigned int i = 0; i < file->table->column_count && !error; i++) {
		error = write_chunk(file, maker, &columns[i], &chunks[i]);
		uncompressed_bytes += chunks[i].uncompressed_bytes;
	}
	if (error)
		return error;
	thrift_begin(&thrift);
	thrift_list(&thrift, 1, THRIFT_STRUCT, file->table->column_count);
	for (unsigned int i = 0; i < file->table->column_count; i++)
		put_chunk(&thrift, &columns[i], &chunks[i], maker->dictionary);
	thrift_int(&thrift, 2, THRIFT_I64, uncompressed_bytes);
	thrift_int(&thrift, 3, THRIFT_I64, rows);
	thrift_int(&thrift, 5, THRIFT_I64, offset);
	thrift_int(&thrift, 6, THRIFT_I64, file->offset - offset);
	thrift_end(&thrift);
	file->rows += rows;
	file->group_count++;
	return file->groups.error;
}

/* ---- Footer ---- */

static void put_schema_column(struct thrift *thrift, const struct table_column *is)
{
	const struct column column = { .is = is };

	thrift_begin(thrift);
	thrift_int(thrift, 1, THRIFT_I32, column_type(&column));
	thrift_int(thrift, 3, THRIFT_I32, is->nullable);
	thrift_binary(thrift, 4, is->name, strlen(is->name));
	if (is->type == TABLE_STRING) {
		thrift_int(thrift, 6, THRIFT_I32, CONVERTED_UTF8);
		/* A union: of it the member STRING, which is empty */
		thrift_struct(thrift, 10);
		thrift_struct(thrift, 1);
		thrift_end(thrift);
		thrift_end(thrift);
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

/* Without it readers take no minimum and maximum of strings. */
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

int parquet_file_finish(struct parquet_file *file, const struct parquet_note *notes, size_t count)
{
	struct bytes footer = { 0 };
	struct thrift thrift = { .to = &footer };
	const char *version = evtlog_version();
	char made_by[64];
	int error;

	snprintf(made_by, sizeof(made_by), "evtlog version %s", version);
	thrift_begin(&thrift);
	thrift_int(&thrift, 1, THRIFT_I32, FORMAT_VERSION);
	put_schema(&thrift, file->table);
	thrift_int(&thrift, 3, THRIFT_I64, file->rows);
	thrift_list(&thrift, 4, THRIFT_STRUCT, file->group_count);
	bytes_put(&footer, file->groups.at, file->groups.count);
	put_notes(&thrift, notes, count);
	thrift_binary(&thrift, 6, made_by, strlen(made_by));
	put_orders(&thrift, file->table);
	thrift_end(&thrift);
	bytes_put_le(&footer, footer.count, 4);
	bytes_put(&footer, MAGIC, MAGIC_BYTES);
	error = footer.error ? footer.error : write_bytes(file, footer.at, footer.count);
	if (close(file->fd) && !error)
		error = -errno;
	file->fd = -1;
	bytes_free(&footer);
	return error;
}
