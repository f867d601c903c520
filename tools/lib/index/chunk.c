// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Completes a chunk: makes the nodes over its leaves, and its bytes.
 *
 * Stage: between the leaves of a CPU (lane.c) and the sink for chunks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "internal.h"

/* The largest sums by pid, stored in @pid and @ns of a node. */
struct top {
	uint32_t pid[INDEX_FANOUT * INDEX_NODE_TASKS];
	uint64_t ns[INDEX_FANOUT * INDEX_NODE_TASKS];
	unsigned int count;
};

static void top_add(struct top *top, uint32_t pid, uint64_t ns)
{
	unsigned int i = 0;

	if (!ns)
		return;
	while (i < top->count && top->pid[i] != pid)
		i++;
	if (i == top->count) {
		top->pid[i] = pid;
		top->ns[i] = 0;
		top->count++;
	}
	top->ns[i] += ns;
}

static void top_take(struct top *top, struct index_node *node)
{
	for (unsigned int k = 0; k < INDEX_NODE_TASKS; k++) {
		unsigned int best = 0;

		for (unsigned int i = 1; i < top->count; i++)
			if (top->ns[i] > top->ns[best] ||
			    (top->ns[i] == top->ns[best] && top->pid[i] < top->pid[best]))
				best = i;
		node->pid[k] = 0;
		node->pid_ns[k] = 0;
		if (best >= top->count)
			continue;
		node->pid[k] = top->pid[best];
		node->pid_ns[k] = top->ns[best];
		top->pid[best] = top->pid[--top->count];
		top->ns[best] = top->ns[top->count];
	}
}

static void node_of_leaves(struct index_chunk_builder *chunk, unsigned int number,
			   struct index_node *node)
{
	unsigned int first = number * INDEX_FANOUT, end = first + INDEX_FANOUT;
	struct top top = { .count = 0 };

	if (end > chunk->leaf_count)
		end = chunk->leaf_count;
	memset(node, 0, sizeof(*node));
	for (unsigned int i = first; i < end; i++) {
		const struct index_leaf *leaf = &chunk->leaves[i];
		uint64_t begin_ns = i ? leaf[-1].end_ns : chunk->begin_ns;
		unsigned int alike = leaf->kinds >> INDEX_ALIKE_SHIFT;

		if (alike && alike - 1 != INDEX_IDLE)
			node->ns[alike - 2] += leaf->end_ns - begin_ns;
		else if (!alike)
			for (int k = 0; k < INDEX_STATES - 1; k++)
				node->ns[k] += leaf->ns[k];
		if (alike == 1 + INDEX_TASK)
			top_add(&top, leaf->pid[0], leaf->end_ns - begin_ns);
		else
			for (int k = 0; k < INDEX_LEAF_TASKS; k++)
				top_add(&top, leaf->pid[k], leaf->pid_ns[k]);
		node->events += leaf->events;
		node->kinds |= leaf->kinds & INDEX_KINDS_MASK;
		if (leaf->longest_ns > node->longest_ns)
			node->longest_ns = leaf->longest_ns;
		node->end_ns = leaf->end_ns;
	}
	top_take(&top, node);
}

static void node_of_nodes(const struct index_node *nodes, unsigned int count,
			  struct index_node *node)
{
	struct top top = { .count = 0 };

	memset(node, 0, sizeof(*node));
	for (unsigned int i = 0; i < count; i++) {
		for (int k = 0; k < INDEX_STATES - 1; k++)
			node->ns[k] += nodes[i].ns[k];
		for (int k = 0; k < INDEX_NODE_TASKS; k++)
			top_add(&top, nodes[i].pid[k], nodes[i].pid_ns[k]);
		node->events += nodes[i].events;
		node->kinds |= nodes[i].kinds;
		if (nodes[i].longest_ns > node->longest_ns)
			node->longest_ns = nodes[i].longest_ns;
		node->end_ns = nodes[i].end_ns;
	}
	top_take(&top, node);
}

static void make_nodes(struct index_chunk_builder *chunk)
{
	for (unsigned int level = 1; level <= INDEX_LEVELS; level++) {
		unsigned int below = index_nodes(chunk->leaf_count, level - 1);

		for (unsigned int i = 0; i < index_nodes(chunk->leaf_count, level); i++) {
			unsigned int count = below - i * INDEX_FANOUT;

			if (level == 1)
				node_of_leaves(chunk, i, &chunk->nodes[0][i]);
			else
				node_of_nodes(&chunk->nodes[level - 2][i * INDEX_FANOUT],
					      count < INDEX_FANOUT ? count : INDEX_FANOUT,
					      &chunk->nodes[level - 1][i]);
		}
	}
}

size_t index_chunk_bytes(unsigned int leaves)
{
	size_t bytes = leaves * sizeof(struct index_leaf) +
		       index_groups(leaves) * sizeof(struct index_roster);

	for (unsigned int level = 1; level <= INDEX_LEVELS; level++)
		bytes += index_nodes(leaves, level) * sizeof(struct index_node);
	return bytes;
}

static uint8_t *put(uint8_t *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return to + bytes;
}

int index_chunk_end(struct index_chunk_builder *chunk)
{
	size_t padded = (chunk->roster_used + 7) & ~(size_t)7;
	size_t length = index_chunk_bytes(chunk->leaf_count) + padded;
	struct index_chunk made = {
		.begin_ns = chunk->begin_ns,
		.leaves = chunk->leaf_count,
		.roster_bytes = chunk->roster_used,
	};
	uint8_t *bytes, *to;
	int error;

	if (!chunk->leaf_count)
		return 0;
	bytes = calloc(1, length);
	if (!bytes)
		return -ENOMEM;
	make_nodes(chunk);
	made.node = chunk->nodes[INDEX_LEVELS - 1][0];
	to = bytes;
	for (unsigned int level = INDEX_LEVELS; level; level--)
		to = put(to, chunk->nodes[level - 1],
			 index_nodes(chunk->leaf_count, level) * sizeof(struct index_node));
	to = put(to, chunk->leaves, chunk->leaf_count * sizeof(struct index_leaf));
	to = put(to, chunk->rosters,
		 index_groups(chunk->leaf_count) * sizeof(struct index_roster));
	if (chunk->roster_used)
		put(to, chunk->roster_bytes, chunk->roster_used);
	made.crc32 = crc32(0, bytes, length);
	error = chunk->sink(chunk->sink_arg, &made, bytes, length);
	free(bytes);
	chunk->leaf_count = 0;
	chunk->roster_used = 0;
	return error;
}
