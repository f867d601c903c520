// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds the profiles of ended tasks to one tree.
 *
 * Called by process.c, process_show.c and family.c, which allocate the memory: this is impossible while a
 * tree is locked.
 */
#include <linux/bug.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "profile/process.h"
#include "profile/profile.h"

#define NOWHERE		0
/* Nodes that are added per call: each takes about 700 instructions if all blocks are full. */
#define SOME		16
/* Key of a node that each profile has */
#define REST_KEY	(EVTLOG_PROFILE_NO_PARENT << 16 | EVTLOG_PROFILE_REST)

/* Size of the first block; a block of twice the size has twice as many paths. */
#define BYTES		1024U
#define PATHS		23U
#define BITS		5U
#define DOUBLED_MAX	2U

static u16 *places_of(struct evtlog_profile_ended_block *block)
{
	return (u16 *)&block->paths[block->capacity];
}

static size_t bytes_of(const struct evtlog_profile_ended_block *block)
{
	return BYTES << (block->bits - BITS);
}

static unsigned int count_blocks(const struct evtlog_profile_ended *ended)
{
	const struct evtlog_profile_ended_block *block;
	unsigned int count = 0;

	for (block = ended->blocks; block; block = block->next)
		count++;
	return count;
}

/**
 * evtlog_profile_ended_needs() - memory that is needed before a profile is added
 * @ended:	sums to which it will be added
 * @p:		complete profile of a thread
 * @added:	number of its nodes that are added already
 *
 * Return: size of one piece in bytes, after which more may be needed; 0: there is enough memory, or
 * the limit is reached.
 */
size_t evtlog_profile_ended_needs(const struct evtlog_profile_ended *ended,
				  const struct evtlog_profile *p, unsigned int added)
{
	const struct evtlog_profile_ended_block *block;
	unsigned int count = count_blocks(ended), room = 0;

	if (p->values && !ended->values)
		return sizeof(*ended->values);
	for (block = ended->blocks; block; block = block->next)
		room += block->capacity - block->nr;
	if (room >= p->nr_nodes - added || count >= EVTLOG_PROFILE_ENDED_BLOCKS)
		return 0;
	return BYTES << min(count, DOUBLED_MAX);
}

/**
 * evtlog_profile_ended_give() - give memory to the sums
 * @ended:	sums that get the memory
 * @memory:	zeroed
 * @bytes:	as returned by evtlog_profile_ended_needs() or evtlog_profile_ended_copy()
 *
 * Return: true if @ended owns the memory now; false if it is not needed any more.
 */
bool evtlog_profile_ended_give(struct evtlog_profile_ended *ended, void *memory, size_t bytes)
{
	struct evtlog_profile_ended_block **at, *block = memory;
	unsigned int count = 0, first = NOWHERE + 1, doubled = 0;

	BUILD_BUG_ON(sizeof(*block) + PATHS * sizeof(block->paths[0]) +
		     (sizeof(u16) << BITS) > BYTES);
	BUILD_BUG_ON(sizeof(*ended->values) >= BYTES);
	if (bytes == sizeof(*ended->values)) {
		if (ended->values)
			return false;
		ended->values = memory;
		return true;
	}
	for (at = &ended->blocks; *at; at = &(*at)->next, count++)
		first += (*at)->capacity;
	if (count == EVTLOG_PROFILE_ENDED_BLOCKS)
		return false;
	while (BYTES << doubled < bytes)
		doubled++;
	block->first = first;
	block->capacity = PATHS << doubled;
	block->bits = BITS + doubled;
	*at = block;
	return true;
}

/* Returns the number of the path in the block; with @makes, adds it if missing; -1: none. */
static int find_in(struct evtlog_profile_ended_block *block, u32 key, bool makes)
{
	unsigned int mask = (1U << block->bits) - 1, at = key * 0x9e3779b1U >> (32 - block->bits);
	u16 *places = places_of(block);

	/* The loop ends, because there are more places than paths. */
	for (; places[at]; at = (at + 1) & mask) {
		if (block->paths[places[at] - 1].key == key)
			return places[at] - 1;
	}
	if (!makes || block->nr == block->capacity)
		return -1;
	block->paths[block->nr].key = key;
	places[at] = ++block->nr;
	return block->nr - 1;
}

/* Returns the path's index, or NOWHERE. */
static unsigned int find(struct evtlog_profile_ended *ended, u32 key,
			 struct evtlog_profile_sums **sums)
{
	struct evtlog_profile_ended_block *block;
	bool makes = false;

	for (;;) {
		for (block = ended->blocks; block; block = block->next) {
			int number = find_in(block, key, makes);

			if (number < 0)
				continue;
			*sums = &block->paths[number].sums;
			return block->first + number;
		}
		if (makes)
			break;
		makes = true;
	}
	*sums = &ended->rest;
	return NOWHERE;
}

static void add_sums(struct evtlog_profile_sums *to, const struct evtlog_profile_node *node)
{
	to->count += node->sums.count;
	to->inclusive += node->sums.inclusive;
	to->exclusive += node->sums.exclusive;
	to->largest = max3(to->largest, node->sums.largest, node->largest_before);
}

/* The copy of a running task's profile does not contain its end. */
static u64 lifetime_of(struct evtlog_profile *p)
{
	u64 ticks = 0;
	unsigned int i;

	if (p->off)
		return p->off - p->born;
	for (i = 0; i < p->nr_nodes; i++)
		ticks += evtlog_profile_node(p, i)->sums.exclusive;
	return ticks - p->ahead;
}

static void add_node(struct evtlog_profile_ended *ended, const struct evtlog_profile_node *node,
		     struct evtlog_profile_ended_adding *adding)
{
	unsigned int parent = node->key >> 16;
	struct evtlog_profile_sums *sums = &ended->rest;
	u16 *index = adding->index, *at = &index[adding->nr];

	*at = NOWHERE;
	if (node->key != REST_KEY) {
		/* The children of a path without room have no room either. */
		if (parent == EVTLOG_PROFILE_NO_PARENT)
			*at = find(ended, node->key, &sums);
		else if (index[parent] != NOWHERE)
			*at = find(ended, index[parent] << 16 | (node->key & 0xffff), &sums);
		adding->lacks |= *at == NOWHERE;
	}
	add_sums(sums, node);
}

/**
 * evtlog_profile_ended_add() - add a profile, or a part of it
 * @ended:	sums to which it is added
 * @p:		complete profile of a task, or a copy
 * @adding:	progress
 *
 * Return: true if the profile is added.  Otherwise call the function again; the lock may be
 * released in between.
 */
bool evtlog_profile_ended_add(struct evtlog_profile_ended *ended, struct evtlog_profile *p,
			      struct evtlog_profile_ended_adding *adding)
{
	unsigned int end = min_t(unsigned int, adding->nr + SOME, p->nr_nodes);

	if (!adding->nr) {
		adding->lacks = p->values && !ended->values;
		ended->threads++;
		ended->lifetime += lifetime_of(p);
		ended->unmatched += p->unmatched;
		ended->ahead += p->ahead;
		if (ended->values)
			evtlog_profile_values_add(ended->values, p->values);
	}
	for (; adding->nr < end; adding->nr++)
		add_node(ended, evtlog_profile_node(p, adding->nr), adding);
	return end == p->nr_nodes;
}

/**
 * evtlog_profile_ended_copy() - copy sums
 * @to:		empty sums with memory that was given
 * @from:	the sums
 *
 * Return: 0; otherwise nothing is copied, and this many bytes must be given first.
 */
size_t evtlog_profile_ended_copy(struct evtlog_profile_ended *to,
				 const struct evtlog_profile_ended *from)
{
	struct evtlog_profile_ended_block *copy = to->blocks, *block;

	if (from->values && !to->values)
		return sizeof(*to->values);
	for (block = from->blocks; block; block = block->next) {
		if (!copy)
			return bytes_of(block);
		copy = copy->next;
	}
	for (block = from->blocks, copy = to->blocks; block; block = block->next, copy = copy->next) {
		memcpy(&copy->first, &block->first, (void *)&block->paths[block->nr] -
		       (void *)&block->first);
		memcpy(places_of(copy), places_of(block), sizeof(u16) << block->bits);
	}
	if (from->values)
		*to->values = *from->values;
	to->threads = from->threads;
	to->lifetime = from->lifetime;
	to->unmatched = from->unmatched;
	to->ahead = from->ahead;
	to->rest = from->rest;
	return 0;
}

/**
 * evtlog_profile_ended_clear() - reset sums to no ended thread
 * @ended:	the sums, which keep their memory
 */
void evtlog_profile_ended_clear(struct evtlog_profile_ended *ended)
{
	struct evtlog_profile_ended_block *block;

	for (block = ended->blocks; block; block = block->next) {
		block->nr = 0;
		memset(block->paths, 0, bytes_of(block) - sizeof(*block));
	}
	if (ended->values)
		memset(ended->values, 0, sizeof(*ended->values));
	memset(&ended->rest, 0, sizeof(ended->rest));
	ended->threads = ended->lifetime = ended->unmatched = ended->ahead = 0;
}

/**
 * evtlog_profile_ended_bytes() - memory of sums in bytes
 * @ended:	the sums
 */
size_t evtlog_profile_ended_bytes(const struct evtlog_profile_ended *ended)
{
	size_t bytes = ended->values ? sizeof(*ended->values) : 0;
	const struct evtlog_profile_ended_block *block;

	for (block = ended->blocks; block; block = block->next)
		bytes += bytes_of(block);
	return bytes;
}

/**
 * evtlog_profile_ended_free() - free the memory of sums
 * @ended:	sums that are not used any more
 *
 * Context: any but NMI.
 */
void evtlog_profile_ended_free(struct evtlog_profile_ended *ended)
{
	while (ended->blocks) {
		struct evtlog_profile_ended_block *next = ended->blocks->next;

		kvfree(ended->blocks);
		ended->blocks = next;
	}
	kfree(ended->values);
	ended->values = NULL;
}

static const struct evtlog_profile_ended_path *
path_at(const struct evtlog_profile_ended *ended, unsigned int index)
{
	const struct evtlog_profile_ended_block *block = ended->blocks;

	while (index >= block->first + block->capacity)
		block = block->next;
	return &block->paths[index - block->first];
}

static void show_path(struct seq_file *m, const struct evtlog_profile_ended *ended,
		      const struct evtlog_profile_ended_path *path)
{
	u32 key = path->key;
	u16 events[EVTLOG_PROFILE_DEPTH_MAX];
	unsigned int depth = 0;

	for (;;) {
		events[depth++] = key;
		if (key >> 16 == EVTLOG_PROFILE_NO_PARENT || depth == EVTLOG_PROFILE_DEPTH_MAX)
			break;
		key = path_at(ended, key >> 16)->key;
	}
	evtlog_profile_show_path(m, events, depth, &path->sums);
}

/**
 * evtlog_profile_ended_show() - print the paths and values, as for a task
 * @ended:	the sums
 */
void evtlog_profile_ended_show(struct seq_file *m, const struct evtlog_profile_ended *ended)
{
	const struct evtlog_profile_ended_block *block;
	const u16 rest = EVTLOG_PROFILE_REST;
	unsigned int i;

	evtlog_profile_show_path(m, &rest, 1, &ended->rest);
	for (block = ended->blocks; block; block = block->next) {
		for (i = 0; i < block->nr; i++)
			show_path(m, ended, &block->paths[i]);
	}
	evtlog_profile_values_show(m, ended->values);
}
