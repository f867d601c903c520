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

/* ---- The page index: ColumnIndex and OffsetIndex of each column chunk ---- */

enum boundary_order { UNORDERED, ASCENDING };

/* Converts a number to its bytes in statistics.  Returns the number of bytes. */
static unsigned int number_bytes(const struct column *column, int64_t value, unsigned char bytes[8])
{
	static const unsigned char widths[] = {
		[TABLE_INT64] = 8, [TABLE_UINT64] = 8, [TABLE_INT32] = 4, [TABLE_BOOL] = 1,
		[TABLE_STRING] = 0,
	};

	for (unsigned int i = 0; i < 8; i++)
		bytes[i] = (uint64_t)value >> 8 * i;
	return widths[column->is->type];
}

static void put_value(struct thrift *thrift, const struct column *column,
		      const struct dictionary *dictionary, int64_t value)
{
	struct dictionary_text text;
	unsigned char bytes[8];

	if (column->is->type == TABLE_STRING) {
		text = dictionary_text(dictionary, value);
		thrift_element(thrift, text.bytes, text.length);
	} else {
		thrift_element(thrift, bytes, number_bytes(column, value, bytes));
	}
}

static int compare(const struct column *column, const struct dictionary *dictionary, int64_t one,
		   int64_t other)
{
	if (column->is->type == TABLE_STRING)
		return column_compare_texts(dictionary_text(dictionary, one),
					    dictionary_text(dictionary, other));
	one = column_ranked(column, one);
	other = column_ranked(column, other);
	return (one > other) - (one < other);
}

static enum boundary_order order_of(const struct column *column,
				    const struct dictionary *dictionary)
{
	const struct page_place *last = NULL;

	for (size_t i = 0; i < column->place_count; i++) {
		const struct page_place *place = &column->places[i];

		if (place->is_null)
			continue;
		if (last && (compare(column, dictionary, last->least, place->least) > 0 ||
			     compare(column, dictionary, last->most, place->most) > 0))
			return UNORDERED;
		last = place;
	}
	return ASCENDING;
}

static void put_ranges(struct bytes *to, const struct column *column,
		       const struct dictionary *dictionary)
{
	struct thrift thrift = { .to = to };

	thrift_begin(&thrift);
	thrift_list(&thrift, 1, THRIFT_TRUE, column->place_count);
	for (size_t i = 0; i < column->place_count; i++)
		bytes_put_byte(to, column->places[i].is_null ? THRIFT_TRUE : THRIFT_FALSE);
	for (int id = 2; id <= 3; id++) {
		thrift_list(&thrift, id, THRIFT_BINARY, column->place_count);
		for (size_t i = 0; i < column->place_count; i++) {
			const struct page_place *place = &column->places[i];

			if (place->is_null)
				thrift_element(&thrift, NULL, 0);
			else
				put_value(&thrift, column, dictionary,
					  id == 2 ? place->least : place->most);
		}
	}
	thrift_int(&thrift, 4, THRIFT_I32, order_of(column, dictionary));
	thrift_list(&thrift, 5, THRIFT_I64, column->place_count);
	for (size_t i = 0; i < column->place_count; i++)
		bytes_put_zigzag(to, column->places[i].nulls);
	thrift_end(&thrift);
}

static void put_places(struct bytes *to, const struct column *column, uint64_t offset)
{
	struct thrift thrift = { .to = to };
	uint64_t row = 0;

	thrift_begin(&thrift);
	thrift_list(&thrift, 1, THRIFT_STRUCT, column->place_count);
	for (size_t i = 0; i < column->place_count; i++) {
		const struct page_place *place = &column->places[i];

		thrift_begin(&thrift);
		thrift_int(&thrift, 1, THRIFT_I64, offset);
		thrift_int(&thrift, 2, THRIFT_I32, place->bytes);
		thrift_int(&thrift, 3, THRIFT_I64, row);
		thrift_end(&thrift);
		offset += place->bytes;
		row += place->rows;
	}
	thrift_end(&thrift);
}

/*
 * Appends the ranges of pages, if the column is local, and their places.
 * @offset: offset of the first page in the file
 */
static struct page_index put_index(struct bytes *to, const struct column *column,
				   const struct dictionary *dictionary, uint64_t offset)
{
	size_t before = to->count;
	struct page_index index = { 0 };

	if (column->is->local)
		put_ranges(to, column, dictionary);
	index.ranges = to->count - before;
	put_places(to, column, offset);
	index.places = to->count - before - index.ranges;
	return index;
}

/* ---- The file ---- */

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

	thrift_binary(thrift, id, bytes, number_bytes(column, value, bytes));
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
		chunk->index = put_index(&index, &columns[i], dictionary, chunk->data_offset);
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
