// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters: properties of the current task and its CPU.
 *
 * Called by the interpreter, and by machine code only for `tree==` and `cgroup==`.  For all other
 * values, the code uses the offsets from this file.
 */
#include <linux/cgroup.h>
#include <linux/context_tracking_irq.h>
#include <linux/evtlog.h>
#include <linux/init.h>
#include <linux/kernfs.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "filter/tree.h"
#if defined(CONFIG_EVTLOG_SAMPLER) || defined(MODULE)
#include "lineage/lineage.h"
#endif

/* Limit of the search for an ancestor, because interrupts are off. */
#define ANCESTORS_MAX	256

struct evtlog_filter_task evtlog_filter_current __ro_after_init;

#if defined(EVTLOG_FILTER_HAS_CODE) && !defined(MODULE)
static int __init find_offsets(void)
{
	struct evtlog_filter_task *t = &evtlog_filter_current;

	t->cpu = (s32)(unsigned long)&cpu_number;
	t->current_task = (s32)(unsigned long)&current_task;
	t->pid = offsetof(struct task_struct, pid);
	t->tgid = offsetof(struct task_struct, tgid);
	t->prio = offsetof(struct task_struct, prio);
	t->comm = offsetof(struct task_struct, comm);
#ifdef CONFIG_EVTLOG_SAMPLER
	t->trees = offsetof(struct task_struct, evtlog_trees);
#endif
	t->tree = evtlog_filter_task_in_tree;
	t->cgroup = evtlog_filter_task_in_cgroup;
	BUILD_BUG_ON(TASK_COMM_LEN != FILTER_COMM_LEN);
	return 0;
}
early_initcall(find_offsets);
#endif

/* 0 in a kernel without trees. */
static u32 trees_of_current(void)
{
	return evtlog_task_trees(current);
}

/**
 * evtlog_filter_task_value() - return a value that is in no slot
 * @special:	enum filter_special
 *
 * Context: any.
 * Return: the value; the filter uses only the bits of its width.
 */
u64 evtlog_filter_task_value(unsigned int special)
{
	switch (special) {
	case FILTER_CPU:
		return raw_smp_processor_id();
	case FILTER_PID:
		return current->pid;
	case FILTER_TGID:
		return current->tgid;
	case FILTER_PRIO:
		return current->prio;
	default:
		return trees_of_current();
	}
}

/**
 * evtlog_filter_pids_are_global() - check whether the caller's pids are the pids in events
 *
 * Context: task context, of the process that writes a filter.
 * Return: false in a pid namespace other than the first, where a pid belongs to another task.
 */
bool evtlog_filter_pids_are_global(void)
{
	return task_active_pid_ns(current) == &init_pid_ns;
}

/**
 * evtlog_filter_task_comm() - return the current task's name
 *
 * Context: any.  This task, or another task, may be changing the name.
 * Return: the name; its last character is NUL.
 */
const char *evtlog_filter_task_comm(void)
{
	return current->comm;
}

/*
 * With preemption off, RCU protects what is found until task_reading_ends(), but only if it watches
 * this CPU: not at the boundary of user mode with nohz_full.  Returns true if it does.
 */
static bool task_reading_begins(void)
{
	bool is_watched;

	preempt_disable_notrace();
	is_watched = rcu_is_watching();
	if (!is_watched)
		ct_nmi_enter();
	return is_watched;
}

static void task_reading_ends(bool is_watched)
{
	if (!is_watched)
		ct_nmi_exit();
	preempt_enable_notrace();
}

static bool has_mark(const struct task_struct *task, u32 pid, bool *is_in)
{
#if defined(CONFIG_EVTLOG_SAMPLER) || defined(MODULE)
	return evtlog_lineage_has(task, pid, is_in);
#else
	return false;
#endif
}

/**
 * evtlog_filter_task_in_tree() - check whether the current task is in a process's tree
 * @pid:	pid of a process, or of the task itself, in the first namespace
 *
 * A marked tree (/proc/evtlog/trees, or the sampler's) grows by fork: children whose parent died
 * stay in it.  In other trees, such a child belongs to the process that adopted it.
 *
 * Context: any.
 * Return: true if the task has the tree's mark.  Without a mark: true if @pid is the task, its
 * process, or one of the first 256 processes above it.
 */
bool evtlog_filter_task_in_tree(u32 pid)
{
	const struct task_struct *task = current, *parent;
	bool found = task->pid == pid, is_watched;
	unsigned int i;

	if (has_mark(task, pid, &found))
		return found;
	is_watched = task_reading_begins();
	for (i = 0; !found && i < ANCESTORS_MAX; i++) {
		found = task->tgid == pid;
		parent = rcu_dereference_raw(task->real_parent);
		if (parent == task)
			break;
		task = parent;
	}
	task_reading_ends(is_watched);
	return found;
}

/**
 * evtlog_filter_task_in_cgroup() - check whether the current task is in a cgroup or below it
 * @number:	number of the cgroup in the default hierarchy: inode number of its directory
 *
 * Context: any.
 * Return: true if it is; false without cgroups.
 */
bool evtlog_filter_task_in_cgroup(u64 number)
{
	bool found = false;
#ifdef CONFIG_CGROUPS
	bool is_watched = task_reading_begins();
	/* The old set, if the task is being moved; a task always has a set. */
	const struct cgroup *cgroup = rcu_dereference_raw(current->cgroups)->dfl_cgrp;
	int level;

	for (level = cgroup->level; !found && level >= 0; level--)
		found = cgroup_id(cgroup->ancestors[level]) == number;
	task_reading_ends(is_watched);
#endif
	return found;
}

/**
 * evtlog_filter_tree_is_there() - check whether any task can belong to the tree of a pid
 * @pid:	pid of a process, a task, or a marked tree, in the first namespace
 *
 * Context: task context.
 */
bool evtlog_filter_tree_is_there(u32 pid)
{
	bool is_in;

	if (has_mark(current, pid, &is_in))
		return true;
	rcu_read_lock();
	is_in = !pid || (pid <= PID_MAX_LIMIT &&
			 pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID));
	rcu_read_unlock();
	return is_in;
}
