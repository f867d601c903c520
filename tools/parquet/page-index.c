// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes Parquet's ColumnIndex and OffsetIndex of a column chunk.
 */
#include "column.h"
#include "encode.h"

enum boundary_order { UNORDERED, ASCENDING };

unsigned int column_number(const struct column *column, int64_t value, unsigned char bytes[8])
{
	static const unsigned char widths[] = {
		[TABLE_INT64] = 8, [TABLE_UINT64] = 8, [TABLE_INT32] = 4, [TABLE_BOOL] = 1,
		[TABLE_STRING] = 0,
	};

	for (unsigned int i = 0; i < 8; i++)
		bytes[i] = (uint64_t)value >> 8 * i;
	return widths[column->is->type];
}

int column_compare_texts(struct dictionary_text one, struct dictionary_text other)
{
	size_t length = one.length < other.length ? one.length : other.length;
	int result = memcmp(one.bytes, other.bytes, length);

	return result ? result : (one.length > other.length) - (one.length < other.length);
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
		thrift_element(thrift, bytes, column_number(column, value, bytes));
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

struct page_index page_index_put(struct bytes *to, const struct column *column,
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
