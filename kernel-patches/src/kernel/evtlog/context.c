// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stores what a CPU is doing when a buffer is opened: the task and its context.
 *
 * ring.c calls it for each new buffer, possibly under a run-queue lock.
 */
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "context.h"
#include "outside.h"

/*
 * Returns false if the task is outside the tree of the run.  The run then records neither the task
 * nor what interrupts it, because the end of the interruption is not recorded.
 */
static bool note_task(struct evtlog_buffer_header *h, const struct task_struct *task)
{
	h->begin_pid = 0;
	if (h->flags & EVTLOG_BUFFER_TREE && evtlog_is_outside(task))
		return false;
	h->begin_pid = task->pid;
	/* The task may be renamed meanwhile, as for all readers of names without its lock. */
	data_race(memcpy(h->begin_comm, task->comm, sizeof(h->begin_comm)));
	h->begin_comm[sizeof(h->begin_comm) - 1] = '\0';
	return true;
}

/**
 * evtlog_context_fill() - store the running task and interrupt context
 * @h:		header of the buffer just opened, other members filled in
 *
 * In __schedule() the running task is still the previous one.  This is correct, because the record
 * of the switch comes after this.
 *
 * Context: interrupts off, on the buffer's CPU.
 */
void evtlog_context_fill(struct evtlog_buffer_header *h)
{
	if (!note_task(h, current))
		return;
	if (in_serving_softirq())
		h->context |= EVTLOG_CONTEXT_SOFTIRQ;
	if (in_hardirq())
		h->context |= EVTLOG_CONTEXT_HARDIRQ;
}

/**
 * evtlog_context_softirqs_are_off() - return true if no softirq can begin in the present context
 *
 * A softirq is served or about to be served, or a task has disabled softirqs.
 *
 * Context: interrupts off.
 */
bool evtlog_context_softirqs_are_off(void)
{
	return softirq_count() != 0;
}

/**
 * evtlog_context_fill_other() - store what a CPU runs that had no event in a run
 * @h:		header of a buffer
 * @cpu:	the buffer's CPU; may be this CPU
 *
 * Context: interrupts off.
 */
void evtlog_context_fill_other(struct evtlog_buffer_header *h, unsigned int cpu)
{
	const struct task_struct *task;

	rcu_read_lock();
	/* In __schedule(), other CPUs already see the next task. */
	task = cpu == raw_smp_processor_id() ? current : cpu_curr_snapshot(cpu);
	/* A module may not know it. */
	if (task)
		note_task(h, task);
	rcu_read_unlock();
}
