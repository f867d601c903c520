// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Encodes and compresses the pages of a column.
 *
 * Columns of repeated values have a dictionary; columns of numbers are DELTA_BINARY_PACKED if this
 * makes the first page smaller.  If the dictionary is full, numbers are DELTA_BINARY_PACKED and
 * strings are PLAIN.  Booleans, doubles and strings that mostly differ are always PLAIN, all other
 * numbers DELTA_BINARY_PACKED.
 */
#include <zstd.h>

#include "column.h"
#include "encode.h"

/* Most entries of a dictionary: more save nothing and cost memory. */
#define ENTRIES_MAX	32768
#define SLOTS_FIRST	256
/* Values below this are looked up in @direct before @slots. */
#define DIRECT		4096
#define LEVEL		1

enum page_kind { PAGE_DATA = 0, PAGE_DICTIONARY = 2 };

int page_maker_init(struct page_maker *maker, struct dictionary *dictionary)
{
	maker->dictionary = dictionary;
	maker->zstd = ZSTD_createCCtx();
	return maker->zstd ? 0 : -ENOMEM;
}

void page_maker_free(struct page_maker *maker)
{
	ZSTD_freeCCtx(maker->zstd);
	bytes_free(&maker->raw);
	bytes_free(&maker->squeezed);
}

enum parquet_type column_type(const struct column *column)
{
	static const enum parquet_type types[] = {
		[TABLE_INT64] = PARQUET_INT64,
		[TABLE_UINT64] = PARQUET_INT64,
		[TABLE_INT32] = PARQUET_INT32,
		[TABLE_BOOL] = PARQUET_BOOLEAN,
		[TABLE_DOUBLE] = PARQUET_DOUBLE,
		[TABLE_STRING] = PARQUET_BYTE_ARRAY,
	};

	return types[column->is->type];
}

/* ---- Dictionary ---- */

static inline size_t home(const struct column *column, int64_t value)
{
	return (uint64_t)value * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (column->slot_count - 1);
}

static struct column_slot *slot_of(const struct column *column, int64_t value)
{
	size_t at = home(column, value);

	while (column->slots[at].round == column->round && column->slots[at].value != value)
		at = (at + 1) & (column->slot_count - 1);
	return &column->slots[at];
}

static int grow(struct column *column)
{
	size_t count = column->slot_count ? 2 * column->slot_count : SLOTS_FIRST;
	struct column_slot *slots = calloc(count, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(column->slots);
	column->slots = slots;
	column->slot_count = count;
	column->round = 1;
	for (size_t i = 0; i < column->entry_count; i++)
		*slot_of(column, column->entries[i]) = (struct column_slot) {
			column->entries[i], i, column->round
		};
	return 0;
}

/* Returns true if the value has the same index as last time, maybe in another row group. */
static inline bool guess(const struct column *column, int64_t value, int64_t *index)
{
	if ((uint64_t)value >= DIRECT)
		return false;
	*index = column->direct[value];
	return *index < (int64_t)column->entry_count && column->entries[*index] == value;
}

/* Returns the index of a value; -ENOSPC if the dictionary is full; -ENOMEM. */
static int64_t index_of(struct column *column, int64_t value)
{
	struct column_slot *slot;

	if (2 * column->entry_count >= column->slot_count && grow(column))
		return -ENOMEM;
	slot = slot_of(column, value);
	if (__builtin_expect(slot->round == column->round, 1))
		return slot->index;
	if (column->entry_count == ENTRIES_MAX)
		return -ENOSPC;
	if (array_reserve(&column->entries, &column->entry_capacity, column->entry_count,
			  sizeof(*column->entries)))
		return -ENOMEM;
	*slot = (struct column_slot) { value, column->entry_count, column->round };
	column->entries[column->entry_count] = value;
	return column->entry_count++;
}

/* Finds the indices of the page's values.  Returns 0 or an error of index_of(). */
static int look_up(struct column *column, struct page_maker *maker, unsigned int count)
{
	int64_t last = 0, index = -1;

	if (!column->direct)
		column->direct = calloc(DIRECT, sizeof(*column->direct));
	if (!column->direct)
		return -ENOMEM;
	for (unsigned int i = 0; i < count; i++) {
		if (index < 0 || maker->values[i] != last) {
			last = maker->values[i];
			if (guess(column, last, &index)) {
				maker->indices[i] = index;
				continue;
			}
			index = index_of(column, last);
			if (index < 0)
				return index;
			if ((uint64_t)last < DIRECT)
				column->direct[last] = index;
		}
		maker->indices[i] = index;
	}
	return 0;
}

/* ---- Pages ---- */

static void put_head(struct bytes *to, enum page_kind kind, size_t raw, size_t squeezed,
		     size_t values, enum parquet_encoding encoding)
{
	struct thrift thrift = { .to = to };

	thrift_begin(&thrift);
	thrift_int(&thrift, 1, THRIFT_I32, kind);
	thrift_int(&thrift, 2, THRIFT_I32, raw);
	thrift_int(&thrift, 3, THRIFT_I32, squeezed);
	thrift_struct(&thrift, kind == PAGE_DATA ? 5 : 7);
	thrift_int(&thrift, 1, THRIFT_I32, values);
	thrift_int(&thrift, 2, THRIFT_I32, encoding);
	if (kind == PAGE_DATA) {
		thrift_int(&thrift, 3, THRIFT_I32, PARQUET_RLE);
		thrift_int(&thrift, 4, THRIFT_I32, PARQUET_RLE);
	}
	thrift_end(&thrift);
	thrift_end(&thrift);
}

/* Compresses @raw and appends the page.  Returns its uncompressed size. */
static uint64_t put_page(struct page_maker *maker, struct bytes *to, enum page_kind kind,
			 size_t values, enum parquet_encoding encoding)
{
	size_t bound = ZSTD_compressBound(maker->raw.count), length, before;
	unsigned char *room;

	maker->squeezed.count = 0;
	room = bytes_room(&maker->squeezed, bound);
	if (!room || maker->raw.error) {
		to->error = -ENOMEM;
		return 0;
	}
	length = ZSTD_compressCCtx(maker->zstd, room, bound, maker->raw.at, maker->raw.count,
				   LEVEL);
	if (ZSTD_isError(length)) {
		to->error = -ENOMEM;
		return 0;
	}
	before = to->count;
	put_head(to, kind, maker->raw.count, length, values, encoding);
	before = to->count - before;
	bytes_put(to, room, length);
	return before + maker->raw.count;
}

static void put_levels(struct page_maker *maker, const struct page *page, unsigned int bit)
{
	size_t at = maker->raw.count, length;

	bytes_put_le(&maker->raw, 0, 4);
	if ((page->some ^ page->all) >> bit & 1) {
		for (unsigned int i = 0; i < page->count; i++) {
			uint32_t row = page->order ? page->order[i] : i;

			maker->indices[i] = !(page->nulls[row] >> bit & 1);
		}
		encode_rle(&maker->raw, maker->indices, page->count, 1);
	} else {
		encode_run(&maker->raw, !(page->all >> bit & 1), page->count, 1);
	}
	length = maker->raw.count - at - 4;
	for (unsigned int i = 0; maker->raw.at && i < 4; i++)
		maker->raw.at[at + i] = length >> 8 * i;
}

static bool all_same(const int64_t *values, unsigned int count)
{
	int64_t differ = 0;

	for (unsigned int i = 1; i < count; i++)
		differ |= values[i] ^ values[0];
	return !differ;
}

/* Copies the values other than NULL in order to the maker.  Returns their number. */
static unsigned int gather(struct page_maker *maker, const struct page *page, unsigned int bit)
{
	unsigned int present = 0;

	if (page->all >> bit & 1)
		return 0;
	if (page->some >> bit & 1) {
		for (unsigned int i = 0; i < page->count; i++) {
			uint32_t row = page->order ? page->order[i] : i;

			maker->values[present] = page->values[row];
			present += !(page->nulls[row] >> bit & 1);
		}
		return present;
	}
	if (page->order && !all_same(page->values, page->count))
		for (unsigned int i = 0; i < page->count; i++)
			maker->values[i] = page->values[page->order[i]];
	else
		memcpy(maker->values, page->values, page->count * sizeof(*page->values));
	return page->count;
}

static void note_range(struct column *column, struct page_place *place, const int64_t *values,
		       unsigned int count)
{
	int64_t flip = column_ranked(column, 0);
	int64_t least = values[0] ^ flip, most = least;

	for (unsigned int i = 1; i < count; i++) {
		int64_t value = values[i] ^ flip;

		least = value < least ? value : least;
		most = value > most ? value : most;
	}
	place->least = least ^ flip;
	place->most = most ^ flip;
	if (!column->has_range || least < column_ranked(column, column->least))
		column->least = place->least;
	if (!column->has_range || most > column_ranked(column, column->most))
		column->most = place->most;
	column->has_range = true;
}

static void note_texts(struct page_place *place, const struct dictionary *dictionary,
		       const int64_t *values, unsigned int count)
{
	place->least = place->most = values[0];
	for (unsigned int i = 1; i < count; i++) {
		struct dictionary_text text;

		if (values[i] == values[i - 1])
			continue;
		text = dictionary_text(dictionary, values[i]);
		if (column_compare_texts(text, dictionary_text(dictionary, place->least)) < 0)
			place->least = values[i];
		if (column_compare_texts(text, dictionary_text(dictionary, place->most)) > 0)
			place->most = values[i];
	}
}

static void put_strings(struct column *column, struct page_maker *maker, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		const unsigned char *at = column->text.at + maker->values[i];
		uint32_t length;

		memcpy(&length, at, sizeof(length));
		bytes_put_le(&maker->raw, length, 4);
		bytes_put(&maker->raw, at + sizeof(length), length);
	}
	column->text.count = 0;
}

/* Writes the strings of ids, without a dictionary of the row group. */
static void put_texts(struct page_maker *maker, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		struct dictionary_text text = dictionary_text(maker->dictionary, maker->values[i]);

		bytes_put_le(&maker->raw, text.length, 4);
		bytes_put(&maker->raw, text.bytes, text.length);
	}
}

/* Smallest page that allows a choice */
#define TRY_MIN	512
/* Column chunks for which a choice is kept: choosing takes as long as several pages. */
#define TRY_CHUNKS	16

static unsigned int index_width(const struct column *column)
{
	unsigned int width = encode_width(column->entry_count ? column->entry_count - 1 : 0);

	if (column->way == COLUMN_BITS)
		return width ? width : 1;
	return width < 2 ? 1 : width == 2 ? 2 : width <= 4 ? 4 : width <= 8 ? 8 : 16;
}

static void put_indices(const struct column *column, struct page_maker *maker, unsigned int count)
{
	unsigned int width = index_width(column);

	bytes_put_byte(&maker->raw, width);
	encode_rle(&maker->raw, maker->indices, count, width);
}

static void put_deltas(const struct column *column, struct page_maker *maker, unsigned int count)
{
	encode_delta(&maker->raw, maker->values, count,
		     column->is->type == TABLE_INT32 ? 32 : 64);
}

/* Returns the compressed size of the page from @from on, SIZE_MAX without memory; cuts it there. */
static size_t try(struct page_maker *maker, size_t from)
{
	size_t count = maker->raw.count - from, bound = ZSTD_compressBound(count), length;
	unsigned char *room;

	maker->squeezed.count = 0;
	room = bytes_room(&maker->squeezed, bound);
	maker->raw.count = from;
	if (!room || maker->raw.error)
		return SIZE_MAX;
	length = ZSTD_compressCCtx(maker->zstd, room, bound, maker->raw.at + from, count, LEVEL);
	return ZSTD_isError(length) ? SIZE_MAX : length;
}

/* Chooses by the first page.  Indices also need the dictionary: its entries so far are counted. */
static enum column_way choose(struct column *column, struct page_maker *maker, unsigned int count)
{
	size_t at = maker->raw.count, least, bytes;
	enum column_way best = COLUMN_BYTES;

	if (count < TRY_MIN || column->entry_count < 2)
		return COLUMN_BYTES;
	column->way_chunks = TRY_CHUNKS;
	column->way = COLUMN_BYTES;
	put_indices(column, maker, count);
	least = try(maker, at);
	column->way = COLUMN_BITS;
	put_indices(column, maker, count);
	bytes = try(maker, at);
	if (bytes < least) {
		best = COLUMN_BITS;
		least = bytes;
	}
	if (column->is->type == TABLE_STRING)
		return best;
	encode_plain(&maker->raw, column->entries, column->entry_count, 8);
	bytes = try(maker, at);
	least = bytes == SIZE_MAX ? least : least + bytes;
	put_deltas(column, maker, count);
	return try(maker, at) < least ? COLUMN_DELTA : best;
}

static int put_values(struct column *column, struct page_maker *maker, struct page_place *place,
		      unsigned int count, enum parquet_encoding *encoding)
{
	const struct table_column *is = column->is;
	int error;

	*encoding = PARQUET_PLAIN;
	if (!count)
		return 0;
	if (is->type == TABLE_STRING && is->once) {
		put_strings(column, maker, count);
		return 0;
	}
	if (is->type != TABLE_STRING)
		note_range(column, place, maker->values, count);
	else if (is->local)
		note_texts(place, maker->dictionary, maker->values, count);
	if (is->type == TABLE_BOOL || is->type == TABLE_DOUBLE) {
		if (is->type == TABLE_BOOL)
			encode_bits(&maker->raw, maker->values, count);
		else
			encode_plain(&maker->raw, maker->values, count, 8);
		return 0;
	}
	if (is->order == TABLE_REPEATED && column->way != COLUMN_DELTA &&
	    column->way != COLUMN_PLAIN) {
		error = look_up(column, maker, count);
		if (!error && column->way == COLUMN_OPEN)
			column->way = choose(column, maker, count);
		if (!error && column->way != COLUMN_DELTA) {
			put_indices(column, maker, count);
			*encoding = PARQUET_RLE_DICTIONARY;
			return 0;
		}
		if (error && error != -ENOSPC)
			return error;
		column->way = is->type == TABLE_STRING ? COLUMN_PLAIN : COLUMN_DELTA;
	}
	if (is->type == TABLE_STRING) {
		put_texts(maker, count);
		return 0;
	}
	put_deltas(column, maker, count);
	*encoding = PARQUET_DELTA_BINARY_PACKED;
	return 0;
}

int column_put(struct column *column, struct page_maker *maker, const struct page *page,
	       unsigned int bit)
{
	struct page_place place = { .rows = page->count };
	size_t before = column->pages.count;
	enum parquet_encoding encoding;
	unsigned int present;
	int error;

	maker->raw.count = 0;
	if (column->is->nullable)
		put_levels(maker, page, bit);
	present = gather(maker, page, bit);
	error = put_values(column, maker, &place, present, &encoding);
	if (!error)
		error = array_reserve(&column->places, &column->place_capacity,
				      column->place_count, sizeof(*column->places));
	if (error)
		return error;
	column->has_dictionary |= encoding == PARQUET_RLE_DICTIONARY;
	column->has_delta |= encoding == PARQUET_DELTA_BINARY_PACKED;
	column->has_plain |= encoding == PARQUET_PLAIN;
	column->values += page->count;
	column->nulls += page->count - present;
	column->uncompressed_bytes += put_page(maker, &column->pages, PAGE_DATA, page->count,
						encoding);
	place.bytes = column->pages.count - before;
	place.nulls = page->count - present;
	place.is_null = !present;
	column->places[column->place_count++] = place;
	return column->pages.error ? column->pages.error : column->text.error;
}

void column_dictionary(struct column *column, struct page_maker *maker, struct bytes *to,
		       uint64_t *uncompressed_bytes)
{
	if (!column->has_dictionary)
		return;
	maker->raw.count = 0;
	for (size_t i = 0; i < column->entry_count; i++) {
		struct dictionary_text text;

		if (column->is->type != TABLE_STRING) {
			bytes_put_le(&maker->raw, column->entries[i],
				     column->is->type == TABLE_INT32 ? 4 : 8);
			continue;
		}
		text = dictionary_text(maker->dictionary, column->entries[i]);
		bytes_put_le(&maker->raw, text.length, 4);
		bytes_put(&maker->raw, text.bytes, text.length);
	}
	*uncompressed_bytes = put_page(maker, to, PAGE_DICTIONARY, column->entry_count,
				       PARQUET_PLAIN);
}

void column_clear(struct column *column)
{
	bytes_free(&column->pages);
	column->place_count = 0;
	column->text.count = 0;
	column->entry_count = 0;
	/* When @round wraps, slots of old row groups would be valid again. */
	if (!++column->round) {
		memset(column->slots, 0, column->slot_count * sizeof(*column->slots));
		column->round = 1;
	}
	if (!column->way_chunks || !--column->way_chunks)
		column->way = COLUMN_OPEN;
	column->has_dictionary = column->has_delta = column->has_plain = column->has_range = false;
	column->values = column->nulls = column->uncompressed_bytes = 0;
}

void column_free(struct column *column)
{
	bytes_free(&column->pages);
	bytes_free(&column->text);
	free(column->places);
	free(column->entries);
	free(column->direct);
	free(column->slots);
}
