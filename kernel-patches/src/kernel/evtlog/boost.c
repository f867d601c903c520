// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boosts: when they begin, when they end, and the threads that do it.
 *
 * Stage: between remote.c, in the receive softirq, and the scheduler, whose
 * policies can only be changed by a thread.  It does not judge who may order, and
 * leaves the changing to boost_settle.c.
 *
 *	softirq		evtlog_boost_submit() stores the order, wakes this CPU's thread
 *	walker		that thread: finds on each CPU the first member that waits for it,
 *			and makes it the work of that CPU's thread; the same for all
 *			that an order before had taken
 *	threads		each boosts its first member, gives back the others, and lets it run
 *	finder		REST_NS later: makes the rest the work of the threads; SWEEP_NS later:
 *			boosts those that had moved meanwhile, reports when all have what
 *			they were to get
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
#include <linux/cpumask.h>
#include <linux/evtlog.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/seq_file.h>
#include <linux/smpboot.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <uapi/linux/sched/types.h>

#include "boost_order.h"
#include "boost_task.h"

#define REST_NS		50000
#define SWEEP_NS	200000

struct evtlog_boost evtlog_boost = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(evtlog_boost.lock),
};

struct evtlog_boost_table evtlog_boosts;

/* @ringing: there is something to do */
struct helper {
	bool ringing;
	struct task_struct *task;
};

static struct helper keeper, finder;

/* It is the finder's first time for this order. */
static bool finder_spreads;

/* Rings for the finder and the keeper. */
static struct hrtimer boost_timer;

static DEFINE_PER_CPU(struct task_struct *, boost_thread);

DEFINE_PER_CPU(struct evtlog_boost_cpu, evtlog_boost_cpu);

/* On while boosts are possible at all: see __evtlog_boost_fork(). */
DEFINE_STATIC_KEY_FALSE(evtlog_boost_key);

static int thread_should_run(unsigned int cpu)
{
	struct evtlog_boost_cpu *mine = per_cpu_ptr(&evtlog_boost_cpu, cpu);

	return READ_ONCE(mine->walk) || !list_empty(&mine->todo);
}

static void thread_run(unsigned int cpu)
{
	struct evtlog_boost_cpu *mine = per_cpu_ptr(&evtlog_boost_cpu, cpu);
	struct evtlog_boost_request request;
	unsigned long flags;
	bool walk, known;
	u64 order;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	/* If its time is over the keeper gives all back. */
	walk = mine->walk && evtlog_boost.order;
	WRITE_ONCE(mine->walk, false);
	known = evtlog_boost.takes_over;
	order = evtlog_boost.order;
	request = evtlog_boost.request;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	if (walk)
		evtlog_boost_settle_group(&request, order, EVTLOG_BOOST_FIRST, cpu, known);
	evtlog_boost_settle_cpu(cpu);
	if (walk && known) {
		evtlog_boost_give_back(cpu);
		evtlog_boost_settle_cpu(cpu);
	}
}

/* Called by visitors, under RCU: who closes waits for them before the threads end. */
void evtlog_boost_wake_cpu(int cpu)
{
	struct task_struct *thread;

	if (cpu == EVTLOG_BOOST_NO_CPU)
		return;
	thread = per_cpu(boost_thread, cpu);
	if (thread)
		wake_up_process(thread);
}

static void become_fifo(unsigned int cpu)
{
	struct sched_param param = {
		.sched_priority = EVTLOG_BOOST_THREAD_PRIORITY
	};

	sched_setscheduler_nocheck(current, SCHED_FIFO, &param);
}

static void set_present(unsigned int cpu, bool present)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	per_cpu_ptr(&evtlog_boost_cpu, cpu)->present = present;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
}

static void thread_is_present(unsigned int cpu)
{
	set_present(cpu, true);
}

static void thread_begins(unsigned int cpu)
{
	become_fifo(cpu);
	thread_is_present(cpu);
}

/* What was left to it is done; from now on nothing more is. */
static void thread_leaves(unsigned int cpu)
{
	set_present(cpu, false);
	evtlog_boost_settle_cpu(cpu);
}

static void thread_ends(unsigned int cpu, bool online)
{
	thread_leaves(cpu);
}

static struct smp_hotplug_thread threads = {
	.store = &boost_thread,
	.thread_should_run = thread_should_run,
	.thread_fn = thread_run,
	.setup = thread_begins,
	.unpark = thread_is_present,
	.park = thread_leaves,
	.cleanup = thread_ends,
	.thread_comm = "evtlog_boost/%u",
};

static void wake_helper(struct helper *helper)
{
	WRITE_ONCE(helper->ringing, true);
	wake_up_process(helper->task);
}

/* For the finder, twice, and then for the keeper. */
static enum hrtimer_restart ring(struct hrtimer *timer)
{
	ktime_t now = ktime_get(), next;
	bool for_finder, for_keeper;
	unsigned long flags;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	next = evtlog_boost.ends;
	for_keeper = !evtlog_boost.order || !ktime_before(now, next);
	/* When it is too late, too: it has to report. */
	for_finder = evtlog_boost.finding;
	if (!for_keeper) {
		if (evtlog_boost.resting &&
		    ktime_before(ktime_add_ns(now, SWEEP_NS - REST_NS), next))
			next = ktime_add_ns(now, SWEEP_NS - REST_NS);
		hrtimer_start(timer, next, HRTIMER_MODE_ABS_HARD);
	}
	WRITE_ONCE(finder_spreads, evtlog_boost.resting && !for_keeper);
	evtlog_boost.resting = false;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	if (for_keeper)
		wake_helper(&keeper);
	if (for_finder)
		wake_helper(&finder);
	return HRTIMER_NORESTART;
}

/* Calls back for the order that is finding, with what came of it. */
static void report(int error)
{
	struct evtlog_boost_request request;
	unsigned long flags;
	unsigned int tasks;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	evtlog_boost.finding = false;
	evtlog_boost.counts.skipped += evtlog_boost.limited;
	evtlog_boost.limited = 0;
	request = evtlog_boost.request;
	if (!error)
		error = evtlog_boost.error;
	tasks = evtlog_boost.held;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	if (request.done)
		request.done(request.request, error, tasks,
			     evtlog_boost_throttles(request.duration_ns));
}

/* Has everybody what he is to get?  Or is it too late for that? */
static bool is_settled(void)
{
	unsigned long flags;
	bool settled;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	settled = !evtlog_boost.order || !evtlog_boost.busy;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	return settled;
}

static void find(void)
{
	struct evtlog_boost_request request;
	ktime_t pause = SWEEP_NS;
	unsigned long flags;
	bool finding, spread;
	u64 newest;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	newest = evtlog_boost.newest;
	finding = evtlog_boost.finding;
	request = evtlog_boost.request;
	spread = finder_spreads;
	finder_spreads = false;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	if (!finding)
		return;
	if (spread) {
		evtlog_boost_settle_group(&request, newest, EVTLOG_BOOST_SPREAD,
					  EVTLOG_BOOST_NO_CPU, false);
		return;
	}

	/* Even if it is too late: is there such a group? */
	evtlog_boost_settle_group(&request, newest, EVTLOG_BOOST_ALL, EVTLOG_BOOST_NO_CPU,
				  false);
	evtlog_boost_give_back(EVTLOG_BOOST_NO_CPU);
	while (!is_settled()) {
		if (kthread_should_stop())
			return;
		set_current_state(TASK_IDLE);
		schedule_hrtimeout(&pause, HRTIMER_MODE_REL);
	}
	report(0);
}

/* @helper has something to do, or is to end. */
static bool wait_to_help(struct helper *helper)
{
	for (;;) {
		set_current_state(TASK_IDLE);
		if (kthread_should_stop() || xchg(&helper->ringing, false))
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return !kthread_should_stop();
}

static int find_members(void *unused)
{
	become_fifo(0);
	while (wait_to_help(&finder))
		find();
	if (evtlog_boost.finding)
		report(-ECANCELED);
	return 0;
}

static void end_in_time(void)
{
	struct evtlog_boost_request request;
	unsigned long flags;
	bool finding;
	u64 newest;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	if (!ktime_before(ktime_get(), evtlog_boost.ends))
		evtlog_boost.order = 0;
	newest = evtlog_boost.newest;
	finding = evtlog_boost.finding;
	request = evtlog_boost.request;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	/* So short that nobody has been asked for yet: whom it found boosted still counts. */
	if (finding && request.group_kind != EVTLOG_REMOTE_CGROUP)
		evtlog_boost_settle_group(&request, newest, EVTLOG_BOOST_ALL,
					  EVTLOG_BOOST_NO_CPU, false);
	evtlog_boost_give_back(EVTLOG_BOOST_NO_CPU);
}

static int keep(void *unused)
{
	become_fifo(0);
	while (wait_to_help(&keeper))
		end_in_time();
	evtlog_boost_give_back(EVTLOG_BOOST_NO_CPU);
	return 0;
}

static int start_helper(struct helper *helper, int (*body)(void *), const char *name)
{
	helper->ringing = false;
	helper->task = kthread_run(body, NULL, "%s", name);
	return PTR_ERR_OR_ZERO(helper->task);
}

/**
 * evtlog_boost_open() - make orders possible: memory and threads
 *
 * Context: may sleep; not while open.
 * Return: 0 or a negative error.
 */
int evtlog_boost_open(void)
{
	struct evtlog_boost_cpu *one;
	unsigned long flags;
	unsigned int cpu;
	int error;

	error = evtlog_boost_table_init(&evtlog_boosts, EVTLOG_BOOST_TASKS);
	if (error)
		return error;
	for_each_possible_cpu(cpu) {
		one = per_cpu_ptr(&evtlog_boost_cpu, cpu);
		INIT_LIST_HEAD(&one->todo);
		one->present = false;
		one->walk = false;
	}
	hrtimer_init(&boost_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
	boost_timer.function = ring;
	error = start_helper(&keeper, keep, "evtlog_boost");
	if (error)
		goto free_table;
	error = start_helper(&finder, find_members, "evtlog_finder");
	if (error)
		goto stop_keeper;
	error = smpboot_register_percpu_thread(&threads);
	if (error)
		goto stop_finder;

	static_branch_enable(&evtlog_boost_key);
	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	evtlog_boost.open = true;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	return 0;

stop_finder:
	kthread_stop(finder.task);
stop_keeper:
	kthread_stop(keeper.task);
free_table:
	evtlog_boost_table_free(&evtlog_boosts);
	return error;
}

/**
 * evtlog_boost_close() - give everybody his policy back, and take no more orders
 *
 * Context: may sleep; open, and no evtlog_boost_open() meanwhile.
 */
void evtlog_boost_close(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	evtlog_boost.open = false;
	evtlog_boost.order = 0;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	/* At once: all that follows may wait for tasks that the boosted ones let not run. */
	wake_helper(&keeper);
	/* Who saw it open may still be waking threads; nobody sets a timer anew. */
	synchronize_rcu();
	hrtimer_cancel(&boost_timer);
	smpboot_unregister_percpu_thread(&threads);
	kthread_stop(finder.task);
	kthread_stop(keeper.task);
	WRITE_ONCE(evtlog_boost.ordered, false);
	static_branch_disable(&evtlog_boost_key);
	evtlog_boost_table_free(&evtlog_boosts);
}

/**
 * evtlog_boost_submit() - boost a group from now on
 * @request:	what; copied
 *
 * Takes the place of the order under way: tasks that are not in this group get
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
	WRITE_ONCE(evtlog_boost.ordered, true);
	evtlog_boost.request = *request;
	evtlog_boost.newest++;
	evtlog_boost.order = evtlog_boost.newest;
	evtlog_boost.takes_over = evtlog_boosts.count;
	evtlog_boost.finding = true;
	evtlog_boost.resting = true;
	walks = here->present;
	if (walks)
		WRITE_ONCE(here->walk, true);
	evtlog_boost.error = 0;
	evtlog_boost.held = 0;
	evtlog_boost.ends = ktime_add_ns(now, request->duration_ns);
	hrtimer_start(&boost_timer,
		      ktime_add_ns(now, min_t(u64, request->duration_ns, REST_NS)),
		      HRTIMER_MODE_ABS_HARD);
unlock:
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	/* On a CPU that comes or goes the finder does it all. */
	if (walks)
		evtlog_boost_wake_cpu(smp_processor_id());
	rcu_read_unlock();
	return error;
}

/**
 * evtlog_boost_cancel() - end the order under way now: everybody gets his policy back
 *
 * Context: any but NMI.
 * Return: 0: soon; -EALREADY there is none.
 */
int evtlog_boost_cancel(void)
{
	int error = -EALREADY;
	unsigned long flags;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	if (evtlog_boost.order) {
		evtlog_boost.ends = ktime_get();
		hrtimer_start(&boost_timer, evtlog_boost.ends, HRTIMER_MODE_ABS_HARD);
		error = 0;
	}
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	return error;
}

/** evtlog_boost_show() - what is done, and was, as lines of /proc/evtlog/status */
void evtlog_boost_show(struct seq_file *m)
{
	struct evtlog_boost_counts counts;
	unsigned long flags;
	u32 request;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	counts = evtlog_boost.counts;
	request = evtlog_boost.order ? evtlog_boost.request.request : 0;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	seq_printf(m, "boost_active %u\n", request);
	seq_printf(m, "boost_tasks %u\n", counts.tasks);
	seq_printf(m, "boost_boosted %llu\n", counts.boosted);
	seq_printf(m, "boost_restored %llu\n", counts.restored);
	seq_printf(m, "boost_left %llu\n", counts.left);
	seq_printf(m, "boost_skipped %llu\n", counts.skipped);
}

/**
 * __evtlog_boost_fork() - a new task must not owe its policy to a boost
 * @child:	of current; complete, not yet running
 *
 * While there was no order this is a look at a flag, and while nobody is boosted it takes
 * no lock.
 *
 * Context: current's, interrupts on.
 */
void __evtlog_boost_fork(struct task_struct *child)
{
	struct evtlog_policy before;
	struct evtlog_boosted *entry;
	unsigned long flags;
	bool boosted = false;

	if (!READ_ONCE(evtlog_boost.ordered) || !child->pid)
		return;
	/*
	 * A copy of our policy is seen with the entry that is there as long as anybody has
	 * it: with the lock that each change of the entry, before and after, is under.
	 */
	smp_rmb();
	if (READ_ONCE(evtlog_boosts.count)) {
		raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
		entry = evtlog_boost_table_find(&evtlog_boosts, current);
		boosted = entry && entry->boosted;
		if (boosted)
			before = entry->before;
		raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	}
	evtlog_boost_task_inherit(child, boosted ? &before : NULL);
}
