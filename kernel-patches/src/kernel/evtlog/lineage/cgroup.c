// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cgroups of trees: the tasks in a cgroup, and in the cgroups below it, have the tree's mark.
 * Tasks that enter later get it.  A task that leaves keeps it.
 *
 * A task enters through cgroup_attach_task(), or clone3(CLONE_INTO_CGROUP) creates it there.  All
 * other children inherit the mark, see mark.c.
 */
#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/percpu-rwsem.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <trace/events/cgroup.h>
#include <trace/events/task.h>

#include "lineage/lineage.h"

struct followed {
	struct list_head list;
	struct rcu_head rcu;
	struct cgroup *cgroup;
	u32 bit;
};

/* Guards changes of the list, which tracepoints read under RCU. */
static DEFINE_MUTEX(followed_lock);
static LIST_HEAD(followed);

static u32 bits_of(struct cgroup *cgroup)
{
	const struct followed *f;
	u32 bits = 0;

	list_for_each_entry_rcu(f, &followed, list) {
		if (cgroup_is_descendant(cgroup, f->cgroup))
			bits |= f->bit;
	}
	return bits;
}

/* No thread is created or exits during this. */
static void task_attached(void *unused, struct cgroup *cgroup, const char *path,
			  struct task_struct *leader, bool is_process)
{
	struct task_struct *task = leader;
	u32 bits;

	rcu_read_lock();
	bits = bits_of(cgroup);
	do {
		if (bits)
			evtlog_lineage_mark(task, bits, false);
	} while (bits && is_process && (task = next_thread(task)) != leader);
	rcu_read_unlock();
}

/* Only in the default hierarchy can a child be in another cgroup than its parent. */
static void task_made(void *unused, struct task_struct *child, unsigned long flags)
{
	rcu_read_lock();
	if (child->pid)
		evtlog_lineage_mark(child, bits_of(task_dfl_cgroup(child)), true);
	rcu_read_unlock();
}

static int watch_entries(void)
{
	int error = register_trace_cgroup_attach_task(task_attached, NULL);

	if (error)
		return error;
	error = register_trace_task_newtask(task_made, NULL);
	if (error)
		unregister_trace_cgroup_attach_task(task_attached, NULL);
	return error;
}

/*
 * Forks and moves wait for the locks.  Each of them is complete, and found here, or it begins after
 * its parent has been marked and the cgroup is in the list.  A thread that moves itself waits for
 * the first one alone.  Moves in other hierarchies must wait, too: the iterator would miss a task
 * that joins a set of cgroups which it has passed.
 */
static void mark_members(struct cgroup *cgroup, u32 bit)
{
	struct cgroup_subsys_state *css;
	struct css_task_iter iter;
	struct task_struct *task;

	cgroup_lock();
	percpu_down_write(&cgroup_threadgroup_rwsem);
	rcu_read_lock();
	css_for_each_descendant_pre(css, &cgroup->self) {
		css_task_iter_start(css, 0, &iter);
		while ((task = css_task_iter_next(&iter)))
			evtlog_lineage_mark(task, bit, false);
		css_task_iter_end(&iter);
	}
	rcu_read_unlock();
	percpu_up_write(&cgroup_threadgroup_rwsem);
	cgroup_unlock();
}

/**
 * evtlog_cgroup_follow() - add a cgroup to a tree
 * @fd:		descriptor of the cgroup's directory, in the current process
 * @bit:	of the tree, which the caller holds
 *
 * Context: task context, may sleep.
 * Return: 0; -EBADF: @fd is not a cgroup's directory; -ENODEV: it was removed; -ENOMEM.
 */
int evtlog_cgroup_follow(int fd, u32 bit)
{
	struct cgroup *cgroup = cgroup_v1v2_get_from_fd(fd);
	struct followed *f;
	int error = -ENOMEM;

	if (IS_ERR(cgroup))
		return PTR_ERR(cgroup);
	mutex_lock(&followed_lock);
	f = kmalloc(sizeof(*f), GFP_KERNEL);
	if (f)
		error = list_empty(&followed) ? watch_entries() : 0;
	if (!error) {
		*f = (struct followed){ .cgroup = cgroup, .bit = bit };
		list_add_rcu(&f->list, &followed);
		mark_members(cgroup, bit);
	} else {
		kfree(f);
		cgroup_put(cgroup);
	}
	mutex_unlock(&followed_lock);
	return error;
}

/**
 * evtlog_cgroup_leave() - remove all cgroups from a tree
 * @bit:	of the tree
 *
 * After a grace period no task gets the mark any more.
 *
 * Context: task context, may sleep.
 */
void evtlog_cgroup_leave(u32 bit)
{
	struct followed *f, *next;

	mutex_lock(&followed_lock);
	list_for_each_entry_safe(f, next, &followed, list) {
		if (f->bit != bit)
			continue;
		list_del_rcu(&f->list);
		/* A cgroup is freed after a grace period, too. */
		cgroup_put(f->cgroup);
		kfree_rcu(f, rcu);
		if (list_empty(&followed)) {
			unregister_trace_cgroup_attach_task(task_attached, NULL);
			unregister_trace_task_newtask(task_made, NULL);
		}
	}
	mutex_unlock(&followed_lock);
}
