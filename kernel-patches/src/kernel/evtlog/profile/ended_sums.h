/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums of threads that have ended, by call path: small, and grows as paths come.
 *
 * Blocks of 1, 2 and then 4 KiB, each with a hash table of its own, so that what is there stays
 * where it is.  All is the caller's to lock.
 */
#ifndef EVTLOG_PROFILE_ENDED_SUMS_H
#define EVTLOG_PROFILE_ENDED_SUMS_H

#include <linux/types.h>

#include "callpath/node.h"

struct evtlog_profile;
struct evtlog_profile_values;
struct seq_file;

/* 43 KiB at most, and 1,032 paths. */
#define EVTLOG_PROFILE_ENDED_BLOCKS	12

/**
 * struct evtlog_profile_ended_path - a call path of threads that have ended
 * @key:	as of struct evtlog_profile_node, by the index of the parent here
 * @sums:	theirs
 */
struct evtlog_profile_ended_path {
	u32 key;
	struct evtlog_profile_sums sums;
};

/**
 * struct evtlog_profile_ended_block - some of the paths
 * @next:	the next block, or NULL
 * @first:	index of its first path; 0 is that of all that found no place
 * @nr:		how many are in use
 * @capacity:	how many there may be
 * @bits:	of a place in its hash table, which is behind @paths: 1 + the path's number in this
 *		block; 0: none
 * @paths:	those before which are their parents
 */
struct evtlog_profile_ended_block {
	struct evtlog_profile_ended_block *next;
	u16 first;
	u16 nr;
	u16 capacity;
	u16 bits;
	struct evtlog_profile_ended_path paths[];
};

/**
 * struct evtlog_profile_ended - what threads had that have ended; all 0: none has
 * @threads:	how many
 * @lifetime:	ticks that these lived, together; @unmatched, @ahead: theirs
 * @rest:	of paths that found no place
 * @blocks:	the paths
 * @values:	theirs; NULL: none had one
 */
struct evtlog_profile_ended {
	u64 threads;
	u64 lifetime;
	u64 unmatched;
	u64 ahead;
	struct evtlog_profile_sums rest;
	struct evtlog_profile_ended_block *blocks;
	struct evtlog_profile_values *values;
};

size_t evtlog_profile_ended_needs(const struct evtlog_profile_ended *ended,
				  const struct evtlog_profile *p);
bool evtlog_profile_ended_give(struct evtlog_profile_ended *ended, void *memory, size_t bytes);
bool evtlog_profile_ended_add(struct evtlog_profile_ended *ended, struct evtlog_profile *p);
size_t evtlog_profile_ended_copy(struct evtlog_profile_ended *to,
				 const struct evtlog_profile_ended *from);
void evtlog_profile_ended_clear(struct evtlog_profile_ended *ended);
size_t evtlog_profile_ended_bytes(const struct evtlog_profile_ended *ended);
void evtlog_profile_ended_free(struct evtlog_profile_ended *ended);
void evtlog_profile_ended_show(struct seq_file *m, const struct evtlog_profile_ended *ended);

#endif /* EVTLOG_PROFILE_ENDED_SUMS_H */
