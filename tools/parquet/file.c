// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a Parquet file: magic, row groups and page index.  footer.c writes the footer.
 */
#include <fcntl.h>
#include <unistd.h>

#include "column.h"
#include "encode.h"
#include "file.h"
#include "lib/base/io.h"

#define MAGIC		"PAR1"
#define MAGIC_BYTES	4
#define CODEC_ZSTD	6

int parquet_file_write(struct parquet_file *file, const void *bytes, size_t count)
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
	return parquet_file_write(file, MAGIC, MAGIC_BYTES);
}

void parquet_file_discard(struct parquet_file *file)
{
	if (file->table && file->fd >= 0)
		close(file->fd);
	overflow_free(&file->groups);
	overflow_free(&file->index);
	memset(file, 0, sizeof(*file));
}

/* ---- Statistics ---- */

static void put_string_range(struct thrift *thrift, const struct column *column,
			     const struct dictionary *dictionary)
{
	struct dictionary_text least = dictionary_text(dictionary, column->entries[0]);
	struct dictionary_text most = least;

	for (size_t i = 1; i < column->entry_count; i++) {
		struct dictionary_text text = dictionary_text(dictionary, column->entries[i]);

		if (column_compare_texts(text, least) < 0)
			least = text;
		if (column_compare_texts(text, most) > 0)
			most = text;
	}
	thrift_binary(thrift, 5, most.bytes, most.length);
	thrift_binary(thrift, 6, least.bytes, least.length);
}

static void put_number(struct thrift *thrift, int id, const struct column *column, int64_t value)
{
	unsigned char bytes[8];

	thrift_binary(thrift, id, bytes, column_number(column, value, bytes));
}

static void put_statistics(struct thrift *thrift, const struct column *column,
			   const struct dictionary *dictionary)
{
	thrift_struct(thrift, 12);
	thrift_int(thrift, 3, THRIFT_I64, column->nulls);
	if (column->is->type == TABLE_STRING) {
		/* The dictionary does not have the values of PLAIN pages. */
		if (column->entry_count && !column->has_plain)
			put_string_range(thrift, column, dictionary);
	} else if (column->has_range && column->is->type != TABLE_DOUBLE) {
		put_number(thrift, 5, column, column->most);
		put_number(thrift, 6, column, column->least);
	}
	thrift_end(thrift);
}

/* ---- Row groups ---- */

static int write_chunk(struct parquet_file *file, struct page_maker *maker, struct column *column,
		       struct chunk *chunk)
{
	struct bytes dictionary = { 0 };
	int error;

	*chunk = (struct chunk) { .offset = file->offset };
	column_dictionary(column, maker, &dictionary, &chunk->uncompressed_bytes);
	error = dictionary.error;
	if (!error && dictionary.count)
		error = parquet_file_write(file, dictionary.at, dictionary.count);
	chunk->data_offset = file->offset;
	if (!error)
		error = parquet_file_write(file, column->pages.at, column->pages.count);
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

/* Writes a ColumnChunk for the footer, without its page index: the struct stays open. */
static void put_chunk(struct thrift *thrift, const struct column *column, const struct chunk *chunk,
		      const struct dictionary *dictionary)
{
	const char *name = column->is->name;

	thrift_begin(thrift);
	thrift_int(thrift, 2, THRIFT_I64, chunk->offset);
	thrift_struct(thrift, CHUNK_META_DATA);
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
}

/* Keeps data for the footer: a struct group, and the output of put_chunk() for each column. */
static int keep_group(struct parquet_file *file, const struct dictionary *dictionary,
		      const struct column *columns, struct group *group)
{
	struct bytes meta = { 0 }, index = { 0 };
	int error;

	for (unsigned int i = 0; i < file->table->column_count; i++) {
		struct thrift thrift = { .to = &meta };
		struct chunk *chunk = &group->chunks[i];
		size_t before = meta.count;

		put_chunk(&thrift, &columns[i], chunk, dictionary);
		chunk->meta = meta.count - before;
		chunk->index = page_index_put(&index, &columns[i], dictionary, chunk->data_offset);
	}
	group->meta = meta.count;
	error = meta.error ? meta.error : index.error;
	if (!error)
		error = overflow_put(&file->groups, group, sizeof(*group));
	if (!error)
		error = overflow_put(&file->groups, meta.at, meta.count);
	if (!error)
		error = overflow_put(&file->index, index.at, index.count);
	bytes_free(&meta);
	bytes_free(&index);
	return error;
}

int parquet_file_group(struct parquet_file *file, struct page_maker *maker,
		       struct column *columns, uint64_t rows)
{
	struct group group = { .rows = rows, .offset = file->offset };
	int error = 0;

	for (unsigned int i = 0; i < file->table->column_count && !error; i++) {
		error = write_chunk(file, maker, &columns[i], &group.chunks[i]);
		group.uncompressed_bytes += group.chunks[i].uncompressed_bytes;
	}
	if (error)
		return error;
	group.bytes = file->offset - group.offset;
	file->rows += rows;
	file->group_count++;
	return keep_group(file, maker->dictionary, columns, &group);
}

/* ---- End ---- */

/* Writes the page index that was kept. */
static int write_index(struct parquet_file *file)
{
	uint64_t left = overflow_count(&file->index);
	char piece[16384];
	int error = 0;

	for (size_t some; left && !error; left -= some) {
		some = left < sizeof(piece) ? left : sizeof(piece);
		error = overflow_take(&file->index, piece, some);
		if (!error)
			error = parquet_file_write(file, piece, some);
	}
	return error;
}

int parquet_file_finish(struct parquet_file *file, const struct parquet_note *notes, size_t count)
{
	uint64_t index = file->offset, footer;
	int error = write_index(file);

	footer = file->offset;
	if (!error)
		error = footer_write(file, index, notes, count);
	if (!error) {
		struct bytes end = { 0 };

		bytes_put_le(&end, file->offset - footer, 4);
		bytes_put(&end, MAGIC, MAGIC_BYTES);
		error = end.error ? end.error : parquet_file_write(file, end.at, end.count);
		bytes_free(&end);
	}
	if (close(file->fd) && !error)
		error = -errno;
	file->fd = -1;
	return error;
}
