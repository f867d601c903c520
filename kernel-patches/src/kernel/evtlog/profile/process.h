/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes with threads: which profiles are theirs, and what those threads had that have ended.
 */
#ifndef EVTLOG_PROFILE_PROCESS_H
#define EVTLOG_PROFILE_PROCESS_H

#include <linux/refcount.h>
#include <linux/spinlock.h>

#include "profile/tree.h"

struct evtlog_profile;
struct evtlog_profile_copy;
struct evtlog_profile_values;
struct mem_cgroup;
struct pid_namespace;
struct seq_file;
struct task_struct;

/*
 * Sums of threads that have ended, by call path: small, and grow as paths come.  Blocks of 1, 2 and
 * then 4 KiB, each with a hash table of its own, so that what is there stays where it is.
 */

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
 * @bits:	the hash table behind @paths has 1 << @bits places: 1 + a path's number in this
 *		block; 0: none
 * @paths:	parents before children
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

/*
 * struct evtlog_profile_ended_adding - how far a profile is added
 * @nr:		nodes that are; the caller begins with 0
 * @lacks:	some found no memory
 * @index:	of each, in the tree
 */
struct evtlog_profile_ended_adding {
	u16 nr;
	bool lacks;
	u16 index[EVTLOG_PROFILE_NODES_MAX];
};

/* ended_sums.c: all is the caller's to lock */
size_t evtlog_profile_ended_needs(const struct evtlog_profile_ended *ended,
				  const struct evtlog_profile *p, unsigned int added);
bool evtlog_profile_ended_give(struct evtlog_profile_ended *ended, void *memory, size_t bytes);
bool evtlog_profile_ended_add(struct evtlog_profile_ended *ended, struct evtlog_profile *p,
			      struct evtlog_profile_ended_adding *adding);
size_t evtlog_profile_ended_copy(struct evtlog_profile_ended *to,
				 const struct evtlog_profile_ended *from);
void evtlog_profile_ended_clear(struct evtlog_profile_ended *ended);
size_t evtlog_profile_ended_bytes(const struct evtlog_profile_ended *ended);
void evtlog_profile_ended_free(struct evtlog_profile_ended *ended);
void evtlog_profile_ended_show(struct seq_file *m, const struct evtlog_profile_ended *ended);

/**
 * struct evtlog_profile_process - a process that has threads, or had some
 * @refs:	each profile in @members, and who looks at it
 * @memcg:	whose memory @ended is; NULL: nobody's
 * @lock:	guards all below
 * @members:	profiles of its tasks: those that live, and those that have ended and are not freed
 * @epoch:	which start of profiles @ended is of
 * @begin:	in ticks: since when @ended counts
 * @ended:	what threads had that are freed
 * @rcu:	it is found by a profile
 */
struct evtlog_profile_process {
	refcount_t refs;
	struct mem_cgroup *memcg;
	raw_spinlock_t lock;
	struct list_head members;
	u32 epoch;
	u64 begin;
	struct evtlog_profile_ended ended;
	struct rcu_head rcu;
};

/* process.c */
struct evtlog_profile_process *evtlog_profile_process_new(gfp_t gfp);
struct evtlog_profile_process *evtlog_profile_process_get(const struct task_struct *task);
void evtlog_profile_process_put(struct evtlog_profile_process *process);
void evtlog_profile_process_join(struct task_struct *task, struct evtlog_profile *p,
				 struct evtlog_profile_process **spare);
void evtlog_profile_process_fork(struct task_struct *child, struct evtlog_profile *p);
void evtlog_profile_process_replace(struct evtlog_profile *last, struct evtlog_profile *p);
void evtlog_profile_process_leave(struct evtlog_profile *p);
bool evtlog_profile_process_counts(const struct evtlog_profile *p);
void evtlog_profile_process_renew(struct evtlog_profile_process *process);

/* process_show.c */
int evtlog_profile_process_show(struct seq_file *m, struct evtlog_profile_process *process,
				struct task_struct *leader, struct evtlog_profile_copy *copy,
				struct pid_namespace *ns, bool asks);

#endif /* EVTLOG_PROFILE_PROCESS_H */
