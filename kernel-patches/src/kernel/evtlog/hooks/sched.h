/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A switch's record, for runs and for named buffers; a task's.
 */
#ifndef EVTLOG_HOOKS_SCHED_H
#define EVTLOG_HOOKS_SCHED_H

#include <linux/build_bug.h>
#include <linux/sched.h>
#include <linux/threads.h>
#include <uapi/linux/evtlog.h>

void evtlog_task_tell(struct task_struct *p);

/* States whose lowest two bits are the code: R, S and D with their modifiers. */
#define EVTLOG_PLAIN_STATES	(TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE | \
				 TASK_WAKEKILL | TASK_FREEZABLE)

/* Sums, for the compiler makes one instruction of two of them. */
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

/* Of EVTLOG_PLAIN_STATES */
static __always_inline u32 evtlog_switch_plain_state(unsigned int prev_state, bool preempt)
{
	u32 state = prev_state & (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE);

	BUILD_BUG_ON(TASK_INTERRUPTIBLE != 1 || TASK_UNINTERRUPTIBLE != 2);
	if (preempt)
		state = EVTLOG_STATE_PREEMPTED;
	return state;
}

/* Those that are rare, too, by the scheduler tracepoint's own rule */
static inline u32 evtlog_switch_any_state(unsigned int prev_state, bool preempt)
{
	/* What reaps a dead task changes the latter, perhaps before it has switched away. */
	return preempt ? EVTLOG_STATE_PREEMPTED :
			 __task_state_index(prev_state, READ_ONCE(current->exit_state));
}

#endif /* EVTLOG_HOOKS_SCHED_H */
