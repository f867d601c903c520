/* SPDX-License-Identifier: GPL-2.0-only */
/* The record of a context switch, for runs and named buffers; and the record of a task */
#ifndef EVTLOG_HOOKS_SCHED_H
#define EVTLOG_HOOKS_SCHED_H

#include <linux/build_bug.h>
#include <linux/sched.h>
#include <linux/threads.h>
#include <uapi/linux/evtlog.h>

void evtlog_task_tell(struct task_struct *p);

/* States whose lowest two bits are their code: R, S and D with their modifiers */
#define EVTLOG_PLAIN_STATES	(TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE | \
				 TASK_WAKEKILL | TASK_FREEZABLE)

/* Sums, because the compiler computes two of them in one instruction */
static __always_inline u32 evtlog_switch_tag_to(u32 pid, u32 state)
{
	BUILD_BUG_ON(PID_MAX_LIMIT > 1 << EVTLOG_PID_BITS);
	return (pid << EVTLOG_TYPE_BITS) +
	       (state << (EVTLOG_TYPE_BITS + EVTLOG_PID_BITS)) + EVTLOG_SCHED_SWITCH;
}

static __always_inline u32 evtlog_switch_tag(const struct task_struct *next, u32 state)
{
	return evtlog_switch_tag_to(next->pid, state);
}

/* @prev_state: of EVTLOG_PLAIN_STATES */
static __always_inline u32 evtlog_switch_plain_state(unsigned int prev_state, bool preempt)
{
	u32 state = prev_state & (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE);

	BUILD_BUG_ON(TASK_INTERRUPTIBLE != 1 || TASK_UNINTERRUPTIBLE != 2);
	if (preempt)
		state = EVTLOG_STATE_PREEMPTED;
	return state;
}

/* Handles rare states too, by the same rule as the scheduler's tracepoint. */
static inline u32 evtlog_switch_any_state(unsigned int prev_state, bool preempt)
{
	/* The reaper of a dead task changes it, perhaps before that task has switched away. */
	return preempt ? EVTLOG_STATE_PREEMPTED :
			 __task_state_index(prev_state, READ_ONCE(current->exit_state));
}

#endif /* EVTLOG_HOOKS_SCHED_H */
