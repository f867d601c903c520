/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes with threads: which profiles are theirs, and what those threads had that have ended.
 */
#ifndef EVTLOG_PROFILE_PROCESS_H
#define EVTLOG_PROFILE_PROCESS_H

#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "profile/ended_sums.h"

struct evtlog_profile;
struct evtlog_profile_copy;
struct mem_cgroup;
struct pid_namespace;
struct seq_file;
struct task_struct;

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
void evtlog_profile_process_begin(void);
u64 evtlog_profile_ended_not_kept(void);

/* process_show.c */
int evtlog_profile_process_show(struct seq_file *m, struct evtlog_profile_process *process,
				struct task_struct *leader, struct evtlog_profile_copy *copy,
				struct pid_namespace *ns, bool asks);

#endif /* EVTLOG_PROFILE_PROCESS_H */
