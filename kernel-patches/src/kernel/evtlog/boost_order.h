/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order under way, and what came of it: what the threads that begin and end boosts
 * (boost.c) and the changing of tasks (boost_settle.c) share.  Nobody else looks in.
 */
#ifndef EVTLOG_BOOST_ORDER_H
#define EVTLOG_BOOST_ORDER_H

#include <linux/ktime.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "boost.h"
#include "boost_table.h"

#define EVTLOG_BOOST_ANY_CPU	-1

/*
 * @tasks:	boosted now
 * @boosted, @restored: policies changed, and given back, since boot
 * @left:	tasks that were not given theirs back, since boot: they had
 *		taken another meanwhile, or ended
 * @skipped:	members not boosted, since boot, for a limit of real-time CPU time: each
 *		order counts them
 */
struct evtlog_boost_counts {
	unsigned int tasks;
	u64 boosted;
	u64 restored;
	u64 left;
	u64 skipped;
};

/*
 * @lock:	guards all below and evtlog_boosts; taken in softirq, inside tasklist_lock
 * @ordered:	there were orders since it was opened; read without the lock: while there were
 *		none, no task owes us anything
 * @order:	the one under way, 0: none; each has a number of its own
 * @newest:	number of the last order
 * @takes_over:	there were tasks boosted for others when it came
 * @finding:	members are still looked for, and @request's done() is due
 * @resting:	the threads have not been woken again for the rest
 * @error:	the first that the order met
 * @held:	tasks that the last order boosted, or found boosted
 * @limited:	members that it does not boost: see @skipped
 * @ends:	when everybody gets his policy back
 */
struct evtlog_boost {
	raw_spinlock_t lock;
	bool open;
	bool ordered;
	u64 order;
	u64 newest;
	bool takes_over;
	bool finding;
	bool resting;
	int error;
	unsigned int held;
	unsigned int limited;
	ktime_t ends;
	struct evtlog_boost_request request;
	struct evtlog_boost_counts counts;
};

extern struct evtlog_boost evtlog_boost;
extern struct evtlog_boost_table evtlog_boosts;

bool evtlog_boost_settle_group(const struct evtlog_boost_request *request, u64 order,
			       int cpu, bool one, bool known);
void evtlog_boost_give_back(int cpu);

#endif /* EVTLOG_BOOST_ORDER_H */
