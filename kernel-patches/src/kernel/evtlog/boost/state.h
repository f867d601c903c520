/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command under way, and its results: shared by boost/boost.c, the threads (boost/thread.c,
 * boost/helper.c), the code that changes tasks (boost/apply.c) and the code that handles changes by
 * other tasks (boost/policy.c).  Not for other files.
 */
#ifndef EVTLOG_BOOST_STATE_H
#define EVTLOG_BOOST_STATE_H

#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>

#include "boost/boost.h"
#include "boost/table.h"

#define EVTLOG_BOOST_NO_CPU	-1

/* Time after a command when the finder gives the remaining members to the threads */
#define EVTLOG_BOOST_REST_NS	50000

/*
 * Kinds of visits to a group.  FIRST: on each CPU one member that waits for it, for the CPU's
 * thread; SPREAD: all members, each for the thread of its CPU; ALL: all members, for the visitor
 * itself
 */
enum evtlog_boost_visit {
	EVTLOG_BOOST_FIRST,
	EVTLOG_BOOST_SPREAD,
	EVTLOG_BOOST_ALL,
};

/*
 * @tasks:	boosted now
 * @boosted, @restored: policies changed, and given back, since boot
 * @left:	tasks that did not get their policies back, since boot: they had another one
 *		meanwhile, or ended
 * @skipped:	members that were not boosted because of a limit of real-time CPU time, since boot;
 *		each command counts them
 */
struct evtlog_boost_counts {
	unsigned int tasks;
	u64 boosted;
	u64 restored;
	u64 left;
	u64 skipped;
};

/*
 * @lock:	guards all data below and evtlog_boosts.  Taken in softirq, inside tasklist_lock and
 *		inside run-queue locks: no task is woken under it, and it is held for one entry at a
 *		time
 * @was_used:	there were commands since it was opened; read without the lock: if false, no task
 *		has a policy of a boost
 * @command:	number of the command under way; 0: none; each command has its own number
 * @newest:	number of the last command
 * @takes_over:	tasks were boosted by earlier commands when the command came
 * @finding:	members are still being found, and @request's done() is due
 * @resting:	the finder has not been woken for the remaining members
 * @busy:	number of entries whose tasks are being changed, or are to be changed
 * @error:	first error of the command
 * @held:	tasks that the last command boosted, or found boosted
 * @limited:	members that it does not boost: see @skipped
 * @ends:	time when all tasks get their policies back
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
 * A CPU's part; guarded by evtlog_boost.lock, except @first
 * @todo:	entries for its thread, whose tasks were last seen on this CPU
 * @present:	it has a thread that takes entries
 * @walk:	its thread must find the members of the last command
 * @first:	command for which the CPU has its first member; used by the walker
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
