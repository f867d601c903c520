// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds a CPU's leaf at a time, and moves on from there.
 *
 * It does not use the log, and of the sums only the numbers of events.
 */
#include "cursor.h"

void index_cursor_chunk(struct index_cursor *cursor, size_t chunk)
{
	cursor->chunk = chunk;
	cursor->leaf = 0;
	cursor->valid = chunk < cursor->lane->chunk_count;
	if (cursor->valid)
		index_view(cursor->index, &cursor->lane->chunks[chunk], &cursor->view);
}

void index_cursor_find(struct index_cursor *cursor, uint64_t time_ns)
{
	size_t low = 0, high = cursor->lane->chunk_count;
	unsigned int first = 0, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (cursor->lane->chunks[middle].node.end_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	/* There may be events at the very end. */
	if (low && low == cursor->lane->chunk_count &&
	    cursor->lane->chunks[low - 1].node.end_ns == time_ns)
		low--;
	index_cursor_chunk(cursor, low);
	if (!cursor->valid)
		return;
	for (unsigned int level = INDEX_LEVELS; level; level--) {
		const struct index_node *nodes = cursor->view.nodes[level - 1];
		unsigned int count = index_nodes(cursor->view.leaf_count, level);

		end = first + INDEX_FANOUT < count ? first + INDEX_FANOUT : count;
		while (first + 1 < end && nodes[first].end_ns <= time_ns)
			first++;
		first <<= INDEX_FANOUT_SHIFT;
	}
	end = less(first + INDEX_FANOUT, cursor->view.leaf_count);
	while (first + 1 < end && cursor->view.leaves[first].end_ns <= time_ns)
		first++;
	cursor->leaf = first;
}

uint64_t evtlog_index_count(const struct evtlog_index *index, unsigned int slot,
			    uint64_t from_ns, uint64_t to_ns)
{
	struct index_cursor cursor = { .index = index };
	uint64_t count = 0;

	if (slot >= index->cpu_count || from_ns >= to_ns)
		return 0;
	cursor.lane = &index->lanes[slot];
	index_cursor_find(&cursor, from_ns);
	while (cursor.valid) {
		const struct index_node *node = NULL;
		unsigned int level;

		if (index_leaf_begin(&cursor.view, cursor.leaf) >= to_ns)
			break;
		level = index_cursor_fitting(&cursor, to_ns, &node);
		count += level ? node->events : cursor.view.leaves[cursor.leaf].events;
		index_cursor_step(&cursor, 1u << (INDEX_FANOUT_SHIFT * level));
	}
	return count;
}
