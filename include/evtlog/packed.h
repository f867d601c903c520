/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the payload of a packed block looks like (EVTLOG_BLOCK_PACKED).
 *
 * Stage: between tools/lib/codec/pack.c, which makes it, and tools/lib/codec/unpack.c, which
 * takes it apart.  A kernel buffer comes back bit for bit, at about a fifth of its
 * size for about 40 instructions a record: what is left is mostly the noise in
 * the low bits of the times.
 *
 *	the buffer's header, verbatim	(its header_bytes)
 *	segment, segment, ...		until used_bytes are made
 *
 * A segment ends with the record that makes it EVTLOG_PACKED_RECORDS_MAX words, or with
 * the buffer, and starts from nothing, so that memory is bounded and a buffer may
 * have any size:
 *
 *	struct evtlog_packed_segment
 *	words of each type		64 bytes; 0: the type is not in it; SIZED: the tag's
 *					upper 12 bits are how many bytes follow the first word
 *	code lengths			of each context that is used
 *	bits				of all records, lowest bit first
 *	extras				words after the first, as bytes
 *
 * A record's first word is its tag (data and type: the upper half) and its time
 * (the lower half).  Both are told by symbols of a Huffman code of the context:
 *
 * Tag.  It is guessed from the tag before: a table, indexed by a hash of that,
 * holds the two tags that last followed it, and a context.  The first guess being
 * right is not said at all; else comes SECOND, RECENT and 6 bits (the place in a
 * table of tags that were not guessed), or NEW and 32 bits (the tag).  The tag is then
 * the first guess, the first the second, and the context that of the pair (type
 * before, type).  All entries begin with two guesses 0, which no tag is, and context 0.
 *
 * Time.  The difference d to the record before, modulo 2^32, without its low
 * "shift" bits, x = d >> shift: should those not be 0, ODD and they come first.  With
 * b the highest bit of (x | 31) and r = b - 4, the symbol is 16 r + (x >> r), and
 * the low r bits of x follow as they are.
 *
 * All symbols are of the entry's context.  Those of pairs are numbered from 1 in the
 * order in which they are first asked for; those beyond the last share it.  Extras are differences to the same word of
 * the last record of that type, zigzag (sign in the lowest bit), seven bits a byte; those of a
 * type that is SIZED are as they are, in whole words.
 */
#ifndef EVTLOG_PACKED_H
#define EVTLOG_PACKED_H

#include <stdint.h>

#include <evtlog/abi.h>

#define EVTLOG_PACKED_RECORDS_MAX	(1u << 17)
#define EVTLOG_PACKED_CONTEXTS	64
#define EVTLOG_PACKED_CODE_BITS	11	/* the longest code */
#define EVTLOG_PACKED_SHIFT_MAX	7
#define EVTLOG_PACKED_WORDS_MAX	8	/* of a record that is not SIZED */
#define EVTLOG_PACKED_SIZED	0xff

/* Symbols: 0 to 463 are times. */
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
 * @records:	in it
 * @shift:	low bits of the times that are nearly always 0
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

/* The entry of the guesses for what follows @tag */
static inline uint32_t evtlog_packed_guess(uint32_t tag)
{
	return tag * 0x9e3779b1u >> 21;
}

/* The place of @tag in the table of recent ones */
static inline uint32_t evtlog_packed_recent(uint32_t tag)
{
	return tag * 0x9e3779b1u >> (32 - EVTLOG_PACKED_RECENT_BITS);
}

/* How many low bits follow the symbol of a time */
static inline uint32_t evtlog_packed_time_bits(uint32_t symbol)
{
	return symbol < 32 ? 0 : symbol / 16 - 1;
}

/* Words of a SIZED record */
static inline uint32_t evtlog_packed_sized_words(uint32_t tag)
{
	return 1 + ((tag >> 20) + 7) / 8;
}

/* The pair of types that has a context; less than 4096 */
static inline uint32_t evtlog_packed_pair(uint32_t before, uint32_t tag)
{
	return (before & EVTLOG_TYPE_MAX) << EVTLOG_TYPE_BITS |
	       (tag & EVTLOG_TYPE_MAX);
}

#endif /* EVTLOG_PACKED_H */
