/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Boosts: a task group runs at once on all CPUs, for a stated time.
 *
 * Stage: between the control messages (remote.c), which say which group, and
 * the scheduler.
 */
#ifndef EVTLOG_BOOST_H
#define EVTLOG_BOOST_H

#include <linux/types.h>
#include <uapi/linux/evtlog_remote.h>

/**
 * struct evtlog_boost_request - an order to boost a group
 * @request:	its number, in all records that it causes
 * @group_kind:	enum evtlog_remote_group
 * @group:	process group or session, as the initial pid namespace numbers it
 * @duration_ns: 1 to EVTLOG_REMOTE_SCHED_MAX_NS, from evtlog_boost_submit() on
 * @name:	EVTLOG_REMOTE_CGROUP: its path in the default hierarchy; all
 *		cgroups below it belong to it
 * @done:	called once, in task context, when all members were found: @error
 *		0; -ESRCH no such group, or it is empty; -ENOSPC there are more
 *		than EVTLOG_BOOST_TASKS, as many were boosted; -ECANCELED closed
 *		meanwhile; or why a member's policy could not be changed.
 *		@tasks are boosted, @throttled: real-time throttling may take CPUs away
 *		from them before the time is over.  May be NULL.
 */
struct evtlog_boost_request {
	u32 request;
	u8 group_kind;
	u64 group;
	u64 duration_ns;
	char name[EVTLOG_REMOTE_NAME_MAX + 1];
	void (*done)(u32 request, int error, unsigned int tasks, bool throttled);
};

/**
 * struct evtlog_boost_counts - what was done so far
 * @request:	the one under way, or 0
 * @tasks:	boosted now
 * @boosted, @restored: policies changed, and given back, since boot
 * @left:	tasks that were not given theirs back, since boot: they had
 *		taken another meanwhile, or ended
 */
struct evtlog_boost_counts {
	u32 request;
	unsigned int tasks;
	u64 boosted;
	u64 restored;
	u64 left;
};

int evtlog_boost_open(void);
void evtlog_boost_close(void);
int evtlog_boost_submit(const struct evtlog_boost_request *request);
void evtlog_boost_count(struct evtlog_boost_counts *counts);

#endif /* EVTLOG_BOOST_H */
