/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes in memory that grow as they come.
 *
 * What is put when there is no memory is left out, and @error says so: writers ask once, at the
 * end of a page or footer.
 */
#ifndef EVTLOG_PARQUET_BYTES_H
#define EVTLOG_PARQUET_BYTES_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"

struct bytes {
	unsigned char *at;
	size_t count;
	size_t capacity;
	int error;
};

/* Room for @more behind what is there; NULL: there is none. */
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

/* Seven bits a byte, the low ones first */
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

#endif /* EVTLOG_PARQUET_BYTES_H */
