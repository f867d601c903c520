/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU goes from a task to another: the one leaves what it is in, the other's waits are charged.
 *
 * Called by hooks.c.  What is not as it was at the task's last switch is switch.c's.
 */
#ifndef EVTLOG_PROFILE_SWITCH_H
#define EVTLOG_PROFILE_SWITCH_H

#include "profile/tree.h"

void evtlog_profile_leave_cpu(struct evtlog_profile *p);
void evtlog_profile_adopt(struct evtlog_profile *p, unsigned int cpu, u64 now);
void evtlog_profile_run(struct evtlog_profile *p, unsigned int cpu, u64 now);
void evtlog_profile_come_slowly(struct evtlog_profile *next, u64 now);
void evtlog_profile_switch_slowly(struct evtlog_profile *next, unsigned int off_event, u64 now);

/* A wait that is over: no CPU's time, and the task's own. */
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

/* @next comes, and is in @top. */
static __always_inline void evtlog_profile_task_on(struct evtlog_profile *next,
					      struct evtlog_profile_node *top, u64 now)
{
	evtlog_profile_resume(top, now);
	this_cpu_write(evtlog_profile_cpu.current_profile, next);
	this_cpu_write(evtlog_profile_cpu.top, top);
}

/**
 * evtlog_profile_switch() - the CPU goes from the current task to another
 * @next:	the other's profile; NULL: it has none
 * @off_event:	how the current task leaves: EVTLOG_PROFILE_PREEMPTED or a _BLOCKED
 * @now:	in ticks
 *
 * A task most often comes back to where it ran last, and has waited in what it waited in last:
 * nothing of it is written before that is known.
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
		/* Not asleep for readers: pairs with copy_sleeping(). */
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
