/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traces: the last events of a task, in a ring of the task's own.
 *
 * Filled by the hooks of profiles, after a static key: if no task has a trace, this costs a NOP.
 */
#ifndef EVTLOG_PROFILE_TRACE_H
#define EVTLOG_PROFILE_TRACE_H

#include <linux/evtlog.h>
#include <linux/mutex.h>

#include "profile/tree.h"

struct proc_ops;
struct task_struct;

/*
 * enum evtlog_profile_trace_kind - kinds of events in a trace
 * @EVTLOG_PROFILE_TRACE_ENTER: the task enters the event
 * @EVTLOG_PROFILE_TRACE_LEAVE: the event ended
 * @EVTLOG_PROFILE_TRACE_USER: the task goes to user mode; there is no event
 * @EVTLOG_PROFILE_TRACE_OFF: the task leaves its CPU; the event is the kind of wait
 * @EVTLOG_PROFILE_TRACE_ON: the task comes to the CPU; there is no event
 */
enum evtlog_profile_trace_kind {
	EVTLOG_PROFILE_TRACE_ENTER,
	EVTLOG_PROFILE_TRACE_LEAVE,
	EVTLOG_PROFILE_TRACE_USER,
	EVTLOG_PROFILE_TRACE_OFF,
	EVTLOG_PROFILE_TRACE_ON,
};

DECLARE_STATIC_KEY_FALSE(evtlog_profile_trace_key);

void __evtlog_profile_trace(struct evtlog_profile *p, unsigned int kind, unsigned int event,
			    u64 now);

/* Adds an event of the task with profile @p, which runs on this CPU; interrupts are off. */
static __always_inline void evtlog_profile_trace(struct evtlog_profile *p, unsigned int kind,
						 unsigned int event, u64 now)
{
	if (static_branch_unlikely(&evtlog_profile_trace_key))
		__evtlog_profile_trace(p, kind, event, now);
}

/* The same for the current task.  Its profile is read only if some task has a trace. */
static __always_inline void evtlog_profile_trace_current(unsigned int kind, unsigned int event,
							 u64 now)
{
	if (static_branch_unlikely(&evtlog_profile_trace_key))
		__evtlog_profile_trace(this_cpu_read(evtlog_profile_cpu.current_profile), kind,
				       event, now);
}

void evtlog_profile_trace_inherit(struct task_struct *child, struct evtlog_profile *p,
				  const struct evtlog_profile *parent);
void evtlog_profile_trace_end(const struct task_struct *task, struct evtlog_profile *p);
extern const struct proc_ops evtlog_profile_trace_ops;
/* While it is held, no other task begins or removes traces. */
extern struct mutex evtlog_profile_trace_lock;

#endif /* EVTLOG_PROFILE_TRACE_H */
