// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Computes lengths of Huffman codes, none longer than a limit, and the codes themselves.
 *
 * Stage: within packing and unpacking; independent of records.  The lengths are computed in place
 * (Moffat and Katajainen, In-Place Calculation of Minimum-Redundancy Codes, WADS 1995).  Codes
 * above the limit are then shortened, which makes other codes longer.
 */
#include <string.h>

#include "huffman.h"

struct leaf {
	uint32_t at;		/* index of its symbol */
	uint32_t weight;	/* later: its depth */
};

/* Shell sort, for about a hundred leaves.  The order of equal leaves does not matter. */
static void sort_by_weight(struct leaf *leaves, uint32_t n)
{
	static const uint32_t gaps[] = { 132, 57, 23, 10, 4, 1 };

	for (uint32_t g = 0; g < sizeof(gaps) / sizeof(gaps[0]); g++) {
		uint32_t gap = gaps[g];

		for (uint32_t k = gap; k < n; k++) {
			struct leaf leaf = leaves[k];
			uint32_t to = k;

			for (; to >= gap && leaves[to - gap].weight > leaf.weight; to -= gap)
				leaves[to] = leaves[to - gap];
			leaves[to] = leaf;
		}
	}
}

/* Replaces the weights of leaves, sorted by ascending weight, by their depths, which descend. */
static void find_depths(struct leaf *leaves, int n)
{
	int root, leaf, next, available, used, depth;

	/* Left to right: weights of the inner nodes, then their parents */
	leaves[0].weight += leaves[1].weight;
	root = 0;
	leaf = 2;
	for (next = 1; next < n - 1; next++) {
		for (int side = 0; side < 2; side++) {
			uint32_t weight;

			if (leaf >= n || (root < next &&
					  leaves[root].weight < leaves[leaf].weight)) {
				weight = leaves[root].weight;
				leaves[root++].weight = next;
			} else {
				weight = leaves[leaf++].weight;
			}
			leaves[next].weight = side ? leaves[next].weight + weight : weight;
		}
	}
	/* Right to left: parents to the depths of inner nodes */
	leaves[n - 2].weight = 0;
	for (next = n - 3; next >= 0; next--)
		leaves[next].weight = leaves[leaves[next].weight].weight + 1;
	/* Right to left: depths of leaves, in the places that inner nodes leave free */
	available = 1;
	used = depth = 0;
	root = n - 2;
	next = n - 1;
	while (available > 0) {
		while (root >= 0 && (int)leaves[root].weight == depth) {
			used++;
			root--;
		}
		while (available > used) {
			leaves[next--].weight = depth;
			available--;
		}
		available = 2 * used;
		depth++;
		used = 0;
	}
}

/* Makes codes longer, up to @limit, until their lengths are possible (Kraft's sum is at most 1) */
static void limit_depths(uint32_t *counts, uint32_t limit)
{
	uint32_t sum = 0;

	for (uint32_t length = 1; length <= limit; length++)
		sum += counts[length] << (limit - length);
	while (sum > 1u << limit) {
		uint32_t length = limit - 1;

		/* A shorter code becomes longer by one; one of the longest becomes its sibling. */
		while (!counts[length])
			length--;
		counts[limit]--;
		counts[length]--;
		counts[length + 1] += 2;
		sum--;
	}
}

uint32_t huffman_reversed(uint32_t bits, uint32_t length)
{
	uint32_t out = 0;

	while (length--) {
		out = out << 1 | (bits & 1);
		bits >>= 1;
	}
	return out;
}

static void make_lengths(struct huffman_symbol *symbols, uint32_t count, uint32_t limit,
			 uint32_t *counts)
{
	struct leaf leaves[HUFFMAN_SYMBOLS_MAX];
	uint32_t at = 0;

	for (uint32_t k = 0; k < count; k++)
		leaves[k] = (struct leaf) { k, symbols[k].weight };
	sort_by_weight(leaves, count);
	find_depths(leaves, count);
	for (uint32_t k = 0; k < count; k++)
		counts[leaves[k].weight < limit ? leaves[k].weight : limit]++;
	limit_depths(counts, limit);

	/* The rarest symbols come first and get the longest codes. */
	for (uint32_t length = limit; length; length--)
		for (uint32_t k = counts[length]; k; k--)
			symbols[leaves[at++].at].length = length;
}

uint32_t huffman_first_codes(const uint32_t *counts, uint32_t limit, uint32_t *next)
{
	uint32_t code = 0;

	for (uint32_t length = 1; length <= limit; length++) {
		code = (code + counts[length - 1]) << 1;
		next[length] = code;
	}
	return code + counts[limit];
}

void huffman_make(struct huffman_symbol *symbols, uint32_t count, uint32_t limit)
{
	uint32_t counts[HUFFMAN_LIMIT_MAX + 1] = { 0 };
	uint32_t next[HUFFMAN_LIMIT_MAX + 1];

	if (count == 1) {
		symbols[0].length = 1;
		counts[1] = 1;
	} else if (count) {
		make_lengths(symbols, count, limit, counts);
	}
	huffman_first_codes(counts, limit, next);
	for (uint32_t k = 0; k < count; k++)
		symbols[k].code = huffman_reversed(next[symbols[k].length]++, symbols[k].length);
}

/* ---- Lengths of codes, as bytes ---- */

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

const uint8_t *code_lengths_take(const uint8_t *at, const uint8_t *end,
				 struct huffman_symbol *symbols, uint32_t *count)
{
	uint32_t symbol = 0;

	*count = 0;
	for (; at < end && *at; at++) {
		uint32_t length = *at & 15;

		symbol += *at >> 4;
		if (!length)
			continue;
		if (length > EVTLOG_PACKED_CODE_BITS || symbol >= EVTLOG_PACKED_SYMBOLS)
			return NULL;
		symbols[*count].symbol = symbol++;
		symbols[(*count)++].length = length;
	}
	return at < end ? at + 1 : NULL;
}
