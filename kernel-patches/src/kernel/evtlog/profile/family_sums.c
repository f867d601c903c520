// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds the profiles of ended tasks to one tree.
 *
 * Called by family.c with the family's lock held.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "profile/family_sums.h"
#include "profile/profile.h"

#define NOWHERE		0

/**
 * evtlog_profile_family_sums_alloc() - allocate an empty tree
 *
 * Context: may sleep.
 * Return: the tree, free with kvfree(); NULL: no memory.
 */
struct evtlog_profile_family_sums *evtlog_profile_family_sums_alloc(void)
{
	struct evtlog_profile_family_sums *sums = kvzalloc(sizeof(*sums), GFP_KERNEL_ACCOUNT);

	BUILD_BUG_ON(EVTLOG_PROFILE_FAMILY_PATHS >= EVTLOG_PROFILE_NO_PARENT);
	if (!sums)
		return NULL;
	/* No other path has this key. */
	sums->paths[NOWHERE].key = EVTLOG_PROFILE_NO_PARENT << 16 | EVTLOG_PROFILE_REST;
	sums->nr = 1;
	return sums;
}

static unsigned int find(struct evtlog_profile_family_sums *sums, u32 key)
{
	unsigned int at = key * 0x9e3779b1U >> 20;

	BUILD_BUG_ON(EVTLOG_PROFILE_FAMILY_HASH != 1U << 12);
	for (; sums->index[at]; at = (at + 1) % EVTLOG_PROFILE_FAMILY_HASH) {
		if (sums->paths[sums->index[at] - 1].key == key)
			return sums->index[at] - 1;
	}
	if (sums->nr == EVTLOG_PROFILE_FAMILY_PATHS)
		return NOWHERE;
	sums->index[at] = ++sums->nr;
	sums->paths[sums->nr - 1].key = key;
	return sums->nr - 1;
}

/**
 * evtlog_profile_family_sums_add() - add a profile
 * @sums:	tree to which it is added
 * @p:		complete profile of a task
 */
void evtlog_profile_family_sums_add(struct evtlog_profile_family_sums *sums,
				    struct evtlog_profile *p)
{
	u16 index[EVTLOG_PROFILE_NODES_MAX];
	unsigned int i;

	evtlog_profile_values_add(&sums->values, p->values);
	for (i = 0; i < p->nr_nodes; i++) {
		const struct evtlog_profile_node *node = evtlog_profile_node(p, i);
		unsigned int parent = node->key >> 16;
		struct evtlog_profile_sums *sum;

		index[i] = NOWHERE;
		/* The children of a path without room have no room either. */
		if (parent == EVTLOG_PROFILE_NO_PARENT)
			index[i] = find(sums, node->key);
		else if (index[parent] != NOWHERE)
			index[i] = find(sums, index[parent] << 16 | (node->key & 0xffff));
		sum = &sums->paths[index[i]].sums;
		sum->count += node->sums.count;
		sum->inclusive += node->sums.inclusive;
		sum->exclusive += node->sums.exclusive;
		sum->largest = max3(sum->largest, node->sums.largest, node->largest_before);
	}
}

/**
 * evtlog_profile_family_sums_copy() - copy sums, to be shown without the family's lock
 * @to:		tree of evtlog_profile_family_sums_alloc(); nothing can be added to it afterwards
 * @from:	the sums
 */
void evtlog_profile_family_sums_copy(struct evtlog_profile_family_sums *to,
				     const struct evtlog_profile_family_sums *from)
{
	to->nr = from->nr;
	to->values = from->values;
	memcpy(to->paths, from->paths, from->nr * sizeof(*from->paths));
}

/**
 * evtlog_profile_family_sums_show() - print sums, as for a task
 */
void evtlog_profile_family_sums_show(struct seq_file *m,
				     const struct evtlog_profile_family_sums *sums)
{
	u16 events[EVTLOG_PROFILE_DEPTH_MAX];
	unsigned int i;

	for (i = 0; i < sums->nr; i++) {
		u32 key = sums->paths[i].key;
		unsigned int depth = 0;

		for (;;) {
			events[depth++] = key;
			if (key >> 16 == EVTLOG_PROFILE_NO_PARENT || depth == EVTLOG_PROFILE_DEPTH_MAX)
				break;
			key = sums->paths[key >> 16].key;
		}
		evtlog_profile_show_path(m, events, depth, &sums->paths[i].sums);
	}
	evtlog_profile_values_show(m, &sums->values);
}
