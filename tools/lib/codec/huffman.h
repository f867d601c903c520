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
 * huffman_make() - the code of these symbols
 * @symbols:	by rising number
 * @count:	at most HUFFMAN_SYMBOLS_MAX; the sum of weights is less than 2^32
 * @limit:	longest code, at most HUFFMAN_LIMIT_MAX; 2^limit >= @count
 *
 * One that is alone gets a bit too.
 */
void huffman_make(struct huffman_symbol *symbols, uint32_t count, uint32_t limit);

/**
 * huffman_first_codes() - where the codes of each length begin
 * @counts:	how many symbols have each length, from 0, of which there are none, to @limit
 * @next:	result: by length, the code of its first symbol, its first bit highest
 *
 * Return: how many of the 2^@limit codes are taken; if more, the lengths are of no code
 */
uint32_t huffman_first_codes(const uint32_t *counts, uint32_t limit, uint32_t *next);

/** huffman_reversed() - a code of @length bits, the other way round */
uint32_t huffman_reversed(uint32_t bits, uint32_t length);

/*
 * ---- The lengths of a context's codes as bytes, see <evtlog/packed.h> ----
 *
 * For each symbol in use one, the length in its low half, in the high half the symbols left out
 * before it; 15 with a length of 0 adds 15 and takes another byte.  A 0 ends them.
 */

/* A byte for each symbol and each gap of 15, and one at the end */
#define CODE_LENGTHS_BYTES_MAX	(EVTLOG_PACKED_SYMBOLS + EVTLOG_PACKED_SYMBOLS / 15 + 1)

/**
 * code_lengths_put() - writes those of one context
 * @at:		has room for CODE_LENGTHS_BYTES_MAX
 * @symbols:	by rising number
 *
 * Return: behind the last byte
 */
uint8_t *code_lengths_put(uint8_t *at, const struct huffman_symbol *symbols, uint32_t count);

/**
 * code_lengths_take() - reads those of one context
 * @lengths:	result: EVTLOG_PACKED_SYMBOLS of them, 0: not in use
 *
 * Return: behind the last byte; NULL if there is no end before @end, a length is
 * above EVTLOG_PACKED_CODE_BITS, or a symbol is none
 */
const uint8_t *code_lengths_take(const uint8_t *at, const uint8_t *end, uint8_t *lengths);

#endif /* EVTLOG_LIB_CODEC_HUFFMAN_H */
