/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Additional nodes of a task's profile: up to five blocks, of 1, 2, 4, 4 and 4 KiB, as needed.
 *
 * Each block has its own hash table, so that existing nodes stay in place when a block is added.  A
 * block is complete before it is published; readers on other CPUs follow the list of blocks.
 */
#ifndef EVTLOG_CALLPATH_MORE_H
#define EVTLOG_CALLPATH_MORE_H

#include <linux/atomic.h>

#include "callpath/node.h"

#define EVTLOG_CALLPATH_MORE_BLOCKS	5
/* In the first block; a block of twice the size has twice as many. */
#define EVTLOG_CALLPATH_MORE_BYTES	1024U
#define EVTLOG_CALLPATH_MORE_NODES	13U
#define EVTLOG_CALLPATH_MORE_BITS	6U
/* In all blocks */
#define EVTLOG_CALLPATH_MORE_NODES_MAX	((1 + 2 + 3 * 4) * EVTLOG_CALLPATH_MORE_NODES)
#define EVTLOG_CALLPATH_MORE_BYTES_MAX	((1 + 2 + 3 * 4) * EVTLOG_CALLPATH_MORE_BYTES)

/**
 * struct evtlog_callpath_more - a block of additional nodes
 * @next:	the next block, or NULL
 * @first:	index of its first node, counted from the first block's
 * @capacity:	number of nodes
 * @bits:	the hash table after @nodes has 1 << @bits places of one byte: 1 + the node's number
 *		within the block; 0: free
 * @nodes:	the paths
 */
struct evtlog_callpath_more {
	struct evtlog_callpath_more *next;
	u16 first;
	u16 capacity;
	u16 bits;
	struct evtlog_profile_node nodes[];
};

/* Size of a block with @bits, including its hash table */
static inline size_t evtlog_callpath_more_bytes(unsigned int bits)
{
	return EVTLOG_CALLPATH_MORE_BYTES << (bits - EVTLOG_CALLPATH_MORE_BITS);
}

static inline u8 *evtlog_callpath_more_places(struct evtlog_callpath_more *more)
{
	return (u8 *)&more->nodes[more->capacity];
}

/* Returns the node with this number among all additional nodes, in one of the blocks. */
static inline struct evtlog_profile_node *
evtlog_callpath_more_node(struct evtlog_callpath_more *more, unsigned int number)
{
	while (number >= more->first + more->capacity)
		more = more->next;
	return &more->nodes[number - more->first];
}

/* Returns the number of nodes in the blocks that a reader on any CPU can see. */
static inline unsigned int evtlog_callpath_more_capacity(const struct evtlog_callpath_more *more)
{
	unsigned int capacity = 0;

	while (more) {
		capacity = more->first + more->capacity;
		/* Pairs with evtlog_callpath_more_add(). */
		more = smp_load_acquire(&more->next);
	}
	return capacity;
}

/* more.c */
bool evtlog_callpath_more_add(struct evtlog_callpath_more **first);
void evtlog_callpath_more_clear(struct evtlog_callpath_more *more);
struct evtlog_callpath_more *evtlog_callpath_more_copy(void *to,
						       const struct evtlog_callpath_more *more);
struct evtlog_profile_node *evtlog_callpath_more_find(struct evtlog_callpath_more *more, u32 key);
struct evtlog_profile_node *evtlog_callpath_more_make(struct evtlog_callpath_more *more,
						      unsigned int number, u32 key);

#endif /* EVTLOG_CALLPATH_MORE_H */
