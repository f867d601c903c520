// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boosts: when they begin, when they end, and the threads that do it.
 *
 * Stage: between remote.c, in the receive softirq, and the scheduler, whose
 * policies can only be changed by a thread.  It does not judge who may order, and
 * leaves the changing to boost_settle.c.
 *
 *	softirq		evtlog_boost_submit() stores the order, wakes a thread
 *			of each CPU
 *	threads		each boosts the first runnable member it finds on its CPU, gives back
 *			what an order before had taken there, and lets it run;
 *			REST_NS later: the others that were last seen there
 *	keeper		SWEEP_NS later: boosts those that had moved meanwhile, reports when
 *			all have what they were to get; at the end of time gives
 *			everybody his policy back
 *
 * Threads and keeper stand above the group: all they do at first, its first run waits for.
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

/* @ringing: the timer has rung for the task */
static struct {
	struct hrtimer timer;
	bool ringing;
	struct task_struct *task;
} keeper;

static DEFINE_PER_CPU(struct task_struct *, boost_thread);

/*
 * A thread's.
 * @seen:	number of the last order it has begun
 * @more:	others of that order are left on this CPU
 * @rest:	the timer has rung for them
 */
struct boost_cpu {
	u64 seen;
	bool more;
	bool rest;
};

static DEFINE_PER_CPU(struct boost_cpu, boost_cpu);

/* On while boosts are possible at all: see __evtlog_boost_fork(). */
DEFINE_STATIC_KEY_FALSE(evtlog_boost_key);

static int thread_should_run(unsigned int cpu)
{
	struct boost_cpu *mine = per_cpu_ptr(&boost_cpu, cpu);

	return READ_ONCE(evtlog_boost.newest) != mine->seen || READ_ONCE(mine->rest);
}

static void thread_run(unsigned int cpu)
{
	struct boost_cpu *mine = per_cpu_ptr(&boost_cpu, cpu);
	struct evtlog_boost_request request;
	unsigned long flags;
	bool first, known;
	u64 order;

	WRITE_ONCE(mine->rest, false);
	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	first = mine->seen != evtlog_boost.newest;
	known = first && evtlog_boost.takes_over;
	mine->seen = evtlog_boost.newest;
	order = evtlog_boost.order;
	request = evtlog_boost.request;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	/* Its time is over: the keeper counts, then gives all back. */
	if (!order)
		return;
	if (evtlog_boost_settle_group(&request, order, cpu, first, known))
		WRITE_ONCE(mine->more, true);
	evtlog_boost_give_back(cpu);
}

static void become_fifo(unsigned int cpu)
{
	struct sched_param param = {
		.sched_priority = EVTLOG_BOOST_THREAD_PRIORITY
	};

	sched_setscheduler_nocheck(current, SCHED_FIFO, &param);
}

static struct smp_hotplug_thread threads = {
	.store = &boost_thread,
	.thread_should_run = thread_should_run,
	.thread_fn = thread_run,
	.setup = become_fifo,
	.thread_comm = "evtlog_boost/%u",
};

static void wake_for_rest(void)
{
	struct boost_cpu *one;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		one = per_cpu_ptr(&boost_cpu, cpu);
		if (!READ_ONCE(one->more))
			continue;
		WRITE_ONCE(one->more, false);
		WRITE_ONCE(one->rest, true);
		wake_up_process(per_cpu(boost_thread, cpu));
	}
}

/* For the threads first, then for the keeper. */
static enum hrtimer_restart ring(struct hrtimer *timer)
{
	ktime_t now = ktime_get();
	unsigned long flags;
	bool for_rest;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	for_rest = evtlog_boost.order && evtlog_boost.resting &&
		   ktime_before(now, evtlog_boost.ends);
	evtlog_boost.resting = false;
	if (for_rest)
		hrtimer_start(timer, ktime_add_ns(now, SWEEP_NS - REST_NS),
			      HRTIMER_MODE_ABS_HARD);
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	if (for_rest) {
		wake_for_rest();
	} else {
		WRITE_ONCE(keeper.ringing, true);
		wake_up_process(keeper.task);
	}
	return HRTIMER_NORESTART;
}

/* Have all members that were found what they were to get? */
static bool all_are_settled(void)
{
	struct evtlog_boosted *entry;

	list_for_each_entry(entry, &evtlog_boosts.used, list) {
		if (entry->busy && entry->order == evtlog_boost.order)
			return false;
	}
	return true;
}

/* Calls back for the order that is finding, with what came of it. */
static void report(int error)
{
	struct evtlog_boost_request request;
	unsigned long flags;
	unsigned int tasks;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	evtlog_boost.finding = false;
	request = evtlog_boost.request;
	if (!error)
		error = evtlog_boost.error;
	tasks = evtlog_boost.held;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	if (request.done)
		request.done(request.request, error, tasks,
			     evtlog_boost_throttles(request.duration_ns));
}

static void look_after(void)
{
	struct evtlog_boost_request request;
	ktime_t next = ktime_add_ns(ktime_get(), SWEEP_NS);
	bool finding, found = false;
	unsigned long flags;
	u64 order, newest;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	if (evtlog_boost.order && !ktime_before(ktime_get(), evtlog_boost.ends))
		evtlog_boost.order = 0;
	order = evtlog_boost.order;
	newest = evtlog_boost.newest;
	finding = evtlog_boost.finding;
	request = evtlog_boost.request;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	if (finding) {
		/* Even if it is too late: is there such a group? */
		evtlog_boost_settle_group(&request, newest, EVTLOG_BOOST_ANY_CPU, false, false);
		raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
		found = !order || all_are_settled();
		raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	}
	if (found)
		report(0);
	evtlog_boost_give_back(EVTLOG_BOOST_ANY_CPU);

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	if (evtlog_boost.order == order && order) {
		if (!evtlog_boost.finding || ktime_before(evtlog_boost.ends, next))
			next = evtlog_boost.ends;
		hrtimer_start(&keeper.timer, next, HRTIMER_MODE_ABS_HARD);
	}
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
}

static int keep(void *unused)
{
	become_fifo(0);
	for (;;) {
		set_current_state(TASK_IDLE);
		if (kthread_should_stop())
			break;
		if (!xchg(&keeper.ringing, false)) {
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		look_after();
	}
	__set_current_state(TASK_RUNNING);
	if (evtlog_boost.finding)
		report(-ECANCELED);
	evtlog_boost_give_back(EVTLOG_BOOST_ANY_CPU);
	return 0;
}

/**
 * evtlog_boost_open() - make orders possible: memory and threads
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
	hrtimer_init(&keeper.timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
	keeper.timer.function = ring;
	keeper.ringing = false;
	keeper.task = kthread_run(keep, NULL, "evtlog_boost");
	if (IS_ERR(keeper.task)) {
		error = PTR_ERR(keeper.task);
		goto free_table;
	}
	error = smpboot_register_percpu_thread(&threads);
	if (error)
		goto stop_keeper;

	static_branch_enable(&evtlog_boost_key);
	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	evtlog_boost.open = true;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	return 0;

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

	/* Who saw it open may still be waking threads; nobody sets a timer anew. */
	synchronize_rcu();
	hrtimer_cancel(&keeper.timer);
	smpboot_unregister_percpu_thread(&threads);
	kthread_stop(keeper.task);
	static_branch_disable(&evtlog_boost_key);
	evtlog_boost_table_free(&evtlog_boosts);
}

static void wake_threads(void)
{
	unsigned int cpu, here = smp_processor_id();
	struct task_struct *thread;

	for_each_online_cpu(cpu) {
		thread = per_cpu(boost_thread, cpu);
		if (thread && cpu != here)
			wake_up_process(thread);
	}
	thread = per_cpu(boost_thread, here);
	if (thread)
		wake_up_process(thread);
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
	ktime_t now = ktime_get();
	unsigned long flags;
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
	evtlog_boost.request = *request;
	evtlog_boost.newest++;
	evtlog_boost.order = evtlog_boost.newest;
	evtlog_boost.takes_over = evtlog_boosts.count;
	evtlog_boost.finding = true;
	evtlog_boost.resting = true;
	evtlog_boost.error = 0;
	evtlog_boost.held = 0;
	evtlog_boost.ends = ktime_add_ns(now, request->duration_ns);
	hrtimer_start(&keeper.timer,
		      ktime_add_ns(now, min_t(u64, request->duration_ns, REST_NS)),
		      HRTIMER_MODE_ABS_HARD);
unlock:
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	if (!error)
		wake_threads();
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
		hrtimer_start(&keeper.timer, evtlog_boost.ends, HRTIMER_MODE_ABS_HARD);
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
}

/**
 * __evtlog_boost_fork() - a new task must not owe its policy to a boost
 * @child:	of current; complete, not yet running
 *
 * Context: current's, interrupts on.
 */
void __evtlog_boost_fork(struct task_struct *child)
{
	struct evtlog_policy before;
	struct evtlog_boosted *entry;
	unsigned long flags;
	bool boosted;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	entry = evtlog_boost_table_find(&evtlog_boosts, current);
	boosted = entry && entry->boosted;
	if (boosted)
		before = entry->before;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);
	evtlog_boost_task_inherit(child, boosted ? &before : NULL);
}
