/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks that are outside of the tree that a run is of, and what the run tells of them: nothing.
 *
 * For hooks, and for the headers of buffers.  A run of all tasks has nobody outside.
 */
#ifndef EVTLOG_OUTSIDE_H
#define EVTLOG_OUTSIDE_H

#include <linux/evtlog.h>
#include <linux/sched.h>

#include "publish.h"

/**
 * evtlog_is_outside() - is a task none of the tree that runs are of?
 *
 * Context: any.
 */
static __always_inline bool evtlog_is_outside(const struct task_struct *task)
{
	u32 trees = READ_ONCE(evtlog_run_trees);

	return trees && !(evtlog_task_trees(task) & trees);
}

/**
 * evtlog_pid_told() - a task's pid, as a run tells it
 *
 * Context: any.
 * Return: the pid; 0 outside of the run's tree.
 */
static __always_inline u32 evtlog_pid_told(const struct task_struct *task)
{
	return evtlog_is_outside(task) ? 0 : task->pid;
}

#endif /* EVTLOG_OUTSIDE_H */
