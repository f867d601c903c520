/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Format of the payload of a packed block (EVTLOG_BLOCK_PACKED).
 *
 * Stage: tools/lib/codec/pack.c encodes a kernel buffer, tools/lib/codec/unpack.c decodes it.  The
 * decoded buffer is identical to the original, bit for bit.  The payload has about a fifth of its
 * size, and packing takes about 40 instructions per record.  Most of the payload is noise in the
 * low bits of the times.
 *
 *	the buffer's header, verbatim	(its header_bytes)
 *	segment, segment, ...		until used_bytes are decoded
 *
 * A segment ends with the record that makes it EVTLOG_PACKED_RECORDS_MAX words long, or with the
 * buffer.  No state is carried from one segment to the next.  This bounds the memory for buffers of
 * any size.
 *
 *	struct evtlog_packed_segment
 *	words of each type		64 bytes; 0: the type is not in the segment; SIZED: the
 *					upper 12 bits of the tag are the number of further bytes
 *	code lengths			of each context that is used
 *	bits				of all records, lowest bit first
 *	extras				words after the first, as bytes
 *
 * The first word of a record consists of its tag (upper half: data and type) and its time (lower
 * half).  Both are encoded as symbols of Huffman codes.  Each context has its own code.
 *
 * Tag.  The tag is predicted from the previous tag.  A table, indexed by a hash of the previous
 * tag, contains the two tags that followed last, and a context.  If the first prediction is right,
 * no symbol is written.  Otherwise a symbol is written: SECOND (the second prediction is right),
 * RECENT and 6 bits (index into a table of tags that were not predicted), or NEW and 32 bits (the
 * tag).  The second prediction then becomes the old first one, the first one becomes the tag, and
 * the context becomes the context of the pair (previous type, type).  Initially both predictions of
 * all entries are 0, which is not a valid tag, and the context is 0.
 *
 * Time.  d is the difference to the time of the previous record, modulo 2^32, and x = d >> shift.
 * If the low "shift" bits of d are not 0, ODD and these bits are written first.  With b the highest
 * set bit of (x | 31) and r = b - 4, the symbol is 16 r + (x >> r), and the low r bits of x follow
 * unchanged.
 *
 * All symbols use the code of the table entry's context.  Contexts of pairs are numbered from 1 in
 * the order of their first use; when all numbers are in use, further pairs share the last one.
 * Extras are the differences to the same words of the last record of the type, in zigzag encoding
 * (sign in the lowest bit), seven bits per byte.  Extras of a SIZED type are whole words,
 * unchanged.
 */
#ifndef EVTLOG_PACKED_H
#define EVTLOG_PACKED_H

#include <stdint.h>

#include <evtlog/abi.h>

#define EVTLOG_PACKED_RECORDS_MAX	(1u << 17)
#define EVTLOG_PACKED_CONTEXTS	64
#define EVTLOG_PACKED_CODE_BITS	11	/* longest code */
#define EVTLOG_PACKED_SHIFT_MAX	7
#define EVTLOG_PACKED_WORDS_MAX	8	/* of a record that is not SIZED */
#define EVTLOG_PACKED_SIZED	0xff

/* Symbols; 0 to 463 are times. */
enum evtlog_packed_symbol {
	EVTLOG_PACKED_SECOND = 464,
	EVTLOG_PACKED_RECENT,
	EVTLOG_PACKED_NEW,
	EVTLOG_PACKED_ODD,
	EVTLOG_PACKED_SYMBOLS
};

#define EVTLOG_PACKED_GUESSES	2048
#define EVTLOG_PACKED_RECENT_BITS 6
#define EVTLOG_PACKED_RECENTS	(1u << EVTLOG_PACKED_RECENT_BITS)

/**
 * struct evtlog_packed_segment - at the start of a segment
 * @records:	number of records
 * @shift:	number of low bits of the times that are almost always 0
 * @code_bytes, @bit_bytes, @extra_bytes: lengths of the parts that follow
 */
struct evtlog_packed_segment {
	uint32_t records;
	uint32_t shift;
	uint32_t code_bytes;
	uint32_t bit_bytes;
	uint32_t extra_bytes;
};

#if defined(__cplusplus)
#define EVTLOG_PACKED_ASSERT(x)	static_assert(x, #x)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define EVTLOG_PACKED_ASSERT(x)	_Static_assert(x, #x)
#else
#define EVTLOG_PACKED_ASSERT(x)	extern char evtlog_assert[(x) ? 1 : -1]
#endif
EVTLOG_PACKED_ASSERT(sizeof(struct evtlog_packed_segment) == 20);
#undef EVTLOG_PACKED_ASSERT

/* Index into the table of predictions for the tag after @tag */
static inline uint32_t evtlog_packed_guess(uint32_t tag)
{
	return tag * 0x9e3779b1u >> 21;
}

/* Index of @tag in the table of recent tags */
static inline uint32_t evtlog_packed_recent(uint32_t tag)
{
	return tag * 0x9e3779b1u >> (32 - EVTLOG_PACKED_RECENT_BITS);
}

/* Number of low bits that follow a time symbol */
static inline uint32_t evtlog_packed_time_bits(uint32_t symbol)
{
	return symbol < 32 ? 0 : symbol / 16 - 1;
}

/* Number of words of a SIZED record */
static inline uint32_t evtlog_packed_sized_words(uint32_t tag)
{
	return 1 + ((tag >> 20) + 7) / 8;
}

/* Number of a pair of types, less than 4096 */
static inline uint32_t evtlog_packed_pair(uint32_t before, uint32_t tag)
{
	return (before & EVTLOG_TYPE_MAX) << EVTLOG_TYPE_BITS |
	       (tag & EVTLOG_TYPE_MAX);
}

#endif /* EVTLOG_PACKED_H */
