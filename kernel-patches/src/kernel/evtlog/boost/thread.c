// SPDX-License-Identifier: GPL-2.0-only
/*
 * The boost thread of each CPU: walks a group, and changes the members on its CPU.
 *
 * Woken by boost/boost.c for a command, and by visitors for members (boost/apply.c).  Decides
 * neither which tasks are boosted nor for how long.
 */
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/smpboot.h>
#include <uapi/linux/sched/types.h>

#include "boost/state.h"

DEFINE_PER_CPU(struct evtlog_boost_cpu, evtlog_boost_cpu);

static DEFINE_PER_CPU(struct task_struct *, boost_thread);

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
	u64 command;

	raw_spin_lock_irqsave(&evtlog_boost.lock, flags);
	/* If the time is over, the keeper gives all policies back. */
	walk = mine->walk && evtlog_boost.command;
	WRITE_ONCE(mine->walk, false);
	known = evtlog_boost.takes_over;
	command = evtlog_boost.command;
	request = evtlog_boost.request;
	raw_spin_unlock_irqrestore(&evtlog_boost.lock, flags);

	if (walk)
		evtlog_boost_apply_group(&request, command, EVTLOG_BOOST_FIRST, cpu, known);
	evtlog_boost_apply_cpu(cpu);
	if (walk && known) {
		evtlog_boost_give_back(cpu);
		evtlog_boost_apply_cpu(cpu);
	}
}

/**
 * evtlog_boost_wake_cpu() - wake a CPU's thread
 * @cpu:	EVTLOG_BOOST_NO_CPU: no thread is woken
 *
 * Context: any but NMI, under RCU: evtlog_boost_close() waits for it before the threads end.
 */
void evtlog_boost_wake_cpu(int cpu)
{
	struct task_struct *thread;

	if (cpu == EVTLOG_BOOST_NO_CPU)
		return;
	thread = per_cpu(boost_thread, cpu);
	if (thread)
		wake_up_process(thread);
}

/**
 * evtlog_boost_become_fifo() - give current the priority of boost threads
 *
 * Context: task context.
 */
void evtlog_boost_become_fifo(void)
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
	evtlog_boost_become_fifo();
	thread_is_present(cpu);
}

/* Does the work that was given to the thread; from now on it gets no more. */
static void thread_leaves(unsigned int cpu)
{
	set_present(cpu, false);
	evtlog_boost_apply_cpu(cpu);
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

/**
 * evtlog_boost_threads_open() - start a thread for each CPU that is or comes online
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int evtlog_boost_threads_open(void)
{
	struct evtlog_boost_cpu *one;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		one = per_cpu_ptr(&evtlog_boost_cpu, cpu);
		INIT_LIST_HEAD(&one->todo);
		one->present = false;
		one->walk = false;
	}
	return smpboot_register_percpu_thread(&threads);
}

/**
 * evtlog_boost_threads_close() - end the threads
 *
 * Context: may sleep; the work that was given to them is done.
 */
void evtlog_boost_threads_close(void)
{
	smpboot_unregister_percpu_thread(&threads);
}
