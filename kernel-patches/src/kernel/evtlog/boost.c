// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boosts: when they begin, when they end, and the threads that do it.
 *
 * Stage: between remote.c, in the receive softirq, and the scheduler, whose
 * policies can only be changed by a thread.  It does not judge who may order.
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
 *
 * A task is changed by him who made its entry busy, and by nobody else; he goes on
 * until it is as boost.order wants it.  Who changes boost.order looks at all entries
 * that are not busy.  So none is left over, whoever is late.
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

#include "boost.h"
#include "boost_table.h"
#include "boost_task.h"

#define REST_NS		50000
#define SWEEP_NS	200000
#define ANY_CPU		-1

/*
 * @tasks:	boosted now
 * @boosted, @restored: policies changed, and given back, since boot
 * @left:	tasks that were not given theirs back, since boot: they had
 *		taken another meanwhile, or ended
 */
struct counts {
	unsigned int tasks;
	u64 boosted;
	u64 restored;
	u64 left;
};

/*
 * @lock:	guards all below and the table; taken in softirq, inside tasklist_lock
 * @order:	the one under way, 0: none; each has a number of its own
 * @newest:	number of the last order
 * @takes_over:	there were tasks boosted for others when it came
 * @finding:	members are still looked for, and @request's done() is due
 * @resting:	the threads have not been woken again for the rest
 * @error:	the first that the order met
 * @held:	tasks that the last order boosted, or found boosted
 * @ends:	when everybody gets his policy back
 * @ringing:	the timer has rung for the keeper
 */
static struct {
	raw_spinlock_t lock;
	bool open;
	u64 order;
	u64 newest;
	bool takes_over;
	bool finding;
	bool resting;
	int error;
	unsigned int held;
	ktime_t ends;
	struct evtlog_boost_request request;
	struct counts counts;

	struct hrtimer timer;
	bool ringing;
	struct task_struct *keeper;
} boost = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(boost.lock),
};

static struct evtlog_boost_table table;

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

/*
 * One visit to a group.
 * @cpu:	only members last seen there; or ANY_CPU
 * @one:	only one, a runnable one; stops when it knows whether there are more
 * @known:	and all that were boosted before, wherever: they are not to be given back
 * @found:	whom @one is for was found
 * @more:	others were, too
 * @todo:	whom the visitor has made busy
 */
struct visit {
	u64 order;
	u32 request;
	int cpu;
	bool one;
	bool known;
	bool found;
	bool more;
	int error;
	struct list_head todo;
};

static bool is_on(const struct task_struct *task, int cpu)
{
	return cpu == ANY_CPU || task_cpu(task) == cpu;
}

static void make_busy(struct evtlog_boosted *entry, struct list_head *todo)
{
	entry->busy = true;
	list_add_tail(&entry->todo, todo);
}

/* Once for each order: it may be given back before the order is reported. */
static void count_held(struct evtlog_boosted *entry)
{
	if (entry->order != boost.newest || entry->counted == entry->order)
		return;
	entry->counted = entry->order;
	boost.held++;
}

/* @known: only if it is in the table. */
static void claim(struct task_struct *task, struct visit *visit, bool known)
{
	struct evtlog_boosted *entry;
	unsigned long flags;

	raw_spin_lock_irqsave(&boost.lock, flags);
	entry = evtlog_boost_table_find(&table, task);
	if (entry) {
		if (entry->order != visit->order) {
			entry->order = visit->order;
			entry->request = visit->request;
			entry->renew = true;
			if (entry->boosted)
				count_held(entry);
			if (!entry->busy)
				make_busy(entry, &visit->todo);
		}
	} else if (!known && evtlog_boost_task_may(task)) {
		entry = evtlog_boost_table_add(&table, task);
		if (entry) {
			get_task_struct(task);
			entry->order = visit->order;
			entry->request = visit->request;
			make_busy(entry, &visit->todo);
		} else {
			visit->error = -ENOSPC;
		}
	}
	raw_spin_unlock_irqrestore(&boost.lock, flags);
}

static bool visit_task(struct task_struct *task, void *data)
{
	struct visit *visit = data;

	if (visit->known)
		claim(task, visit, true);
	if (!is_on(task, visit->cpu))
		return true;
	if (!visit->one) {
		claim(task, visit, false);
		return true;
	}
	if (visit->found || !task_is_running(task)) {
		visit->more = true;
	} else {
		visit->found = true;
		claim(task, visit, false);
	}
	return visit->known || !visit->found || !visit->more;
}

/*
 * Makes a task what it is wanted to be, as long as that changes.  The entry is
 * ours; the lock is held, and left while the task is changed.
 */
static int settle_locked(struct evtlog_boosted *entry, unsigned long *flags)
{
	bool wanted, ours;
	u32 request;
	int error;

	for (;;) {
		wanted = boost.order && entry->order == boost.order;
		request = entry->request;
		if (wanted && entry->boosted && entry->renew) {
			entry->renew = false;
			raw_spin_unlock_irqrestore(&boost.lock, *flags);
			ours = evtlog_boost_task_is_ours(entry->task,
							 &entry->before);
			if (ours)
				evtlog_boost_task_renew(entry->task, request);
			raw_spin_lock_irqsave(&boost.lock, *flags);
			if (!ours) {
				entry->boosted = false;
				boost.counts.tasks--;
				boost.counts.left++;
			}
		} else if (wanted && !entry->boosted) {
			entry->renew = false;
			/* Told first: it may fork as soon as it has our policy. */
			evtlog_boost_task_policy(entry->task, &entry->before);
			/* It may have changed since it was claimed. */
			if (!evtlog_boost_policy_may(&entry->before))
				return 0;
			entry->boosted = true;
			raw_spin_unlock_irqrestore(&boost.lock, *flags);
			error = evtlog_boost_task_begin(entry->task, request);
			raw_spin_lock_irqsave(&boost.lock, *flags);
			if (error) {
				entry->boosted = false;
				return error;
			}
			boost.counts.tasks++;
			boost.counts.boosted++;
			count_held(entry);
		} else if (!wanted && entry->boosted) {
			raw_spin_unlock_irqrestore(&boost.lock, *flags);
			ours = evtlog_boost_task_end(entry->task, request,
						     &entry->before);
			raw_spin_lock_irqsave(&boost.lock, *flags);
			entry->boosted = false;
			boost.counts.tasks--;
			if (ours)
				boost.counts.restored++;
			else
				boost.counts.left++;
		} else {
			return 0;
		}
	}
}

/* Returns the first error. */
static int settle(struct list_head *todo)
{
	struct evtlog_boosted *entry, *next;
	struct task_struct *gone;
	unsigned long flags;
	int error, first = 0;

	list_for_each_entry_safe(entry, next, todo, todo) {
		gone = NULL;
		list_del_init(&entry->todo);
		raw_spin_lock_irqsave(&boost.lock, flags);
		error = settle_locked(entry, &flags);
		entry->busy = false;
		if (!entry->boosted) {
			gone = entry->task;
			evtlog_boost_table_remove(&table, entry);
		}
		raw_spin_unlock_irqrestore(&boost.lock, flags);
		if (gone)
			put_task_struct(gone);
		if (!first)
			first = error;
	}
	return first;
}

/* Policies back for all that the order under way does not want. */
static void give_back(int cpu)
{
	struct evtlog_boosted *entry;
	unsigned long flags;
	LIST_HEAD(todo);

	raw_spin_lock_irqsave(&boost.lock, flags);
	list_for_each_entry(entry, &table.used, list) {
		if (!entry->busy && entry->order != boost.order &&
		    is_on(entry->task, cpu))
			make_busy(entry, &todo);
	}
	raw_spin_unlock_irqrestore(&boost.lock, flags);
	settle(&todo);
}

/* Returns whether there are members left, because @one was boosted. */
static bool boost_group(const struct evtlog_boost_request *request, u64 order,
			int cpu, bool one, bool known)
{
	struct visit visit = {
		.order = order,
		.request = request->request,
		.cpu = cpu,
		.one = one,
		.known = known,
		.todo = LIST_HEAD_INIT(visit.todo),
	};
	unsigned long flags;
	int error, settled;

	error = evtlog_boost_group_visit(request, visit_task, &visit);
	if (visit.more && !visit.found) {
		/* Nobody waits to run: all at once. */
		visit.one = false;
		visit.more = false;
		error = evtlog_boost_group_visit(request, visit_task, &visit);
	}
	settled = settle(&visit.todo);
	if (!error)
		error = visit.error ? visit.error : settled;
	if (error) {
		raw_spin_lock_irqsave(&boost.lock, flags);
		if (boost.newest == order && !boost.error)
			boost.error = error;
		raw_spin_unlock_irqrestore(&boost.lock, flags);
	}
	return visit.more;
}

static int thread_should_run(unsigned int cpu)
{
	struct boost_cpu *mine = per_cpu_ptr(&boost_cpu, cpu);

	return READ_ONCE(boost.newest) != mine->seen || READ_ONCE(mine->rest);
}

static void thread_run(unsigned int cpu)
{
	struct boost_cpu *mine = per_cpu_ptr(&boost_cpu, cpu);
	struct evtlog_boost_request request;
	unsigned long flags;
	bool first, known;
	u64 order;

	WRITE_ONCE(mine->rest, false);
	raw_spin_lock_irqsave(&boost.lock, flags);
	first = mine->seen != boost.newest;
	known = first && boost.takes_over;
	mine->seen = boost.newest;
	order = boost.order;
	request = boost.request;
	raw_spin_unlock_irqrestore(&boost.lock, flags);

	/* Its time is over: the keeper counts, then gives all back. */
	if (!order)
		return;
	if (boost_group(&request, order, cpu, first, known))
		WRITE_ONCE(mine->more, true);
	give_back(cpu);
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

	raw_spin_lock_irqsave(&boost.lock, flags);
	for_rest = boost.order && boost.resting &&
		   ktime_before(now, boost.ends);
	boost.resting = false;
	if (for_rest)
		hrtimer_start(timer, ktime_add_ns(now, SWEEP_NS - REST_NS),
			      HRTIMER_MODE_ABS_HARD);
	raw_spin_unlock_irqrestore(&boost.lock, flags);

	if (for_rest) {
		wake_for_rest();
	} else {
		WRITE_ONCE(boost.ringing, true);
		wake_up_process(boost.keeper);
	}
	return HRTIMER_NORESTART;
}

/* Have all members that were found what they were to get? */
static bool all_are_settled(void)
{
	struct evtlog_boosted *entry;

	list_for_each_entry(entry, &table.used, list) {
		if (entry->busy && entry->order == boost.order)
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

	raw_spin_lock_irqsave(&boost.lock, flags);
	boost.finding = false;
	request = boost.request;
	if (!error)
		error = boost.error;
	tasks = boost.held;
	raw_spin_unlock_irqrestore(&boost.lock, flags);

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

	raw_spin_lock_irqsave(&boost.lock, flags);
	if (boost.order && !ktime_before(ktime_get(), boost.ends))
		boost.order = 0;
	order = boost.order;
	newest = boost.newest;
	finding = boost.finding;
	request = boost.request;
	raw_spin_unlock_irqrestore(&boost.lock, flags);

	if (finding) {
		/* Even if it is too late: is there such a group? */
		boost_group(&request, newest, ANY_CPU, false, false);
		raw_spin_lock_irqsave(&boost.lock, flags);
		found = !order || all_are_settled();
		raw_spin_unlock_irqrestore(&boost.lock, flags);
	}
	if (found)
		report(0);
	give_back(ANY_CPU);

	raw_spin_lock_irqsave(&boost.lock, flags);
	if (boost.order == order && order) {
		if (!boost.finding || ktime_before(boost.ends, next))
			next = boost.ends;
		hrtimer_start(&boost.timer, next, HRTIMER_MODE_ABS_HARD);
	}
	raw_spin_unlock_irqrestore(&boost.lock, flags);
}

static int keep(void *unused)
{
	become_fifo(0);
	for (;;) {
		set_current_state(TASK_IDLE);
		if (kthread_should_stop())
			break;
		if (!xchg(&boost.ringing, false)) {
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		look_after();
	}
	__set_current_state(TASK_RUNNING);
	if (boost.finding)
		report(-ECANCELED);
	give_back(ANY_CPU);
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

	error = evtlog_boost_table_init(&table, EVTLOG_BOOST_TASKS);
	if (error)
		return error;
	hrtimer_init(&boost.timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
	boost.timer.function = ring;
	boost.ringing = false;
	boost.keeper = kthread_run(keep, NULL, "evtlog_boost");
	if (IS_ERR(boost.keeper)) {
		error = PTR_ERR(boost.keeper);
		goto free_table;
	}
	error = smpboot_register_percpu_thread(&threads);
	if (error)
		goto stop_keeper;

	static_branch_enable(&evtlog_boost_key);
	raw_spin_lock_irqsave(&boost.lock, flags);
	boost.open = true;
	raw_spin_unlock_irqrestore(&boost.lock, flags);
	return 0;

stop_keeper:
	kthread_stop(boost.keeper);
free_table:
	evtlog_boost_table_free(&table);
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

	raw_spin_lock_irqsave(&boost.lock, flags);
	boost.open = false;
	boost.order = 0;
	raw_spin_unlock_irqrestore(&boost.lock, flags);

	/* Who saw it open may still be waking threads; nobody sets a timer anew. */
	synchronize_rcu();
	hrtimer_cancel(&boost.timer);
	smpboot_unregister_percpu_thread(&threads);
	kthread_stop(boost.keeper);
	static_branch_disable(&evtlog_boost_key);
	evtlog_boost_table_free(&table);
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
	raw_spin_lock_irqsave(&boost.lock, flags);
	if (!boost.open)
		error = -ESHUTDOWN;
	else if (boost.finding)
		error = -EBUSY;
	if (error)
		goto unlock;
	boost.request = *request;
	boost.newest++;
	boost.order = boost.newest;
	boost.takes_over = table.count;
	boost.finding = true;
	boost.resting = true;
	boost.error = 0;
	boost.held = 0;
	boost.ends = ktime_add_ns(now, request->duration_ns);
	hrtimer_start(&boost.timer,
		      ktime_add_ns(now, min_t(u64, request->duration_ns, REST_NS)),
		      HRTIMER_MODE_ABS_HARD);
unlock:
	raw_spin_unlock_irqrestore(&boost.lock, flags);
	if (!error)
		wake_threads();
	rcu_read_unlock();
	return error;
}

/** evtlog_boost_show() - what is done, and was, as lines of /proc/evtlog/status */
void evtlog_boost_show(struct seq_file *m)
{
	struct counts counts;
	unsigned long flags;
	u32 request;

	raw_spin_lock_irqsave(&boost.lock, flags);
	counts = boost.counts;
	request = boost.order ? boost.request.request : 0;
	raw_spin_unlock_irqrestore(&boost.lock, flags);

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

	raw_spin_lock_irqsave(&boost.lock, flags);
	entry = evtlog_boost_table_find(&table, current);
	boosted = entry && entry->boosted;
	if (boosted)
		before = entry->before;
	raw_spin_unlock_irqrestore(&boost.lock, flags);
	evtlog_boost_task_inherit(child, boosted ? &before : NULL);
}
