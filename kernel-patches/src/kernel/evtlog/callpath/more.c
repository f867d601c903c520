// SPDX-License-Identifier: GPL-2.0-only
/*
 * Additional nodes of a task's profile
 */
#include <linux/bug.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "callpath/memory.h"
#include "callpath/more.h"

/**
 * evtlog_callpath_more_add() - allocate one more block
 * @first:	the task's first block, or NULL
 *
 * Context: the task's CPU, interrupts off; no lock is held that allocators take.
 * Return: false: the maximum is reached, or there is no memory.
 */
bool evtlog_callpath_more_add(struct evtlog_callpath_more **first)
{
	struct evtlog_callpath_more **at = first, *more;
	unsigned int block = 0, number = 0, bits;

	BUILD_BUG_ON(sizeof(*more) + EVTLOG_CALLPATH_MORE_NODES * sizeof(more->nodes[0]) +
		     (1U << EVTLOG_CALLPATH_MORE_BITS) > EVTLOG_CALLPATH_MORE_BYTES);
	for (; *at; at = &(*at)->next, block++)
		number += (*at)->capacity;
	if (block == EVTLOG_CALLPATH_MORE_BLOCKS)
		return false;
	bits = EVTLOG_CALLPATH_MORE_BITS + min(block, 2U);
	more = evtlog_profile_alloc(evtlog_callpath_more_bytes(bits));
	if (!more)
		return false;
	more->first = number;
	more->capacity = EVTLOG_CALLPATH_MORE_NODES << (bits - EVTLOG_CALLPATH_MORE_BITS);
	more->bits = bits;
	smp_store_release(at, more);
	return true;
}

/**
 * evtlog_callpath_more_clear() - mark all nodes as unused
 * @more:	the first block, or NULL
 */
void evtlog_callpath_more_clear(struct evtlog_callpath_more *more)
{
	for (; more; more = more->next)
		memset(more->nodes, 0, more->capacity * sizeof(more->nodes[0]) + (1U << more->bits));
}

/**
 * evtlog_callpath_more_copy() - copy all blocks
 * @to:		EVTLOG_CALLPATH_MORE_BYTES_MAX bytes
 * @more:	the first block, or NULL; may change meanwhile
 *
 * Return: the copy's first block, or NULL.
 */
struct evtlog_callpath_more *evtlog_callpath_more_copy(void *to,
						       const struct evtlog_callpath_more *more)
{
	struct evtlog_callpath_more *first = NULL, **at = &first;

	while (more) {
		size_t bytes = evtlog_callpath_more_bytes(more->bits);
		struct evtlog_callpath_more *copy = to;

		memcpy(copy, more, bytes);
		copy->next = NULL;
		*at = copy;
		at = &copy->next;
		to += bytes;
		/* Pairs with evtlog_callpath_more_add(). */
		more = smp_load_acquire(&more->next);
	}
	return first;
}

/* Linear probing: returns the place of a path's node, or a free place for it. */
static unsigned int find_place(struct evtlog_callpath_more *more, u32 key)
{
	const u8 *places = evtlog_callpath_more_places(more);
	unsigned int mask = (1U << more->bits) - 1, at = key * 0x9e3779b1U >> (32 - more->bits);

	while (places[at] && more->nodes[places[at] - 1].key != key)
		at = (at + 1) & mask;
	return at;
}

/**
 * evtlog_callpath_more_find() - find the node of a path
 * @more:	the first block, or NULL
 * @key:	of the path
 *
 * Return: its node, or NULL.
 */
struct evtlog_profile_node *evtlog_callpath_more_find(struct evtlog_callpath_more *more, u32 key)
{
	for (; more; more = more->next) {
		u8 place = evtlog_callpath_more_places(more)[find_place(more, key)];

		if (place)
			return &more->nodes[place - 1];
	}
	return NULL;
}

/**
 * evtlog_callpath_more_make() - create the node of a new path
 * @more:	the first block
 * @number:	of the first free node, in one of the blocks
 * @key:	of the path
 *
 * Return: the node; the caller fills it in.
 */
struct evtlog_profile_node *evtlog_callpath_more_make(struct evtlog_callpath_more *more,
						      unsigned int number, u32 key)
{
	while (number >= more->first + more->capacity)
		more = more->next;
	number -= more->first;
	evtlog_callpath_more_places(more)[find_place(more, key)] = 1 + number;
	return &more->nodes[number];
}
