/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Context switches: the time of the first task ends, and the second task's waits are charged.
 *
 * Called by hooks.c.  switch.c handles everything that differs from the task's last switch.
 */
#ifndef EVTLOG_PROFILE_SWITCH_H
#define EVTLOG_PROFILE_SWITCH_H

#include "profile/tree.h"

void evtlog_profile_leave_cpu(struct evtlog_profile *p);
void evtlog_profile_adopt(struct evtlog_profile *p, unsigned int cpu, u64 now);
void evtlog_profile_run(struct evtlog_profile *p, unsigned int cpu, u64 now);
void evtlog_profile_come_slowly(struct evtlog_profile *next, u64 now);
void evtlog_profile_switch_slowly(struct evtlog_profile *next, unsigned int off_event, u64 now);

/* Adds a wait that is over: it is the task's own time, and no CPU's. */
static __always_inline void evtlog_profile_add_wait(struct evtlog_profile_node *node, u64 ticks)
{
	node->sums.exclusive += ticks;
	evtlog_profile_add(&node->sums, ticks);
}

static __always_inline bool evtlog_profile_is_wait_of(const struct evtlog_profile_node *node,
						      const struct evtlog_profile_node *top,
						      u16 event)
{
	return node->parent == top && (u16)node->key == event;
}

/* The current task leaves its CPU. */
static __always_inline void evtlog_profile_task_off(unsigned int off_event, u64 now)
{
	struct evtlog_profile *p = this_cpu_read(evtlog_profile_cpu.current_profile);
	struct evtlog_profile_node *top = this_cpu_read(evtlog_profile_cpu.top);

	p->top = top;
	evtlog_profile_charge(top, now);
	p->off_event = off_event;
	smp_store_release(&p->off, now);
}

/* @next comes to the CPU, and is in @top. */
static __always_inline void evtlog_profile_task_on(struct evtlog_profile *next,
					      struct evtlog_profile_node *top, u64 now)
{
	evtlog_profile_resume(top, now);
	this_cpu_write(evtlog_profile_cpu.current_profile, next);
	this_cpu_write(evtlog_profile_cpu.top, top);
}

/**
 * evtlog_profile_switch() - the CPU switches from the current task to another
 * @next:	profile of the other task; NULL: it has none
 * @off_event:	how the current task leaves: EVTLOG_PROFILE_PREEMPTED or a _BLOCKED
 * @now:	in ticks
 *
 * Usually a task returns to the CPU where it ran last, after the same kind of wait in the same
 * path.  Nothing of @next is written before this is certain.
 *
 * Context: run queue locked, interrupts off.
 */
static __always_inline void evtlog_profile_switch(struct evtlog_profile *next,
						  unsigned int off_event, u64 now)
{
	struct evtlog_profile_node *top, *wait;
	u64 off, woken;
	u16 event;

	if (unlikely(!next || READ_ONCE(next->cpu) != this_cpu_read(evtlog_profile_cpu.number))) {
		evtlog_profile_switch_slowly(next, off_event, now);
		return;
	}
	evtlog_profile_task_off(off_event, now);
	top = next->top;
	woken = off = next->off;
	event = next->off_event;
	if (event > EVTLOG_PROFILE_PREEMPTED) {
		wait = next->waits[0];
		woken = READ_ONCE(next->woken);
		/* Made runnable before it had left its CPU: it did not block. */
		if ((s64)(woken - off) < 0)
			woken = off;
		if (unlikely(!evtlog_profile_is_wait_of(wait, top, event) ||
			     (s64)(now - woken) < 0))
			goto slowly;
		/* For readers, the task is not asleep any more: pairs with copy_sleeping(). */
		WRITE_ONCE(next->off, 0);
		smp_wmb();
		evtlog_profile_add_wait(wait, woken - off);
		wait = wait->child;
	} else {
		wait = next->waits[1];
		if (unlikely(!evtlog_profile_is_wait_of(wait, top, event) ||
			     (s64)(now - off) < 0))
			goto slowly;
		WRITE_ONCE(next->off, 0);
		smp_wmb();
	}
	evtlog_profile_add_wait(wait, now - woken);
	evtlog_profile_task_on(next, top, now);
	return;
slowly:
	evtlog_profile_come_slowly(next, now);
}

#endif /* EVTLOG_PROFILE_SWITCH_H */
