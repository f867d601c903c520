/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thrift's compact protocol, as far as Parquet's headers and footers need it.
 *
 * A struct is what lies between thrift_begin() and thrift_end(); its fields are written in
 * ascending order of their ids.
 */
#ifndef EVTLOG_PARQUET_THRIFT_H
#define EVTLOG_PARQUET_THRIFT_H

#include "bytes.h"

enum thrift_type {
	THRIFT_TRUE = 1,
	THRIFT_FALSE = 2,
	THRIFT_I16 = 4,
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12,
};

#define THRIFT_DEPTH	8

/*
 * @last:	of each struct that is open the id of its last field
 */
struct thrift {
	struct bytes *to;
	unsigned int depth;
	int last[THRIFT_DEPTH];
};

/* The outermost struct, or one that is an element of a list. */
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

#endif /* EVTLOG_PARQUET_THRIFT_H */
