// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scheduler's events: context switch, waking, migration.
 *
 * Called from kernel/sched/core.c through linux/evtlog.h, most of them under run-queue locks.  This
 * is the hottest code of evtlog.
 */
#define __evtlog_hook	/* hot here, cold to callers: see linux/evtlog.h */

#include <linux/evtlog.h>
#include <linux/static_call.h>

#include "hooks/sched.h"
#include "outside.h"
#include "ring.h"

/* Slow path: the ring is full or the state is rare. */
static noinline __cold void switch_slowly(struct task_struct *next, unsigned int prev_state,
					  bool preempt)
{
	evtlog_write_irqoff(evtlog_switch_tag(next, evtlog_switch_any_state(prev_state, preempt)));
}

/**
 * __evtlog_sched_switch() - the CPU switches from the current task to another
 * @next:	the task to run
 * @prev_state:	the state in which the current task leaves
 * @preempt:	the current task is preempted
 *
 * The record does not contain the previous task: it is the task of the previous switch, or of the
 * buffer's header.  The parameters are in the order of their use.
 *
 * Context: __schedule(), run queue locked, interrupts off.
 */
void __evtlog_sched_switch(struct task_struct *next, unsigned int prev_state,
			   bool preempt)
{
	u64 *pos = this_cpu_read(evtlog_ring.pos);
	u32 state, tag;

	if (unlikely(evtlog_ring_is_full(pos))) {
		if (evtlog_ring_is_idle())
			return;
		goto slowly;
	}
	if (unlikely(prev_state & ~EVTLOG_PLAIN_STATES))
		goto slowly;
	state = evtlog_switch_plain_state(prev_state, preempt);
	tag = evtlog_switch_tag(next, state);
	if (unlikely(!evtlog_try_write_at_irqoff(pos, tag)))
		evtlog_ring_slow(this_cpu_ptr(&evtlog_ring), tag, 1);
	return;
slowly:
	switch_slowly(next, prev_state, preempt);
}
DEFINE_STATIC_CALL(evtlog_sched_switch, __evtlog_sched_switch);

/**
 * __evtlog_sched_switch_tree() - as __evtlog_sched_switch(), in a run of one tree
 * @next:	the task to run
 * @prev_state:	the state in which the current task leaves
 * @preempt:	the current task is preempted
 *
 * One of the two tasks belongs to the tree: a filter has checked this.  A task outside the tree is
 * recorded like an idle task, with pid 0 and state running.
 *
 * Context: as __evtlog_sched_switch().
 */
void __evtlog_sched_switch_tree(struct task_struct *next, unsigned int prev_state, bool preempt)
{
	u32 pid = evtlog_pid_told(next), state = 0;

	if (!evtlog_is_outside(current))
		state = prev_state & ~EVTLOG_PLAIN_STATES ?
			evtlog_switch_any_state(prev_state, preempt) :
			evtlog_switch_plain_state(prev_state, preempt);
	evtlog_write_irqoff(evtlog_switch_tag_to(pid, state));
}

/**
 * __evtlog_sched_waking() - a task is about to be made runnable
 * @p:		the task
 *
 * Context: the waker's, any but NMI; @p's pi_lock is held or @p is current.
 */
void __evtlog_sched_waking(struct task_struct *p)
{
	evtlog_write(EVTLOG_TAG(EVTLOG_SCHED_WAKING, p->pid));
}
DEFINE_STATIC_CALL(evtlog_sched_waking, __evtlog_sched_waking);

/**
 * __evtlog_sched_wakeup_new() - a new task was put on a run queue
 * @p:		the task, with its CPU chosen
 *
 * Context: task context, run queue locked.
 */
void __evtlog_sched_wakeup_new(struct task_struct *p)
{
	unsigned long flags;
	u64 *record;

	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_SCHED_WAKEUP_NEW,
						  p->pid), 2);
	if (record)
		record[1] = task_cpu(p) | (u64)(u32)p->prio << 32;
	raw_local_irq_restore(flags);
}
DEFINE_STATIC_CALL(evtlog_sched_wakeup_new, __evtlog_sched_wakeup_new);

/**
 * __evtlog_sched_migrate_task() - a task moves to another CPU
 * @p:		the task, task_cpu() is still the old CPU
 * @dest_cpu:	the new CPU
 *
 * Context: @p's pi_lock or run queue is locked.
 */
void __evtlog_sched_migrate_task(struct task_struct *p, int dest_cpu)
{
	unsigned long flags;
	u64 *record;

	raw_local_irq_save(flags);
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_SCHED_MIGRATE_TASK,
						  p->pid), 2);
	if (record)
		record[1] = task_cpu(p) | (u64)(u32)dest_cpu << 32;
	raw_local_irq_restore(flags);
}
DEFINE_STATIC_CALL(evtlog_sched_migrate_task, __evtlog_sched_migrate_task);
