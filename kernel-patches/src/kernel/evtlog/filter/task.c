// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters: what they ask of the current task and its CPU.
 *
 * Called by the interpreter, and by the code for `tree==` alone, which finds the rest by the
 * offsets that are told here.
 */
#include <linux/cgroup.h>
#include <linux/context_tracking_irq.h>
#include <linux/init.h>
#include <linux/kernfs.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "filter/tree.h"
#ifdef CONFIG_EVTLOG_SAMPLER
#include "lineage/lineage.h"
#endif

/* So far up is looked for an ancestor: the time with interrupts off is bounded. */
#define ANCESTORS_MAX	256

struct evtlog_filter_task evtlog_filter_current __ro_after_init;

#ifdef EVTLOG_FILTER_HAS_CODE
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

/* Where no tree can be marked, none is. */
static u32 trees_of_current(void)
{
#ifdef CONFIG_EVTLOG_SAMPLER
	return READ_ONCE(current->evtlog_trees);
#else
	return 0;
#endif
}

/**
 * evtlog_filter_task_value() - a value that no slot holds
 * @special:	enum filter_special
 *
 * Context: any.
 * Return: the value; how many of its bits mean something is the filter's matter.
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
 * evtlog_filter_pids_are_global() - are the caller's pids those that events have?
 *
 * Context: task context, of the process that writes a filter.
 * Return: false in a pid namespace other than the first, where the same number is another task.
 */
bool evtlog_filter_pids_are_global(void)
{
	return task_active_pid_ns(current) == &init_pid_ns;
}

/**
 * evtlog_filter_task_comm() - the current task's name
 *
 * Context: any.  The task, or another one, may be changing it.
 * Return: the name, whose last character is NUL.
 */
const char *evtlog_filter_task_comm(void)
{
	return current->comm;
}

/*
 * With preemption off RCU keeps what is found until task_reading_ends(), if it counts this CPU: not so at
 * the border of user mode with nohz_full.  Returns whether it does.
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
#ifdef CONFIG_EVTLOG_SAMPLER
	return evtlog_lineage_has(task, pid, is_in);
#else
	return false;
#endif
}

/**
 * evtlog_filter_task_in_tree() - is the current task of a process's tree?
 * @pid:	in the first namespace: of a process, or of the task itself
 *
 * If the tree is marked (/proc/evtlog/trees, or the sampler's), by fork: children whose parent died
 * stay.  Else a child of a process that died belongs to the process that took it.
 *
 * Context: any.
 * Return: whether the task has the tree's mark; without one, whether @pid is the task, its
 * process, or one of the first 256 above it.
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
 * evtlog_filter_task_in_cgroup() - is the current task in a cgroup, or in one below it?
 * @number:	of the cgroup, as stat() of its directory has it, in the default hierarchy
 *
 * Context: any.
 * Return: whether it is; false without cgroups.
 */
bool evtlog_filter_task_in_cgroup(u64 number)
{
	bool found = false;
#ifdef CONFIG_CGROUPS
	bool is_watched = task_reading_begins();
	/* The set that the task had, if it is moved now; a task never is without one. */
	const struct cgroup *cgroup = rcu_dereference_raw(current->cgroups)->dfl_cgrp;
	int level;

	for (level = cgroup->level; !found && level >= 0; level--)
		found = cgroup_id(cgroup->ancestors[level]) == number;
	task_reading_ends(is_watched);
#endif
	return found;
}

/**
 * evtlog_filter_tree_is_there() - can any task belong to the tree of this pid?
 * @pid:	in the first namespace: of a process, of a task, or of a marked tree
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
