// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes and reads the lengths of codes.
 *
 * Stage: within packing and unpacking.  Trusts no byte that it reads.
 */
#include <string.h>

#include "code-lengths.h"

#define GAP_MAX		15

uint8_t *code_lengths_put(uint8_t *at, const struct huffman_symbol *symbols, uint32_t count)
{
	uint32_t expected = 0;

	for (uint32_t k = 0; k < count; k++) {
		uint32_t gap = symbols[k].symbol - expected;

		for (; gap >= GAP_MAX; gap -= GAP_MAX)
			*at++ = GAP_MAX << 4;
		*at++ = gap << 4 | symbols[k].length;
		expected = symbols[k].symbol + 1;
	}
	*at++ = 0;
	return at;
}

const uint8_t *code_lengths_take(const uint8_t *at, const uint8_t *end, uint8_t *lengths)
{
	uint32_t symbol = 0;

	memset(lengths, 0, EVTLOG_PACKED_SYMBOLS);
	for (; at < end && *at; at++) {
		uint32_t length = *at & 15;

		symbol += *at >> 4;
		if (!length)
			continue;
		if (length > EVTLOG_PACKED_CODE_BITS || symbol >= EVTLOG_PACKED_SYMBOLS)
			return NULL;
		lengths[symbol++] = length;
	}
	return at < end ? at + 1 : NULL;
}
