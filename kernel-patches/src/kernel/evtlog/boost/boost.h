/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Boosts: the tasks of a group run at the same time on all CPUs, for a given time.
 *
 * Control messages (remote/execute.c) choose the group.
 */
#ifndef EVTLOG_BOOST_H
#define EVTLOG_BOOST_H

#include <linux/types.h>
#include <uapi/linux/evtlog_remote.h>

/*
 * Interrupt threads have FIFO 50.  The threads of boosts have less, and more than the boosted
 * tasks, so that they can finish their work, and further messages are received.
 */
#define EVTLOG_BOOST_THREAD_PRIORITY	49
#define EVTLOG_BOOST_PRIORITY		48

/**
 * struct evtlog_boost_request - a command to boost a group
 * @request:	its number, in all records that it causes
 * @group_kind:	enum evtlog_remote_group
 * @group:	number of the process group or session, in the initial pid namespace
 * @duration_ns: 1 to EVTLOG_REMOTE_SCHED_MAX_NS, from evtlog_boost_submit() on
 * @name:	EVTLOG_REMOTE_CGROUP: its path in the default hierarchy; cgroups below it are
 *		included
 * @done:	called once, in task context, when all members were found.  Its argument @error is
 *		0; -ESRCH: no such group, or it is empty; -ENOSPC: there are more than
 *		EVTLOG_BOOST_TASKS members, and this number was boosted; -ECANCELED: closed
 *		meanwhile; or the error of a change of a member's policy.  The number of boosted
 *		tasks is @tasks.  If @throttled, real-time throttling may take CPUs away from them
 *		before the time is over.  May be NULL.
 */
struct evtlog_boost_request {
	u32 request;
	u8 group_kind;
	u64 group;
	u64 duration_ns;
	char name[EVTLOG_REMOTE_NAME_MAX + 1];
	void (*done)(u32 request, int error, unsigned int tasks, bool throttled);
};

int evtlog_boost_open(void);
void evtlog_boost_close(void);
int evtlog_boost_submit(const struct evtlog_boost_request *request);
int evtlog_boost_cancel(void);

#endif /* EVTLOG_BOOST_H */
