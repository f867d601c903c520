/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A column of a row group that is being filled: pages that are encoded and compressed, its
 * dictionary and statistics.
 *
 * Stage: between rows (rows.c) and the file, which takes the pages when the row group is full.
 */
#ifndef EVTLOG_PARQUET_COLUMN_H
#define EVTLOG_PARQUET_COLUMN_H

#include <stdbool.h>

#include "encode.h"
#include "lib/tables/tables.h"

/* Rows of a page, at most */
#define PAGE_ROWS	8192

/* Physical types and encodings, as the format numbers them */
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
 * How the values of a column chunk are encoded, as the first page is smallest of it, or of one of
 * the last before it.
 * COLUMN_BYTES: by indices of whole bytes, which the compressor makes something of
 * COLUMN_BITS: by indices of as many bits as they need
 * COLUMN_DELTA: by differences
 * COLUMN_PLAIN: strings as they are, as there are too many for a dictionary
 */
enum column_way {
	COLUMN_OPEN,
	COLUMN_BYTES,
	COLUMN_BITS,
	COLUMN_DELTA,
	COLUMN_PLAIN,
};

/* Where a value is in the dictionary of a column chunk */
struct column_slot {
	int64_t value;
	uint32_t index;
	uint32_t round;
};

/*
 * A page
 * @bytes:	with its head
 * @least, @most: of its values, if the column is local; of strings ids
 * @is_null:	it has no values
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
 * @is:		what it holds
 * @pages:	with their heads; @places: which they are
 * @text:	bytes of strings of the page that is filled, which the dictionary does not hold
 * @entries:	of the dictionary, of strings ids
 * @direct:	guesses the index of a small value
 * @slots:	finds them; those of another @round are empty
 * @way:		enum column_way, COLUMN_OPEN before the first page
 * @way_chunks:	column chunks for which it is still to be used; 0: it was not tried
 * @least, @most: of integers
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

/* What columns share: a compressor, and room for a page. */
struct page_maker {
	struct dictionary *dictionary;
	void *zstd;
	struct bytes raw;
	struct bytes squeezed;
	int64_t values[PAGE_ROWS];
	uint32_t indices[PAGE_ROWS];
};

/* 0 or -ENOMEM; page_maker_free() in both cases. */
int page_maker_init(struct page_maker *maker, struct dictionary *dictionary);
void page_maker_free(struct page_maker *maker);

enum parquet_type column_type(const struct column *column);

/* A number by which values are in order: those of the upper half of unsigned ones are negative. */
static inline int64_t column_ranked(const struct column *column, int64_t value)
{
	return column->is->type == TABLE_UINT64 ? value ^ INT64_MIN : value;
}

/*
 * Rows that become pages.
 * @values:	of a column
 * @nulls:	of each row, a bit for each column without a value; @some: of any row, @all: of all
 * @order:	of the rows; NULL: as they are
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
 * column_put() - adds a page of the column, which is number @bit of its table
 *
 * Of strings that the dictionary does not hold values are places in @text, with 4 bytes of length.
 * Returns 0 or -ENOMEM.
 */
int column_put(struct column *column, struct page_maker *maker, const struct page *page,
	       unsigned int bit);

/* The page of its dictionary, if it has one, with its head, into @to. */
void column_dictionary(struct column *column, struct page_maker *maker, struct bytes *to,
		       uint64_t *uncompressed_bytes);

/* Empty again, for the next row group. */
void column_clear(struct column *column);
void column_free(struct column *column);

/* ---- Parquet's index of pages ---- */

/* Where each page of a column chunk is, and its least and most value. */

/* Bytes of each of the two parts */
struct page_index {
	size_t ranges;
	size_t places;
};

/*
 * page_index_put() - its ranges, if the column has any, and its places
 * @offset: of the first page in the file
 */
struct page_index page_index_put(struct bytes *to, const struct column *column,
				 const struct dictionary *dictionary, uint64_t offset);

/* How statistics have a number of the column: its bytes. */
unsigned int column_number(const struct column *column, int64_t value, unsigned char bytes[8]);

/* Which of two strings is first, as Parquet orders them: like strcmp() */
int column_compare_texts(struct dictionary_text one, struct dictionary_text other);

#endif /* EVTLOG_PARQUET_COLUMN_H */
