/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parquet's encodings of values.
 *
 * Stage: between the values of a column's page and its bytes.  It does not know pages.
 */
#ifndef EVTLOG_PARQUET_ENCODE_H
#define EVTLOG_PARQUET_ENCODE_H

#include "bytes.h"

/* DELTA_BINARY_PACKED; @bits: 32 or 64 of the type */
void encode_delta(struct bytes *to, const int64_t *values, size_t count, unsigned int bits);

/* RLE, a mixture of runs and of values of @width bits, without its length before it */
void encode_rle(struct bytes *to, const uint32_t *values, size_t count, unsigned int width);

/* The same of a value that comes @count times */
void encode_run(struct bytes *to, uint32_t value, size_t count, unsigned int width);

/* PLAIN, of 1 bit, or of @bytes: 4 or 8 */
void encode_bits(struct bytes *to, const int64_t *values, size_t count);
void encode_plain(struct bytes *to, const int64_t *values, size_t count, unsigned int bytes);

/* Bits that the number needs */
static inline unsigned int encode_width(uint64_t value)
{
	return value ? 64 - __builtin_clzll(value) : 0;
}

#endif /* EVTLOG_PARQUET_ENCODE_H */
