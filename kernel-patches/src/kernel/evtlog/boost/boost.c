// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boosts: commands to begin and to end them, and how their parts work together.
 *
 * remote/execute.c calls in the receive softirq; the scheduler's policies can only be changed by
 * a thread.  Nothing here judges who may give a command; threads (boost/thread.c,
 * boost/helper.c) do the changing.
 *
 *	softirq		evtlog_boost_submit() stores the command, wakes this CPU's thread
 *	walker		that thread: finds on each CPU the first member that waits for it,
 *			and makes it the work of that CPU's thread; the same for all
 *			that a command before had taken
 *	threads		each boosts its first member, gives back the others, and lets it run
 *	finder		EVTLOG_BOOST_REST_NS later: makes the rest the work of the threads;
 *			SWEEP_NS later: boosts those that had moved meanwhile, reports
 *			when all have what they were to get
 *	keeper		at the end of time gives everybody his policy back
 *
 * So the members are walked three times, on as many CPUs as there may be, and a CPU
 * without any is not woken.
 *
 * All of them stand above the group: all they do at first, its first run waits for.
 *
 * To find a cgroup takes a lock under which others make and remove some, with no right to
 * a CPU that the group leaves them.  So threads and finder may wait for as long as
 * the boost lasts, and hold nothing that the keeper needs: it looks for no cgroup, and
 * takes no lock that sleeps.
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

/* On while boosts are possible at all: see __evtlog_boost_fork(). */
DEFINE_STATIC_KEY_FALSE(evtlog_boost_key);

/**
 * evtlog_boost_open() - get ready for commands: memory and threads
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
 * evtlog_boost_close() - give everybody his policy back, and take no more commands
 *
 * Context: may sleep; open, and no evtlog_boost_open() meanwhile.
 */
void evtlog_boost_close(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	evtlog_boost.open = false;
	evtlog_boost.command = 0;
	/* At once: all that follows may wait for tasks that the boosted ones let not run. */
	evtlog_boost_ring_at(ktime_get());
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	/* Who saw it open may still be waking threads; nobody sets a timer anew. */
	synchronize_rcu();
	evtlog_boost_threads_close();
	evtlog_boost_helpers_close();
	WRITE_ONCE(evtlog_boost.was_used, false);
	static_branch_disable(&evtlog_boost_key);
	evtlog_boost_table_free(&evtlog_boosts);
}

/**
 * evtlog_boost_submit() - boost a group from now on
 * @request:	what; copied
 *
 * Takes the place of the command under way: tasks that are not in this group get
 * their policies back, those that are keep ours until the new end.
 *
 * Context: softirq, or preemption off.
 * Return: 0; -EINVAL no such kind of group, or no such duration; -EOPNOTSUPP a cgroup,
 * and this kernel has none; -EBUSY members of the last one are still being found, some
 * tenths of a millisecond; -ESHUTDOWN not open.
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
	/* On a CPU that comes or goes the finder does it all. */
	if (walks)
		evtlog_boost_wake_cpu(smp_processor_id());
	rcu_read_unlock();
	return error;
}

/**
 * evtlog_boost_cancel() - end the command under way now: everybody gets his policy back
 *
 * Context: any but NMI.
 * Return: 0: soon; -EALREADY there is none.
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

/* What is done, and was */
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
