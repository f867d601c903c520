// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signals the logger that a run has begun or a buffer is full, and wakes all pollers.
 *
 * The ring hands buffers over under run-queue locks and must not wake tasks.  An irq_work, at most
 * one pending for each CPU's buffers, wakes them in a context that allows it.
 */
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#include "notify.h"
#include "ring.h"

DECLARE_WAIT_QUEUE_HEAD(evtlog_handed);

/*
 * struct readers - tasks that wait for a CPU's buffers
 * @work:	wakes them
 */
struct readers {
	struct irq_work work;
	struct wait_queue_head queue;
};

static DEFINE_PER_CPU(struct readers, readers);

/* Guards @logger.  Also taken in irq_work, so interrupts must be off. */
static DEFINE_RAW_SPINLOCK(logger_lock);
static struct pid *logger;

static struct pid *logger_get(void)
{
	unsigned long flags;
	struct pid *pid;

	raw_spin_lock_irqsave(&logger_lock, flags);
	pid = get_pid(logger);
	raw_spin_unlock_irqrestore(&logger_lock, flags);
	return pid;
}

static bool is_alive(struct pid *pid)
{
	struct task_struct *task;
	bool alive;

	rcu_read_lock();
	task = pid_task(pid, PIDTYPE_PID);
	alive = task && !READ_ONCE(task->exit_state);
	rcu_read_unlock();
	return alive;
}

/**
 * evtlog_readers_of() - return the wait queue for a CPU's buffers
 * @cpu:	a possible CPU
 */
struct wait_queue_head *evtlog_readers_of(unsigned int cpu)
{
	return &per_cpu_ptr(&readers, cpu)->queue;
}

static void signal_logger(void)
{
	struct pid *pid = logger_get();

	if (!pid)
		return;
	kill_pid(pid, SIGIO, 1);
	put_pid(pid);
}

static void wake(struct wait_queue_head *queue)
{
	__wake_up(queue, TASK_INTERRUPTIBLE, 0, poll_to_key(EPOLLIN | EPOLLRDNORM));
}

/**
 * evtlog_notify() - signal the logger and wake all pollers: a run begins or ends
 *
 * Context: any in which waking is allowed, hard interrupts included.
 */
void evtlog_notify(void)
{
	unsigned int cpu;

	signal_logger();
	for_each_possible_cpu(cpu)
		wake(evtlog_readers_of(cpu));
	wake(&evtlog_handed);
}

static void notify_work_run(struct irq_work *work)
{
	signal_logger();
	wake(&container_of(work, struct readers, work)->queue);
	wake(&evtlog_handed);
}

/* Called by the ring, perhaps with the run queue locked. */
void evtlog_ring_handed_over(struct evtlog_ring *r)
{
	preempt_disable();
	/* On a dying CPU the irq_work would never run, and would block all later ones. */
	if (cpu_online(smp_processor_id()))
		irq_work_queue(&per_cpu_ptr(&readers, r->cpu)->work);
	preempt_enable();
}

/**
 * evtlog_logger_announce() - make a process the logger
 * @nr:		its pid in the caller's pid namespace; 0: there is no logger
 *
 * Context: task context.
 * Return: 0; -ESRCH: no such process; -EBUSY: another live process is announced.
 */
int evtlog_logger_announce(pid_t nr)
{
	struct pid *new = NULL, *old;
	unsigned long flags;

	if (nr) {
		new = find_get_pid(nr);
		if (!new || !is_alive(new)) {
			put_pid(new);
			return -ESRCH;
		}
	}
	raw_spin_lock_irqsave(&logger_lock, flags);
	old = logger;
	if (new && old && old != new && is_alive(old)) {
		raw_spin_unlock_irqrestore(&logger_lock, flags);
		put_pid(new);
		return -EBUSY;
	}
	logger = new;
	raw_spin_unlock_irqrestore(&logger_lock, flags);
	put_pid(old);
	return 0;
}

/**
 * evtlog_logger_pid() - return the announced logger's pid in the caller's pid namespace
 *
 * Return: the pid; 0 if there is no logger, or it is dead.
 */
pid_t evtlog_logger_pid(void)
{
	struct pid *pid = logger_get();
	pid_t nr = 0;

	if (pid && is_alive(pid))
		nr = pid_vnr(pid);
	put_pid(pid);
	return nr;
}

/**
 * evtlog_logger_is_current() - return true if the caller is a thread of the announced logger
 */
bool evtlog_logger_is_current(void)
{
	return READ_ONCE(logger) == task_tgid(current);
}

/**
 * evtlog_notify_init() - prepare the wake-ups of all CPUs
 *
 * Context: once, before any run.
 */
void evtlog_notify_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		init_irq_work(&per_cpu_ptr(&readers, cpu)->work, notify_work_run);
		init_waitqueue_head(evtlog_readers_of(cpu));
	}
}

/* Waits for the work of evtlog_ring_handed_over(), which is not queued any more. */
void evtlog_notify_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(&readers, cpu)->work);
	put_pid(logger);
}

static bool is_short_of_room(unsigned int words)
{
	unsigned long flags;
	bool is_short;

	raw_local_irq_save(flags);
	evtlog_ring_look(this_cpu_ptr(&evtlog_ring));
	is_short = this_cpu_read(evtlog_ring.recording) &&
		   !evtlog_ring_has_place(this_cpu_ptr(&evtlog_ring), words);
	raw_local_irq_restore(flags);
	return is_short;
}

/**
 * evtlog_wait_for_room() - wait for the logger if this CPU has no room for a record
 * @words:	length of the record
 * @until:	time to give up, in jiffies; the record is then lost and counted
 *
 * Context: task context, may sleep.
 */
void evtlog_wait_for_room(unsigned int words, unsigned long until)
{
	while (is_short_of_room(words) && time_before(jiffies, until) && !signal_pending(current))
		schedule_timeout_interruptible(1);
}
