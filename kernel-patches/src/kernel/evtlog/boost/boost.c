// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boosts: commands that begin and end them, and how their parts work together.
 *
 * remote/execute.c calls this in the receive softirq, but only a thread can change scheduling
 * policies: threads (boost/thread.c, boost/helper.c) make the changes.  Rights are not checked
 * here.
 *
 *	softirq		evtlog_boost_submit() stores the command, wakes this CPU's thread
 *	walker		that thread: finds on each CPU the first member that waits for it, and
 *			gives it to that CPU's thread; and all members that an earlier command
 *			had boosted
 *	threads		each boosts its first member, gives other tasks their policies back,
 *			and lets the member run
 *	finder		EVTLOG_BOOST_REST_NS later: gives the other members to the threads;
 *			SWEEP_NS later: boosts members that had moved meanwhile, and reports
 *			when all members are boosted
 *	keeper		at the end of the time: gives all tasks their policies back
 *
 * So the members are walked three times, for any number of CPUs, and a CPU without members is not
 * woken.
 *
 * All these threads have a higher priority than the group: its first run waits for what they do
 * first.
 *
 * Finding a cgroup takes a lock under which other tasks create and remove cgroups, and the group
 * may leave these tasks no CPU.  So the threads and the finder may wait as long as the boost lasts,
 * and hold nothing that the keeper needs.  The keeper looks up no cgroup and takes no sleeping
 * lock.
 */
#include <linux/cache.h>
#include <linux/evtlog.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>

#include "boost/state.h"
#include "boost/task.h"
#include "feature.h"

struct evtlog_boost evtlog_boost = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(evtlog_boost.lock),
};

struct evtlog_boost_table evtlog_boosts;

/* On while boosts are possible, see __evtlog_boost_fork(). */
DEFINE_STATIC_KEY_FALSE(evtlog_boost_key);

/**
 * evtlog_boost_open() - prepare for commands: memory and threads
 *
 * Context: may sleep; not while open.
 * Return: 0 or a negative error.
 */
int evtlog_boost_open(void)
{
	unsigned long flags;
	int error;

	error = evtlog_boost_table_init(&evtlog_boosts, EVTLOG_BOOST_TASKS);
	if (error)
		return error;
	error = evtlog_boost_helpers_open();
	if (error)
		goto free_table;
	error = evtlog_boost_threads_open();
	if (error)
		goto close_helpers;

	static_branch_enable(&evtlog_boost_key);
	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	evtlog_boost.open = true;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	return 0;

close_helpers:
	evtlog_boost_helpers_close();
free_table:
	evtlog_boost_table_free(&evtlog_boosts);
	return error;
}

/**
 * evtlog_boost_close() - give all tasks their policies back, and accept no more commands
 *
 * Context: may sleep; open, and no evtlog_boost_open() meanwhile.
 */
void evtlog_boost_close(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	evtlog_boost.open = false;
	evtlog_boost.command = 0;
	/* Now, because all that follows may wait for tasks that get no CPU during the boost. */
	evtlog_boost_ring_at(ktime_get());
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	/* Callers that saw @open true may still be waking threads; no timer is set any more. */
	synchronize_rcu();
	evtlog_boost_threads_close();
	evtlog_boost_helpers_close();
	WRITE_ONCE(evtlog_boost.was_used, false);
	static_branch_disable(&evtlog_boost_key);
	evtlog_boost_table_free(&evtlog_boosts);
}

/**
 * evtlog_boost_submit() - boost a group from now on
 * @request:	the command; copied
 *
 * Replaces the command under way: tasks that are not in this group get their policies back, tasks
 * of both groups stay boosted until the new end.
 *
 * Context: softirq, or preemption off.
 * Return: 0; -EINVAL: invalid kind of group, or duration; -EOPNOTSUPP: a cgroup, and this kernel
 * has none; -EBUSY: members of the last command are still being found, which takes some tenths of a
 * millisecond; -ESHUTDOWN: not open.
 */
int evtlog_boost_submit(const struct evtlog_boost_request *request)
{
	struct evtlog_boost_cpu *here = this_cpu_ptr(&evtlog_boost_cpu);
	ktime_t now = ktime_get();
	unsigned long flags;
	bool walks = false;
	int error;

	error = evtlog_boost_group_check(request);
	if (error)
		return error;
	if (!request->duration_ns ||
	    request->duration_ns > EVTLOG_REMOTE_SCHED_MAX_NS)
		return -EINVAL;

	rcu_read_lock();
	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	if (!evtlog_boost.open)
		error = -ESHUTDOWN;
	else if (evtlog_boost.finding)
		error = -EBUSY;
	if (error)
		goto unlock;
	WRITE_ONCE(evtlog_boost.was_used, true);
	evtlog_boost.request = *request;
	evtlog_boost.newest++;
	evtlog_boost.command = evtlog_boost.newest;
	evtlog_boost.takes_over = evtlog_boosts.count;
	evtlog_boost.finding = true;
	evtlog_boost.resting = true;
	walks = here->present;
	if (walks)
		WRITE_ONCE(here->walk, true);
	evtlog_boost.error = 0;
	evtlog_boost.held = 0;
	evtlog_boost.ends = ktime_add_ns(now, request->duration_ns);
	evtlog_boost_ring_at(ktime_add_ns(now, min_t(u64, request->duration_ns,
						     EVTLOG_BOOST_REST_NS)));
unlock:
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	/* On a CPU that is coming up or going down, the finder does all the work. */
	if (walks)
		evtlog_boost_wake_cpu(smp_processor_id());
	rcu_read_unlock();
	return error;
}

/**
 * evtlog_boost_cancel() - end the command under way now: all tasks get their policies back
 *
 * Context: any but NMI.
 * Return: 0: soon; -EALREADY: there is no command.
 */
int evtlog_boost_cancel(void)
{
	int error = -EALREADY;
	unsigned long flags;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	if (evtlog_boost.command) {
		evtlog_boost.ends = ktime_get();
		evtlog_boost_ring_at(evtlog_boost.ends);
		error = 0;
	}
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	return error;
}

/* The command under way, and counts since boot */
static void show_status(struct seq_file *m)
{
	struct evtlog_boost_counts counts;
	unsigned long flags;
	u32 request;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	counts = evtlog_boost.counts;
	request = evtlog_boost.command ? evtlog_boost.request.request : 0;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	seq_printf(m, "boost_active %u\n", request);
	seq_printf(m, "boost_tasks %u\n", counts.tasks);
	seq_printf(m, "boost_boosted %llu\n", counts.boosted);
	seq_printf(m, "boost_restored %llu\n", counts.restored);
	seq_printf(m, "boost_left %llu\n", counts.left);
	seq_printf(m, "boost_skipped %llu\n", counts.skipped);
}

static struct evtlog_feature boost __ro_after_init = {
	.name = "boost",
	.show_status = show_status,
};
evtlog_feature(boost);
