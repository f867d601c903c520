/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes with threads: the profiles of their threads, and sums of ended threads. */
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
 * Sums of ended tasks by call path.  Those of a process's threads are small, and grow with the number
 * of paths: blocks of 1, 2 and then 4 KiB.  Those of a family have one large block.  Each block has
 * its own hash table, so that existing paths never move.
 */

/* 43 KiB at most, and 989 paths. */
#define EVTLOG_PROFILE_ENDED_BLOCKS	12
/* Bytes of a block for 2,944 paths */
#define EVTLOG_PROFILE_ENDED_LARGE	(128 * 1024)

/**
 * struct evtlog_profile_ended_path - a call path of ended tasks
 * @key:	as in struct evtlog_profile_node, with the index of the parent in this tree
 * @sums:	sums of the ended tasks
 */
struct evtlog_profile_ended_path {
	u32 key;
	struct evtlog_profile_sums sums;
};

/**
 * struct evtlog_profile_ended_block - some of the paths
 * @next:	the next block, or NULL
 * @first:	index of the block's first path; index 0 is for paths that found no room
 * @nr:		number of paths in use
 * @capacity:	number of paths that fit
 * @bits:	the hash table after @paths has 1 << @bits places: 1 + number of the path in this
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
 * struct evtlog_profile_ended - sums of the ended threads of a process, or of a family's ended tasks;
 *	all 0 if none has ended
 * @threads:	number of ended threads or tasks
 * @lifetime:	sum of their lifetimes, in ticks; @unmatched, @ahead: sums, too
 * @rest:	sums of paths that found no room
 * @blocks:	the paths
 * @values:	sums of values; NULL: no thread had one
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
 * struct evtlog_profile_ended_adding - progress while a profile is added
 * @nr:		number of nodes that are added; the caller begins with 0
 * @lacks:	True: for some nodes there was no memory
 * @index:	for each added node: index of its path in the tree
 */
struct evtlog_profile_ended_adding {
	u16 nr;
	bool lacks;
	u16 index[EVTLOG_PROFILE_NODES_MAX];
};

/* ended_sums.c; the caller locks everything */
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
 * struct evtlog_profile_process - a process that has or had several threads
 * @refs:	one for each profile in @members, and one for each reader
 * @memcg:	memory cgroup that is charged for @ended, or NULL
 * @lock:	guards all members below
 * @members:	profiles of live tasks, and of ended tasks that are not freed yet
 * @epoch:	start of profiles to which @ended belongs
 * @begin:	in ticks: start of @ended
 * @ended:	sums of threads that are freed
 * @rcu:	readers find the process through a profile
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
int evtlog_profile_ended_grow(struct evtlog_profile_ended *ended, size_t bytes);
int evtlog_profile_process_show(struct seq_file *m, struct evtlog_profile_process *process,
				struct task_struct *leader, struct evtlog_profile_copy *copy,
				struct pid_namespace *ns, bool asks);

#endif /* EVTLOG_PROFILE_PROCESS_H */
