/* SPDX-License-Identifier: GPL-2.0-only */
/* A task's ring of events: shared by trace.c, which makes and fills rings, and trace_file.c. */
#ifndef EVTLOG_PROFILE_TRACE_RING_H
#define EVTLOG_PROFILE_TRACE_RING_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/types.h>

struct seq_file;

#define EVTLOG_PROFILE_TRACE_EVENTS_MAX	65536U
/* Limit for all rings together */
#define EVTLOG_PROFILE_TRACE_BYTES_MAX	(64U << 20)

/**
 * struct evtlog_profile_trace_event - an event
 * @ticks:	time of the event
 * @event:	EVTLOG_PROFILE_EVENT()
 * @kind:	enum evtlog_profile_trace_kind
 * @cpu:	number of the CPU
 */
struct evtlog_profile_trace_event {
	u64 ticks;
	u16 event;
	u16 kind;
	u32 cpu;
};

/**
 * struct evtlog_profile_trace - the last events of a task
 * @node:	entry in the list of ended tasks' rings, or in a list of rings to release
 * @ref:	one reference for the set of all rings, one for the task, one for each reader
 * @serial:	rings are numbered in the order in which they were made
 * @pid: @tgid: @comm: of the task; @comm as it was at the task's end
 * @wanted:	number of events that were requested
 * @mask:	the ring has one more event: at least @wanted, and the one that is being written
 * @inherits:	True: the task's children get a trace, too
 * @has_ended:	True: the task is freed
 * @is_listed:	True: the ring is in the set of all rings
 * @is_taken:	True: taken from a live task; guarded by evtlog_profile_trace_lock
 * @written:	number of events so far; written by the task's CPU, after the event
 * @rcu:	the ring is freed in any context
 * @events:	the ring
 */
struct evtlog_profile_trace {
	struct list_head node;
	struct kref ref;
	u64 serial;
	pid_t pid;
	pid_t tgid;
	char comm[TASK_COMM_LEN];
	u32 wanted;
	u32 mask;
	bool inherits;
	bool has_ended;
	bool is_listed;
	bool is_taken;
	u64 written;
	struct rcu_head rcu;
	struct evtlog_profile_trace_event events[];
};

struct evtlog_profile_trace *evtlog_profile_trace_get(u64 serial);
void evtlog_profile_trace_put(struct evtlog_profile_trace *ring);
int evtlog_profile_trace_begin(pid_t pid, u32 events, bool inherits);
int evtlog_profile_trace_remove(pid_t pid);
void evtlog_profile_trace_keep(u32 rings);
void evtlog_profile_trace_comm(const struct evtlog_profile_trace *ring, char comm[TASK_COMM_LEN]);
void evtlog_profile_trace_show_counts(struct seq_file *m);

#endif /* EVTLOG_PROFILE_TRACE_RING_H */
