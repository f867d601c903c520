// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cgroups of trees: who is in one of them, or in a cgroup below it, has the tree's mark, and whoever
 * enters later gets it.  A task that leaves keeps it.
 *
 * Tasks enter through cgroup_attach_task(), which has a tracepoint, or are made there by
 * clone3(CLONE_INTO_CGROUP).  All other children inherit the mark, see mark.c, which calls.
 */
#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/percpu-rwsem.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
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

/* Changed under mark.c's lock; read under RCU by tracepoints. */
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

/* Forks of the process and its exec wait meanwhile. */
static void task_attached(void *unused, struct cgroup *cgroup, const char *path,
			  struct task_struct *leader, bool is_process)
{
	struct task_struct *task;
	u32 bits;

	rcu_read_lock();
	bits = bits_of(cgroup);
	if (bits && !is_process)
		evtlog_lineage_mark(leader, bits);
	else if (bits)
		for_each_thread(leader, task)
			evtlog_lineage_mark(task, bits);
	rcu_read_unlock();
}

/* It runs later.  Only the default hierarchy can be cloned into. */
static void task_made(void *unused, struct task_struct *child, unsigned long flags)
{
	u32 bits;

	rcu_read_lock();
	bits = child->pid ? bits_of(task_dfl_cgroup(child)) : 0;
	if (bits)
		evtlog_lineage_mark_new(child, bits);
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
 * Forks and moves wait: each is complete and seen here, or begins behind this and finds its parent marked
 * and the cgroup in the list.  A thread that moves itself does not wait, but changes its cgroup, under the
 * lock that the iterator takes, before it looks at the list.
 */
static void mark_members(struct cgroup *cgroup, u32 bit)
{
	struct cgroup_subsys_state *css;
	struct css_task_iter iter;
	struct task_struct *task;

	percpu_down_write(&cgroup_threadgroup_rwsem);
	rcu_read_lock();
	css_for_each_descendant_pre(css, &cgroup->self) {
		css_task_iter_start(css, 0, &iter);
		while ((task = css_task_iter_next(&iter)))
			evtlog_lineage_mark(task, bit);
		css_task_iter_end(&iter);
	}
	rcu_read_unlock();
	percpu_up_write(&cgroup_threadgroup_rwsem);
}

/**
 * evtlog_cgroup_follow() - a tree has one more cgroup
 * @fd:		of the cgroup's directory, of the current process
 * @bit:	of the tree
 *
 * Context: task context, may sleep; mark.c's lock is held.
 * Return: 0; -EBADF @fd is no cgroup's directory; -ENODEV it was removed; -ENOMEM.
 */
int evtlog_cgroup_follow(int fd, u32 bit)
{
	struct cgroup *cgroup = cgroup_v1v2_get_from_fd(fd);
	struct followed *f;
	int error = -ENOMEM;

	if (IS_ERR(cgroup))
		return PTR_ERR(cgroup);
	f = kmalloc(sizeof(*f), GFP_KERNEL);
	if (f)
		error = list_empty(&followed) ? watch_entries() : 0;
	if (error) {
		kfree(f);
		cgroup_put(cgroup);
		return error;
	}
	f->cgroup = cgroup;
	f->bit = bit;
	list_add_rcu(&f->list, &followed);
	mark_members(cgroup, bit);
	return 0;
}

/**
 * evtlog_cgroup_leave() - a tree has no cgroups any more
 * @bit:	of the tree
 *
 * Nobody gets the mark after a grace period.
 *
 * Context: as evtlog_cgroup_follow().
 */
void evtlog_cgroup_leave(u32 bit)
{
	struct followed *f, *next;

	if (list_empty(&followed))
		return;
	list_for_each_entry_safe(f, next, &followed, list) {
		if (f->bit != bit)
			continue;
		list_del_rcu(&f->list);
		/* A cgroup is freed after a grace period, too. */
		cgroup_put(f->cgroup);
		kfree_rcu(f, rcu);
	}
	if (!list_empty(&followed))
		return;
	unregister_trace_cgroup_attach_task(task_attached, NULL);
	unregister_trace_task_newtask(task_made, NULL);
}

/**
 * evtlog_cgroup_show() - the cgroups of a tree
 * @m:		written to
 * @bit:	of the tree
 *
 * Context: as evtlog_cgroup_follow().
 */
void evtlog_cgroup_show(struct seq_file *m, u32 bit)
{
	const struct followed *f;

	list_for_each_entry(f, &followed, list) {
		if (f->bit == bit)
			seq_printf(m, " cgroup %llu", cgroup_id(f->cgroup));
	}
}
