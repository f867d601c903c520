/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks outside the tree that a run records: the run records nothing about them.
 *
 * For hooks, and for buffer headers.  In a run of all tasks, no task is outside.
 */
#ifndef EVTLOG_OUTSIDE_H
#define EVTLOG_OUTSIDE_H

#include <linux/evtlog.h>
#include <linux/sched.h>

#include "publish.h"

/**
 * evtlog_is_outside() - return true if a task is outside the tree that runs record
 *
 * Context: any.
 */
static __always_inline bool evtlog_is_outside(const struct task_struct *task)
{
	u32 trees = READ_ONCE(evtlog_run_trees);

	return trees && !(evtlog_task_trees(task) & trees);
}

/**
 * evtlog_pid_told() - return a task's pid as runs record it
 *
 * Context: any.
 * Return: the pid; 0 if the task is outside the run's tree.
 */
static __always_inline u32 evtlog_pid_told(const struct task_struct *task)
{
	return evtlog_is_outside(task) ? 0 : task->pid;
}

#endif /* EVTLOG_OUTSIDE_H */
