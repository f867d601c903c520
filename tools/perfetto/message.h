/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Protocol buffers' wire format, written into memory that the caller has room in.
 *
 * An encoder of our own: protobuf-c builds a structure in memory for each message, and the whole of
 * a message at once.  Here an event is a few stores behind its predecessor: a softirq's entry takes
 * 65 instructions, with protobuf-c 1.4.1 it takes 976 (counted by callgrind, gcc 12 -O2, bundles
 * of 512 events in structures that are allocated once).
 */
#ifndef EVTLOG_PERFETTO_MESSAGE_H
#define EVTLOG_PERFETTO_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Of a number; of the tag of a field */
#define VARINT_BYTES	10
#define TAG_BYTES	3

enum wire { WIRE_VARINT, WIRE_BYTES = 2 };

static inline uint8_t *put_varint(uint8_t *at, uint64_t value)
{
	while (value >= 0x80) {
		*at++ = value | 0x80;
		value >>= 7;
	}
	*at++ = value;
	return at;
}

static inline unsigned int varint_bytes(uint64_t value)
{
	return (63 - __builtin_clzll(value | 1)) / 7 + 1;
}

static inline uint8_t *put_number(uint8_t *at, unsigned int field, uint64_t value)
{
	at = put_varint(at, field << 3 | WIRE_VARINT);
	return put_varint(at, value);
}

static inline uint8_t *put_bytes(uint8_t *at, unsigned int field, const void *bytes, size_t count)
{
	at = put_varint(at, field << 3 | WIRE_BYTES);
	at = put_varint(at, count);
	memcpy(at, bytes, count);
	return at + count;
}

static inline uint8_t *put_text(uint8_t *at, unsigned int field, const char *text)
{
	return put_bytes(at, field, text, strlen(text));
}

/*
 * A message within a message: its length is stored when it is complete, in @LENGTH bytes, which
 * the wire format allows to be more than it needs.
 */
#define nested_begin(at, field, LENGTH) \
	((at) = put_varint(at, (field) << 3 | WIRE_BYTES) + (LENGTH))

static inline void nested_end(uint8_t *begin, const uint8_t *end, unsigned int length_bytes)
{
	size_t length = end - begin;

	for (unsigned int i = 0; i < length_bytes; i++, length >>= 7)
		begin[(int)i - (int)length_bytes] = (length & 0x7f) |
						    (i + 1 < length_bytes ? 0x80 : 0);
}

#endif /* EVTLOG_PERFETTO_MESSAGE_H */
