/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A chunk in the making.
 *
 * Stage: lane.c fills in leaves, task-list.c the rosters of their groups, and
 * chunk.c ends it.
 */
#ifndef EVTLOG_LIB_INDEX_CHUNK_H
#define EVTLOG_LIB_INDEX_CHUNK_H

#include "internal.h"

/*
 * @leaves, @rosters: @leaf_count and those of their groups are used
 * @roster_bytes: of all of them, @roster_used of @roster_room
 * @nodes:	room for when it ends
 */
struct index_chunk_builder {
	index_sink *sink;
	void *sink_arg;
	uint64_t begin_ns;
	unsigned int leaf_count;
	struct index_leaf leaves[INDEX_CHUNK_LEAVES];
	struct index_roster rosters[INDEX_CHUNK_GROUPS];
	uint8_t *roster_bytes;
	size_t roster_used;
	size_t roster_capacity;
	struct index_node nodes[INDEX_LEVELS][INDEX_CHUNK_LEAVES / INDEX_FANOUT];
};

/* Makes the roster of the last leaf's group, of @pids, which it sorts.  0 or -ENOMEM. */
int index_roster_make(struct index_chunk_builder *chunk, struct index_pids *pids);

/* Gives the chunk to the sink if it has leaves, and makes it empty.  0 or -errno. */
int index_chunk_end(struct index_chunk_builder *chunk);

#endif /* EVTLOG_LIB_INDEX_CHUNK_H */
