/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The lengths of a context's codes as bytes, see <evtlog/packed.h>: for each symbol in use
 * one, the length in its low half, in the high half the symbols left out before it; 15
 * with a length of 0 adds 15 and takes another byte.  A 0 ends them.
 */
#ifndef EVTLOG_LIB_CODEC_CODE_LENGTHS_H
#define EVTLOG_LIB_CODEC_CODE_LENGTHS_H

#include <evtlog/packed.h>

#include "huffman.h"

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

#endif /* EVTLOG_LIB_CODEC_CODE_LENGTHS_H */
