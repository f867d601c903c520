// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds a CPU's leaf at a time, and goes on from there.
 *
 * Neither leaves' sums nor the log are looked at, but for how many events there are.
 */
#include "cursor.h"
#include "interval.h"

void index_walk_chunk(struct index_walk *walk, size_t chunk)
{
	walk->chunk = chunk;
	walk->leaf = 0;
	walk->valid = chunk < walk->lane->chunk_count;
	if (walk->valid)
		index_view(walk->index, &walk->lane->chunks[chunk], &walk->view);
}

void index_walk_find(struct index_walk *walk, uint64_t time_ns)
{
	size_t low = 0, high = walk->lane->chunk_count;
	unsigned int first = 0, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (walk->lane->chunks[middle].node.end_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	/* There may be events at the very end. */
	if (low && low == walk->lane->chunk_count &&
	    walk->lane->chunks[low - 1].node.end_ns == time_ns)
		low--;
	index_walk_chunk(walk, low);
	if (!walk->valid)
		return;
	for (unsigned int level = INDEX_LEVELS; level; level--) {
		const struct index_node *nodes = walk->view.nodes[level - 1];
		unsigned int count = index_nodes(walk->view.leaf_count, level);

		end = first + INDEX_FANOUT < count ? first + INDEX_FANOUT : count;
		while (first + 1 < end && nodes[first].end_ns <= time_ns)
			first++;
		first <<= INDEX_FANOUT_SHIFT;
	}
	end = less(first + INDEX_FANOUT, walk->view.leaf_count);
	while (first + 1 < end && walk->view.leaves[first].end_ns <= time_ns)
		first++;
	walk->leaf = first;
}

uint64_t evtlog_index_count(const struct evtlog_index *index, unsigned int slot,
			    uint64_t from_ns, uint64_t to_ns)
{
	struct index_walk walk = { .index = index };
	uint64_t count = 0;

	if (slot >= index->cpu_count || from_ns >= to_ns)
		return 0;
	walk.lane = &index->lanes[slot];
	index_walk_find(&walk, from_ns);
	while (walk.valid) {
		const struct index_node *node = NULL;
		unsigned int level;

		if (index_leaf_begin(&walk.view, walk.leaf) >= to_ns)
			break;
		level = index_walk_fitting(&walk, to_ns, &node);
		count += level ? node->events : walk.view.leaves[walk.leaf].events;
		index_walk_step(&walk, 1u << (INDEX_FANOUT_SHIFT * level));
	}
	return count;
}
