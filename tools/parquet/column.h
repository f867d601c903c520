/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A column of an unfinished row group: encoded and compressed pages, dictionary and statistics.
 *
 * Stage: between rows (rows.c) and the file, which takes the pages when the row group is full.
 */
#ifndef EVTLOG_PARQUET_COLUMN_H
#define EVTLOG_PARQUET_COLUMN_H

#include <stdbool.h>
#include <string.h>

#include "encode.h"
#include "lib/tables/tables.h"

/* Most rows of a page */
#define PAGE_ROWS	8192

/* Physical types and encodings, with the numbers of the format */
enum parquet_type {
	PARQUET_BOOLEAN = 0,
	PARQUET_INT32 = 1,
	PARQUET_INT64 = 2,
	PARQUET_DOUBLE = 5,
	PARQUET_BYTE_ARRAY = 6,
};

enum parquet_encoding {
	PARQUET_PLAIN = 0,
	PARQUET_RLE = 3,
	PARQUET_DELTA_BINARY_PACKED = 5,
	PARQUET_RLE_DICTIONARY = 8,
};

/*
 * Encoding of the values of a column chunk: the one with the smallest first page, of this column
 * chunk or of a previous one.
 * COLUMN_BYTES: indices of 1, 2, 4, 8 or 16 bits, which compress better
 * COLUMN_BITS: indices of as many bits as needed
 * COLUMN_DELTA: differences
 * COLUMN_PLAIN: strings without a dictionary, because it is full
 */
enum column_way {
	COLUMN_OPEN,
	COLUMN_BYTES,
	COLUMN_BITS,
	COLUMN_DELTA,
	COLUMN_PLAIN,
};

/* Index of a value in the dictionary of a column chunk */
struct column_slot {
	int64_t value;
	uint32_t index;
	uint32_t round;
};

/*
 * A page.
 * @bytes:	size with its header
 * @least, @most: range of values, used if the column is local; ids for strings
 * @is_null:	all values are NULL
 */
struct page_place {
	uint32_t bytes;
	uint32_t rows;
	uint32_t nulls;
	bool is_null;
	int64_t least;
	int64_t most;
};

/*
 * @is:		description of the column
 * @pages:	finished pages with their headers; @places describes each
 * @text:	strings of the unfinished page that the dictionary does not hold
 * @entries:	values of the dictionary; ids for strings
 * @direct:	last index of each small value, to be checked
 * @slots:	hash table of @entries; slots of another @round are empty
 * @way:		enum column_way, COLUMN_OPEN before the first page
 * @way_chunks:	number of column chunks for which @way remains; 0 if @way was not measured
 * @least, @most: range of numbers
 */
struct column {
	const struct table_column *is;
	struct bytes pages;
	struct page_place *places;
	size_t place_count;
	size_t place_capacity;
	struct bytes text;
	int64_t *entries;
	size_t entry_count;
	size_t entry_capacity;
	uint32_t *direct;
	struct column_slot *slots;
	size_t slot_count;
	uint32_t round;
	uint8_t way;
	uint8_t way_chunks;
	bool has_dictionary;
	bool has_delta;
	bool has_plain;
	uint64_t values;
	uint64_t nulls;
	uint64_t uncompressed_bytes;
	int64_t least;
	int64_t most;
	bool has_range;
};

/* Shared by all columns: a compressor, and memory for a page */
struct page_maker {
	struct dictionary *dictionary;
	void *zstd;
	struct bytes raw;
	struct bytes squeezed;
	int64_t values[PAGE_ROWS];
	uint32_t indices[PAGE_ROWS];
};

/* Returns 0 or -ENOMEM.  Call page_maker_free() in both cases. */
int page_maker_init(struct page_maker *maker, struct dictionary *dictionary);
void page_maker_free(struct page_maker *maker);

enum parquet_type column_type(const struct column *column);

/* Maps values to signed numbers with the same order. */
static inline int64_t column_ranked(const struct column *column, int64_t value)
{
	return column->is->type == TABLE_UINT64 ? value ^ INT64_MIN : value;
}

/*
 * Rows for a page of each column.
 * @values:	values of the current column
 * @nulls:	for each row, a bit for each NULL; @some: OR of all rows, @all: AND of all rows
 * @order:	order of the rows in the page; NULL: their order in @values
 */
struct page {
	const int64_t *values;
	const uint32_t *nulls;
	const uint32_t *order;
	unsigned int count;
	uint32_t some;
	uint32_t all;
};

/*
 * column_put() - add a page to the column, which is number @bit of its table
 *
 * For strings that the dictionary does not hold, values are offsets in @text.  A string has its
 * length in front, in 4 bytes.
 *
 * Return: 0 or -ENOMEM.
 */
int column_put(struct column *column, struct page_maker *maker, const struct page *page,
	       unsigned int bit);

/* Appends the page of the dictionary with its header to @to, if the column has a dictionary. */
void column_dictionary(struct column *column, struct page_maker *maker, struct bytes *to,
		       uint64_t *uncompressed_bytes);

/* Clears the column for the next row group. */
void column_clear(struct column *column);
void column_free(struct column *column);

/* Compares strings in the order of Parquet.  Returns a number like strcmp(). */
static inline int column_compare_texts(struct dictionary_text one, struct dictionary_text other)
{
	size_t length = one.length < other.length ? one.length : other.length;
	int result = memcmp(one.bytes, other.bytes, length);

	return result ? result : (one.length > other.length) - (one.length < other.length);
}

#endif /* EVTLOG_PARQUET_COLUMN_H */
