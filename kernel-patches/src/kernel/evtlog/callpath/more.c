// SPDX-License-Identifier: GPL-2.0-only
/*
 * Further nodes of a task's profile.
 */
#include <linux/bug.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "callpath/memory.h"
#include "callpath/more.h"

/**
 * evtlog_profile_more_add() - get one more block
 * @first:	the task's first block, or NULL
 *
 * Context: the task's CPU, interrupts off; no lock is held that allocators take.
 * Return: false: there are as many as there may be, or there is no memory.
 */
bool evtlog_profile_more_add(struct evtlog_profile_more **first)
{
	struct evtlog_profile_more **at = first, *more;
	unsigned int block = 0, number = 0, doubled;

	BUILD_BUG_ON(sizeof(*more) + EVTLOG_PROFILE_MORE_NODES * sizeof(more->nodes[0]) +
		     (1U << EVTLOG_PROFILE_MORE_BITS) > EVTLOG_PROFILE_MORE_BYTES);
	for (; *at; at = &(*at)->next, block++)
		number += (*at)->capacity;
	if (block == EVTLOG_PROFILE_MORE_BLOCKS)
		return false;
	doubled = min(block, 2U);
	more = evtlog_profile_alloc(EVTLOG_PROFILE_MORE_BYTES << doubled);
	if (!more)
		return false;
	more->first = number;
	more->capacity = EVTLOG_PROFILE_MORE_NODES << doubled;
	more->bits = EVTLOG_PROFILE_MORE_BITS + doubled;
	smp_store_release(at, more);
	return true;
}

/**
 * evtlog_profile_more_clear() - no node is in use any more
 * @more:	the first block, or NULL
 */
void evtlog_profile_more_clear(struct evtlog_profile_more *more)
{
	for (; more; more = more->next)
		memset(more->nodes, 0, more->capacity * sizeof(more->nodes[0]) + (1U << more->bits));
}

/**
 * evtlog_profile_more_copy() - copy all blocks
 * @to:		EVTLOG_PROFILE_MORE_BYTES_MAX bytes
 * @more:	the first block, or NULL; may be written meanwhile
 *
 * Return: the copy's first block, or NULL.
 */
struct evtlog_profile_more *evtlog_profile_more_copy(void *to,
						     const struct evtlog_profile_more *more)
{
	struct evtlog_profile_more *first = NULL, **at = &first;

	while (more) {
		size_t bytes = sizeof(*more) + more->capacity * sizeof(more->nodes[0]) +
			       (1U << more->bits);
		struct evtlog_profile_more *copy = to;

		memcpy(copy, more, bytes);
		copy->next = NULL;
		*at = copy;
		at = &copy->next;
		to += bytes;
		/* Pairs with evtlog_profile_more_add(). */
		more = smp_load_acquire(&more->next);
	}
	return first;
}

/* Linear probing: the place where a path's node is, or that it may have. */
static unsigned int find_place(struct evtlog_profile_more *more, u32 key)
{
	const u8 *places = evtlog_profile_more_places(more);
	unsigned int mask = (1U << more->bits) - 1, at = key * 0x9e3779b1U >> (32 - more->bits);

	while (places[at] && more->nodes[places[at] - 1].key != key)
		at = (at + 1) & mask;
	return at;
}

/**
 * evtlog_profile_more_find() - look a path up
 * @more:	the first block, or NULL
 * @key:	the path's
 *
 * Return: its node, or NULL.
 */
struct evtlog_profile_node *evtlog_profile_more_find(struct evtlog_profile_more *more, u32 key)
{
	for (; more; more = more->next) {
		u8 place = evtlog_profile_more_places(more)[find_place(more, key)];

		if (place)
			return &more->nodes[place - 1];
	}
	return NULL;
}

/**
 * evtlog_profile_more_make() - a node of a new path
 * @more:	the first block
 * @number:	of the first node that is free, in one of the blocks
 * @key:	the path's
 *
 * Return: it; the caller fills it in.
 */
struct evtlog_profile_node *evtlog_profile_more_make(struct evtlog_profile_more *more,
						     unsigned int number, u32 key)
{
	while (number >= more->first + more->capacity)
		more = more->next;
	number -= more->first;
	evtlog_profile_more_places(more)[find_place(more, key)] = 1 + number;
	return &more->nodes[number];
}
