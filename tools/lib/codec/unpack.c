// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Unpacks packed blocks: see <evtlog/packed.h>.
 *
 * Stage: between a block's payload and the kernel buffer it was made from.  No byte is trusted:
 * whatever the payload contains, the code stays within input and output, and returns an error.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "huffman.h"
#include "pack.h"
#include "segment.h"

#define CODES		(1u << CODE_BITS)
#define NO_CONTEXT	0xff

#define unlikely(x)	__builtin_expect(!!(x), 0)

/*
 * @context:	of each pair of types; NO_CONTEXT if it has none yet
 * @numbered:	number of the next context; the last one is shared
 * @symbols:	of each context, by the next CODE_BITS bits: the symbol shifted left by 4, and the
 *		length of its code
 */
struct unpack {
	uint16_t symbols[CONTEXTS][CODES];
	struct guess guesses[EVTLOG_PACKED_GUESSES];
	uint32_t recents[EVTLOG_PACKED_RECENTS];
	uint64_t last[TYPES][WORDS_MAX];
	uint8_t context[TYPES * TYPES];
	uint32_t contexts;
	uint32_t numbered;
};

/*
 * @bytes:	of the segment; UNPACK_SLACK bytes after the last can be read, too
 * @position:	of the next bit
 * @end:	position after the last bit
 */
struct bits {
	const uint8_t *bytes;
	uint64_t position;
	uint64_t end;
};

struct unpack *unpack_new(void)
{
	return malloc(sizeof(struct unpack));
}

void unpack_free(struct unpack *unpack)
{
	free(unpack);
}

/* Returns at least the next 57 bits */
static inline uint64_t look(const struct bits *bits)
{
	uint64_t word;

	memcpy(&word, bits->bytes + (bits->position >> 3), sizeof(word));
	return word >> (bits->position & 7);
}

static inline uint32_t take(struct bits *bits, uint32_t count)
{
	uint64_t word = look(bits);

	bits->position += count;
	return word & ((1ull << count) - 1);
}

/*
 * Makes the table of a context from its code lengths: canonical codes, first bit lowest.  The
 * table for codes of one more bit is twice the table so far, with the codes of this length in it.
 */
static int make_table(uint16_t *table, const struct huffman_symbol *symbols, uint32_t count)
{
	uint32_t counts[CODE_BITS + 1] = { 0 }, next[CODE_BITS + 1], places[CODE_BITS + 1] = { 0 };
	uint16_t entries[SYMBOLS];

	for (uint32_t k = 0; k < count; k++)
		counts[symbols[k].length]++;
	if (huffman_first_codes(counts, CODE_BITS, next) > CODES)
		return -EBADMSG;
	for (uint32_t length = 1; length < CODE_BITS; length++)
		places[length + 1] = places[length] + counts[length];
	for (uint32_t k = 0; k < count; k++)
		entries[places[symbols[k].length]++] = symbols[k].symbol << 4 | symbols[k].length;
	/* Bits that are no code give an invalid symbol. */
	table[0] = SYMBOLS << 4;
	for (uint32_t length = 1, k = 0; length <= CODE_BITS; length++) {
		uint32_t half = 1u << (length - 1);

		memcpy(table + half, table, half * sizeof(*table));
		for (; k < places[length]; k++)
			table[huffman_reversed(next[length]++, length)] = entries[k];
	}
	return 0;
}

/* Reads the code lengths of all contexts.  Returns 0 or -EBADMSG. */
static int read_codes(struct unpack *unpack, const uint8_t *at, const uint8_t *end)
{
	struct huffman_symbol symbols[SYMBOLS];
	uint32_t context = 0, count;

	while (at < end) {
		at = code_lengths_take(at, end, symbols, &count);
		if (!at || context == CONTEXTS ||
		    make_table(unpack->symbols[context++], symbols, count))
			return -EBADMSG;
	}
	unpack->contexts = context;
	return context ? 0 : -EBADMSG;
}

/* Returns the context of a pair; CONTEXTS if this context has no code. */
static uint32_t context_of(struct unpack *unpack, uint32_t before, uint32_t tag)
{
	uint8_t *context = &unpack->context[evtlog_packed_pair(before, tag)];

	if (*context == NO_CONTEXT) {
		if (unpack->numbered >= unpack->contexts)
			return CONTEXTS;
		*context = unpack->numbered;
		if (unpack->numbered < CONTEXTS - 1)
			unpack->numbered++;
	}
	return *context;
}

/* Reads the tag after a wrong first guess.  Returns false for an invalid symbol. */
static __attribute__((__noinline__)) bool
take_surprise(struct unpack *unpack, struct bits *bits, struct guess *guess, uint32_t before,
	      uint32_t symbol)
{
	uint32_t tag;

	switch (symbol) {
	case EVTLOG_PACKED_SECOND:
		tag = guess->second;
		break;
	case EVTLOG_PACKED_RECENT:
		tag = unpack->recents[take(bits, EVTLOG_PACKED_RECENT_BITS)];
		break;
	case EVTLOG_PACKED_NEW:
		tag = take(bits, 32);
		unpack->recents[evtlog_packed_recent(tag)] = tag;
		break;
	default:
		return false;
	}
	guess->second = guess->tag;
	guess->tag = tag;
	guess->context = context_of(unpack, before, tag);
	return guess->context < CONTEXTS;
}

/* Returns the address after the extras; NULL if there are not enough. */
static const uint8_t *take_extras(const uint8_t *at, const uint8_t *end, uint64_t *to,
				  uint32_t words, uint64_t *last)
{
	for (uint32_t k = 1; k < words; k++) {
		uint64_t number = 0;
		uint32_t shift = 0;
		uint8_t byte;

		do {
			if (at == end || shift > 63)
				return NULL;
			byte = *at++;
			number |= (uint64_t)(byte & 0x7f) << shift;
			shift += 7;
		} while (byte & 0x80);
		last[k] += from_zigzag(number);
		to[k] = last[k];
	}
	return at;
}

/* The same for a record of variable size */
static const uint8_t *take_sized(const uint8_t *at, const uint8_t *end, uint64_t *to,
				 uint32_t words)
{
	size_t bytes = (words - 1) * sizeof(*to);

	if (bytes > (size_t)(end - at))
		return NULL;
	memcpy(to + 1, at, bytes);
	return at + bytes;
}

/* Returns the address after the last record; NULL if the segment is invalid. */
FOR_EACH_PROCESSOR
static uint64_t *unpack_records(struct unpack *unpack, const uint8_t *words_of,
				struct bits bits, const uint8_t *extras,
				const uint8_t *extras_end, uint32_t records, uint32_t shift,
				uint64_t *to, const uint64_t *to_end)
{
	uint32_t before = 0, ticks = 0;

	while (records--) {
		struct guess *guess = &unpack->guesses[evtlog_packed_guess(before)];
		uint32_t tag, entry, odd = 0, r, words;
		bool is_surprised = false;
		uint64_t word;

again:
		if (unlikely(bits.position > bits.end))
			return NULL;
again_within_a_record:
		word = look(&bits);
		entry = unpack->symbols[guess->context][word & (CODES - 1)];
		word >>= entry & 15;
		bits.position += entry & 15;
		entry >>= 4;
		if (unlikely(entry >= EVTLOG_PACKED_SECOND)) {
			struct bits rest = bits;

			if (entry == EVTLOG_PACKED_ODD && !odd) {
				odd = take(&rest, shift);
				bits.position = rest.position;
				if (!odd)
					return NULL;
				goto again_within_a_record;
			}
			/* Only one guess of a record can be wrong. */
			if (is_surprised || !take_surprise(unpack, &rest, guess, before, entry))
				return NULL;
			is_surprised = true;
			bits.position = rest.position;
			goto again;
		}
		tag = guess->tag;
		r = evtlog_packed_time_bits(entry);
		bits.position += r;
		ticks += ((entry - 16 * r) << r | (word & ((1u << r) - 1))) << shift | odd;

		words = words_of[tag & EVTLOG_TYPE_MAX];
		if (unlikely(to == to_end))
			return NULL;
		*to = (uint64_t)tag << EVTLOG_TICKS_BITS | ticks;
		if (unlikely(words != 1)) {
			bool sized = words == EVTLOG_PACKED_SIZED;

			if (sized)
				words = evtlog_packed_sized_words(tag);
			if (!words || words > (size_t)(to_end - to))
				return NULL;
			extras = sized ? take_sized(extras, extras_end, to, words) :
				 take_extras(extras, extras_end, to, words,
					     unpack->last[tag & EVTLOG_TYPE_MAX]);
			if (!extras)
				return NULL;
		}
		to += words;
		before = tag;
	}
	return bits.position <= bits.end && extras == extras_end ? to : NULL;
}

/* Subtracts a length from @left.  Returns false if it is larger. */
static bool fits(size_t *left, uint32_t bytes)
{
	if (bytes > *left)
		return false;
	*left -= bytes;
	return true;
}

/* Parts of a segment; each ends where the next begins, the last one at @end */
struct parts {
	struct evtlog_packed_segment segment;
	const uint8_t *words, *codes, *bits, *extras, *end;
};

/* Finds the parts of the segment at @from.  Returns false if it is invalid. */
static bool take_parts(const uint8_t *from, const uint8_t *end, struct parts *parts)
{
	struct evtlog_packed_segment *segment = &parts->segment;
	size_t left = end - from;

	if (left < sizeof(*segment) + TYPES)
		return false;
	memcpy(segment, from, sizeof(*segment));
	left -= sizeof(*segment) + TYPES;
	if (!fits(&left, segment->code_bytes) || !fits(&left, segment->bit_bytes) ||
	    !fits(&left, segment->extra_bytes) || !segment->records ||
	    segment->shift > EVTLOG_PACKED_SHIFT_MAX)
		return false;
	parts->words = from + sizeof(*segment);
	parts->codes = parts->words + TYPES;
	parts->bits = parts->codes + segment->code_bytes;
	parts->extras = parts->bits + segment->bit_bytes;
	parts->end = parts->extras + segment->extra_bytes;
	return true;
}

uint64_t unpack_types(const uint8_t *from, size_t from_bytes, uint64_t *records)
{
	const uint8_t *end = from + from_bytes;
	struct evtlog_buffer_header header;
	struct parts parts;
	uint64_t types = 0;

	*records = 0;
	if (from_bytes < sizeof(header))
		return UINT64_MAX;
	memcpy(&header, from, sizeof(header));
	if (header.header_bytes > from_bytes)
		return UINT64_MAX;
	for (from += header.header_bytes; from < end; from = parts.end) {
		if (!take_parts(from, end, &parts))
			return UINT64_MAX;
		*records += parts.segment.records;
		for (int type = 0; type < TYPES; type++)
			types |= (uint64_t)!!parts.words[type] << type;
	}
	return types;
}

int unpack_buffer(struct unpack *unpack, const uint8_t *from, size_t from_bytes, void *to,
		  size_t to_bytes)
{
	const uint8_t *end = from + from_bytes;
	struct evtlog_buffer_header header;
	uint64_t *out, *out_end;

	if (from_bytes < sizeof(header) || to_bytes < sizeof(header))
		return -EBADMSG;
	memcpy(&header, from, sizeof(header));
	if (header.used_bytes != to_bytes || header.header_bytes < sizeof(header) ||
	    header.header_bytes > from_bytes || header.header_bytes > to_bytes ||
	    header.header_bytes % 8 || to_bytes % 8)
		return -EBADMSG;
	memcpy(to, from, header.header_bytes);
	from += header.header_bytes;
	out = (uint64_t *)((char *)to + header.header_bytes);
	out_end = (uint64_t *)((char *)to + to_bytes);

	while (out < out_end) {
		const uint64_t *begin = out;
		struct parts parts;

		if (!take_parts(from, end, &parts))
			return -EBADMSG;
		for (int type = 0; type < TYPES; type++)
			if (parts.words[type] > WORDS_MAX && parts.words[type] != EVTLOG_PACKED_SIZED)
				return -EBADMSG;
		if (read_codes(unpack, parts.codes, parts.bits))
			return -EBADMSG;
		memset(unpack->guesses, 0, sizeof(unpack->guesses));
		memset(unpack->recents, 0, sizeof(unpack->recents));
		memset(unpack->last, 0, sizeof(unpack->last));
		memset(unpack->context, NO_CONTEXT, sizeof(unpack->context));
		unpack->numbered = 1;
		out = unpack_records(unpack, parts.words,
				     (struct bits) { parts.bits, 0, 8ull * parts.segment.bit_bytes },
				     parts.extras, parts.end, parts.segment.records,
				     parts.segment.shift, out, out_end);
		/* Only the last segment may be short: each costs the same, however small it is. */
		if (!out || (out < out_end && out - begin < EVTLOG_PACKED_RECORDS_MAX))
			return -EBADMSG;
		from = parts.end;
	}
	return from == end ? 0 : -EBADMSG;
}
