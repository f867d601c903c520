/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Canonical Huffman codes of limited length, as in RFC 1951, section 3.2.2.
 */
#ifndef EVTLOG_LIB_CODEC_HUFFMAN_H
#define EVTLOG_LIB_CODEC_HUFFMAN_H

#include <stdint.h>

#include <evtlog/packed.h>

#define HUFFMAN_SYMBOLS_MAX	512
#define HUFFMAN_LIMIT_MAX	15

/*
 * @weight:	how often the symbol occurs, not 0
 * @code, @length: result: the code's bits, the first one lowest
 */
struct huffman_symbol {
	uint32_t weight;
	uint16_t symbol;
	uint16_t code;
	uint8_t length;
};

/**
 * huffman_make() - computes the codes of symbols
 * @symbols:	sorted by number
 * @count:	at most HUFFMAN_SYMBOLS_MAX; the sum of weights is less than 2^32
 * @limit:	longest code, at most HUFFMAN_LIMIT_MAX; 2^limit >= @count
 *
 * A single symbol gets a code of one bit.
 */
void huffman_make(struct huffman_symbol *symbols, uint32_t count, uint32_t limit);

/**
 * huffman_first_codes() - computes the first code of each length
 * @counts:	number of symbols by length, from 0 (no symbols) to @limit
 * @next:	result: by length, the code of its first symbol, its first bit highest
 *
 * Return: how many of the 2^@limit codes are used; if more, the lengths are invalid
 */
uint32_t huffman_first_codes(const uint32_t *counts, uint32_t limit, uint32_t *next);

/** huffman_reversed() - reverses the order of a code's @length bits */
uint32_t huffman_reversed(uint32_t bits, uint32_t length);

/*
 * ---- The code lengths of a context as bytes, see <evtlog/packed.h> ----
 *
 * Each symbol in use has one byte: the low half is its length, the high half the number of
 * unused symbols in front of it.  15 with length 0 skips 15 symbols and is followed by another
 * byte.  A 0 byte ends the list.
 */

/* A byte for each symbol and each gap of 15, and one at the end */
#define CODE_LENGTHS_BYTES_MAX	(EVTLOG_PACKED_SYMBOLS + EVTLOG_PACKED_SYMBOLS / 15 + 1)

/**
 * code_lengths_put() - writes the lengths of one context
 * @at:		has room for CODE_LENGTHS_BYTES_MAX
 * @symbols:	sorted by number
 *
 * Return: the address after the last byte
 */
uint8_t *code_lengths_put(uint8_t *at, const struct huffman_symbol *symbols, uint32_t count);

/**
 * code_lengths_take() - reads the lengths of one context
 * @symbols:	result: @symbol and @length of the symbols in use, by number; has room for
 *		EVTLOG_PACKED_SYMBOLS
 * @count:	result: number of symbols in use
 *
 * Return: the address after the last byte; NULL if the list does not end before @end, a length
 * is above EVTLOG_PACKED_CODE_BITS, or a symbol does not exist
 */
const uint8_t *code_lengths_take(const uint8_t *at, const uint8_t *end,
				 struct huffman_symbol *symbols, uint32_t *count);

#endif /* EVTLOG_LIB_CODEC_HUFFMAN_H */
