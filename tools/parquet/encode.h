/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parquet's encodings of values.
 *
 * Stage: between the values of a page and its bytes, for column.c.  It does not write pages.
 */
#ifndef EVTLOG_PARQUET_ENCODE_H
#define EVTLOG_PARQUET_ENCODE_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"

/* ---- Growing array of bytes ---- */

/* Without memory, bytes are left out and @error is set; check it at the end of a page or footer. */
struct bytes {
	unsigned char *at;
	size_t count;
	size_t capacity;
	int error;
};

/* Returns memory for @more bytes at the end; NULL without memory. */
static inline unsigned char *bytes_room(struct bytes *bytes, size_t more)
{
	if (array_reserve_more(&bytes->at, &bytes->capacity, bytes->count, more, 1)) {
		bytes->error = -ENOMEM;
		return NULL;
	}
	return bytes->at + bytes->count;
}

static inline void bytes_put(struct bytes *bytes, const void *from, size_t count)
{
	unsigned char *to = count ? bytes_room(bytes, count) : NULL;

	if (!to)
		return;
	memcpy(to, from, count);
	bytes->count += count;
}

static inline void bytes_put_byte(struct bytes *bytes, unsigned char byte)
{
	bytes_put(bytes, &byte, 1);
}

/* Seven bits in each byte, the low bits first */
static inline void bytes_put_varint(struct bytes *bytes, uint64_t value)
{
	unsigned char *to = bytes_room(bytes, 10);

	if (!to)
		return;
	for (; value >= 0x80; value >>= 7) {
		*to++ = 0x80 | value;
		bytes->count++;
	}
	*to = value;
	bytes->count++;
}

/* With the sign in the lowest bit */
static inline void bytes_put_zigzag(struct bytes *bytes, int64_t value)
{
	bytes_put_varint(bytes, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static inline void bytes_put_le(struct bytes *bytes, uint64_t value, unsigned int count)
{
	unsigned char le[8];

	for (unsigned int i = 0; i < count; i++)
		le[i] = value >> 8 * i;
	bytes_put(bytes, le, count);
}

static inline void bytes_free(struct bytes *bytes)
{
	free(bytes->at);
	memset(bytes, 0, sizeof(*bytes));
}

/* ---- Encodings of values ---- */

/* DELTA_BINARY_PACKED; @bits: size of the type, 32 or 64 */
void encode_delta(struct bytes *to, const int64_t *values, size_t count, unsigned int bits);

/* RLE: runs and packed values, each of @width bits, without the length in front */
void encode_rle(struct bytes *to, const uint32_t *values, size_t count, unsigned int width);

/* RLE of one value, repeated @count times */
void encode_run(struct bytes *to, uint32_t value, size_t count, unsigned int width);

/* PLAIN, with 1 bit or @bytes (4 or 8) bytes for each value */
void encode_bits(struct bytes *to, const int64_t *values, size_t count);
void encode_plain(struct bytes *to, const int64_t *values, size_t count, unsigned int bytes);

/* Number of bits that a value needs */
static inline unsigned int encode_width(uint64_t value)
{
	return value ? 64 - __builtin_clzll(value) : 0;
}

/* ---- Thrift's compact protocol ---- */

/*
 * Only the parts that Parquet's headers and footers need.
 *
 * thrift_begin() and thrift_end() enclose a struct.  Its fields must be written in ascending order
 * of their ids.
 */

enum thrift_type {
	THRIFT_TRUE = 1,
	THRIFT_FALSE = 2,
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12,
};

#define THRIFT_DEPTH	8

/* @last: for each open struct, the id of its last field */
struct thrift {
	struct bytes *to;
	unsigned int depth;
	int last[THRIFT_DEPTH];
};

/* Begins the outermost struct, or a struct that is an element of a list. */
static inline void thrift_begin(struct thrift *thrift)
{
	thrift->last[thrift->depth++] = 0;
}

static inline void thrift_end(struct thrift *thrift)
{
	bytes_put_byte(thrift->to, 0);
	thrift->depth--;
}

static inline void thrift_field(struct thrift *thrift, int id, enum thrift_type type)
{
	int *last = &thrift->last[thrift->depth - 1], step = id - *last;

	if (step < 16) {
		bytes_put_byte(thrift->to, step << 4 | type);
	} else {
		bytes_put_byte(thrift->to, type);
		bytes_put_zigzag(thrift->to, id);
	}
	*last = id;
}

static inline void thrift_int(struct thrift *thrift, int id, enum thrift_type type, int64_t value)
{
	thrift_field(thrift, id, type);
	bytes_put_zigzag(thrift->to, value);
}

static inline void thrift_bool(struct thrift *thrift, int id, int value)
{
	thrift_field(thrift, id, value ? THRIFT_TRUE : THRIFT_FALSE);
}

/* A string that is an element of a list */
static inline void thrift_element(struct thrift *thrift, const void *bytes, size_t count)
{
	bytes_put_varint(thrift->to, count);
	bytes_put(thrift->to, bytes, count);
}

static inline void thrift_binary(struct thrift *thrift, int id, const void *bytes, size_t count)
{
	thrift_field(thrift, id, THRIFT_BINARY);
	thrift_element(thrift, bytes, count);
}

static inline void thrift_struct(struct thrift *thrift, int id)
{
	thrift_field(thrift, id, THRIFT_STRUCT);
	thrift_begin(thrift);
}

/* @count elements follow. */
static inline void thrift_list(struct thrift *thrift, int id, enum thrift_type type, size_t count)
{
	thrift_field(thrift, id, THRIFT_LIST);
	if (count < 15) {
		bytes_put_byte(thrift->to, count << 4 | type);
	} else {
		bytes_put_byte(thrift->to, 0xf0 | type);
		bytes_put_varint(thrift->to, count);
	}
}

#endif /* EVTLOG_PARQUET_ENCODE_H */
