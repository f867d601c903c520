/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command under way, and what came of it: what boost/boost.c, the threads (boost/thread.c,
 * boost/helper.c), the changing of tasks (boost/apply.c) and what looks at changes by others
 * (boost/policy.c) share.  Nobody else looks in.
 */
#ifndef EVTLOG_BOOST_STATE_H
#define EVTLOG_BOOST_STATE_H

#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>

#include "boost/boost.h"
#include "boost/table.h"

#define EVTLOG_BOOST_NO_CPU	-1

/* After a command the finder makes the rest the work of the threads. */
#define EVTLOG_BOOST_REST_NS	50000

/*
 * Of one visit to a group.
 * FIRST: on each CPU one that waits for it, its thread's work; SPREAD: all, each the work
 * of its CPU's thread; ALL: all, the visitor's own work
 */
enum evtlog_boost_visit {
	EVTLOG_BOOST_FIRST,
	EVTLOG_BOOST_SPREAD,
	EVTLOG_BOOST_ALL,
};

/*
 * @tasks:	boosted now
 * @boosted, @restored: policies changed, and given back, since boot
 * @left:	tasks that were not given theirs back, since boot: they had
 *		taken another meanwhile, or ended
 * @skipped:	members not boosted, since boot, for a limit of real-time CPU time: each
 *		command counts them
 */
struct evtlog_boost_counts {
	unsigned int tasks;
	u64 boosted;
	u64 restored;
	u64 left;
	u64 skipped;
};

/*
 * @lock:	guards all below and evtlog_boosts; taken in softirq, inside tasklist_lock and
 *		inside the locks of run queues: nobody is woken under it, and it is
 *		held for one entry at a time
 * @was_used:	there were commands since it was opened; read without the lock: while there
 *		were none, no task owes us anything
 * @command:	the one under way, 0: none; each has a number of its own
 * @newest:	number of the last command
 * @takes_over:	there were tasks boosted for others when it came
 * @finding:	members are still looked for, and @request's done() is due
 * @resting:	the finder has not been woken for the rest
 * @busy:	entries whose tasks somebody changes, or is to
 * @error:	the first that the command met
 * @held:	tasks that the last command boosted, or found boosted
 * @limited:	members that it does not boost: see @skipped
 * @ends:	when everybody gets his policy back
 */
struct evtlog_boost {
	raw_spinlock_t lock;
	bool open;
	bool was_used;
	u64 command;
	u64 newest;
	bool takes_over;
	bool finding;
	bool resting;
	unsigned int busy;
	int error;
	unsigned int held;
	unsigned int limited;
	ktime_t ends;
	struct evtlog_boost_request request;
	struct evtlog_boost_counts counts;
};

/*
 * A CPU's part; under evtlog_boost.lock, but @first.
 * @todo:	entries whose tasks were last seen there, for its thread
 * @present:	it has a thread that takes them
 * @walk:	its thread is to find the members of the last command
 * @first:	the command for which it has its first member: the walker's
 */
struct evtlog_boost_cpu {
	struct list_head todo;
	bool present;
	bool walk;
	u64 first;
};

DECLARE_PER_CPU(struct evtlog_boost_cpu, evtlog_boost_cpu);
extern struct evtlog_boost evtlog_boost;
extern struct evtlog_boost_table evtlog_boosts;

/* boost/thread.c */
int evtlog_boost_threads_open(void);
void evtlog_boost_threads_close(void);
void evtlog_boost_wake_cpu(int cpu);
void evtlog_boost_become_fifo(void);

/* boost/helper.c */
int evtlog_boost_helpers_open(void);
void evtlog_boost_helpers_close(void);
void evtlog_boost_ring_at(ktime_t when);

/* boost/apply.c */
void evtlog_boost_apply_group(const struct evtlog_boost_request *request, u64 command,
			       enum evtlog_boost_visit how, int cpu, bool known);
void evtlog_boost_apply_cpu(int cpu);
void evtlog_boost_give_back(int cpu);

#endif /* EVTLOG_BOOST_STATE_H */
