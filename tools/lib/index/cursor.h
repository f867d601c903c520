/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cursor over the leaves of a CPU in the order of time.
 *
 * It does not add up sums.
 */
#ifndef EVTLOG_LIB_INDEX_CURSOR_H
#define EVTLOG_LIB_INDEX_CURSOR_H

#include <stdint.h>

#include "internal.h"

/* ---- Intervals of time and their intersections ---- */

typedef unsigned __int128 u128;

static inline uint64_t less(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t more(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Length of an interval; 0 if it ends before it begins. */
static inline uint64_t span(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* ---- Cursor ---- */

/*
 * The current leaf and its place.
 * @valid:	false: after the last leaf
 */
struct index_cursor {
	const struct evtlog_index *index;
	const struct index_lane *lane;
	size_t chunk;
	struct index_view view;
	unsigned int leaf;
	bool valid;
};

/* Moves to the first leaf that ends after @time_ns. */
void index_cursor_find(struct index_cursor *cursor, uint64_t time_ns);

/* Moves to the first leaf of a chunk. */
void index_cursor_chunk(struct index_cursor *cursor, size_t chunk);

/* Moves forward by @leaves, or to the next chunk. */
static inline void index_cursor_step(struct index_cursor *cursor, unsigned int leaves)
{
	cursor->leaf += leaves;
	if (cursor->leaf >= cursor->view.leaf_count)
		index_cursor_chunk(cursor, cursor->chunk + 1);
}

/* Moves to the first leaf after the node of @level that contains the current leaf. */
static inline void index_cursor_over(struct index_cursor *cursor, unsigned int level)
{
	unsigned int leaves = 1u << (INDEX_FANOUT_SHIFT * level);

	index_cursor_step(cursor, leaves - (cursor->leaf & (leaves - 1)));
}

/* The largest node that begins with the current leaf and ends by @to_ns; its level, or 0. */
static inline unsigned int index_cursor_fitting(const struct index_cursor *cursor,
						uint64_t to_ns,
						const struct index_node **node)
{
	unsigned int level = 0, leaf = cursor->leaf;

	while (level < INDEX_LEVELS &&
	       !(leaf & ((1u << (INDEX_FANOUT_SHIFT * (level + 1))) - 1))) {
		const struct index_node *next = &cursor->view.nodes[level]
			[leaf >> (INDEX_FANOUT_SHIFT * (level + 1))];

		if (next->end_ns > to_ns)
			break;
		*node = next;
		level++;
	}
	return level;
}

#endif /* EVTLOG_LIB_INDEX_CURSOR_H */
