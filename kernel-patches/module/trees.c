// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trees of tasks, in a table: a module cannot add a member to task_struct.
 *
 * lineage/mark.c marks the tasks.  While there are trees, each new task gets the marks of the task
 * that forks it, at a tracepoint in front of the event's; and a task leaves the table when the kernel
 * frees it, a grace period after it was reaped and had left its CPU for good.  A task without an
 * entry belongs to no tree.
 */
#include <linux/atomic.h>
#include <linux/evtlog.h>
#include <linux/hashtable.h>
#include <linux/limits.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "feature.h"
#include "lineage/lineage.h"
#include "module/module.h"
#include "module/tracepoints.h"

struct entry {
	struct hlist_node node;
	struct rcu_head rcu;
	const struct task_struct *task;
	u32 trees;
};

/* Guards changes of the table, which hooks read under RCU.  The innermost lock. */
static DEFINE_RAW_SPINLOCK(table_lock);
static DEFINE_HASHTABLE(table, 10);
static atomic_t lost;

/* Marks that come too late: the task was freed meanwhile. */
static u32 of_nobody;

/* Guarded by the lock of mark.c. */
static unsigned int users;

static struct entry *find(const struct task_struct *task)
{
	struct entry *e;

	hash_for_each_possible_rcu_notrace(table, e, node, (unsigned long)task) {
		if (e->task == task)
			return e;
	}
	return NULL;
}

/**
 * evtlog_trees_of() - return the trees that a task belongs to
 *
 * Context: any but NMI; the task is not freed meanwhile.
 * Return: a bit for each tree.
 */
u32 evtlog_trees_of(const struct task_struct *task)
{
	const struct entry *e;
	u32 trees = 0;

	if (!READ_ONCE(evtlog_trees_live))
		return 0;
	preempt_disable_notrace();
	e = find(task);
	if (e)
		trees = READ_ONCE(e->trees);
	preempt_enable_notrace();
	return trees;
}

/**
 * evtlog_trees_at() - return the word with a task's marks
 *
 * Context: any but NMI; under RCU, or @task is current.
 */
u32 *evtlog_trees_at(const struct task_struct *task)
{
	struct entry *e = find(task);

	return e ? &e->trees : &of_nobody;
}

/**
 * evtlog_trees_place() - make sure that a task has a word for its marks
 * @task:	found under RCU, or new
 *
 * Context: any but NMI, no lock of a run queue is held; preemption is off.
 * Return: false: no memory.
 */
bool evtlog_trees_place(const struct task_struct *task)
{
	struct entry *new;
	unsigned long flags;

	if (find(task))
		return true;
	new = kmalloc(sizeof(*new), GFP_ATOMIC | __GFP_NOWARN);
	if (!new) {
		atomic_inc(&lost);
		return false;
	}
	*new = (struct entry){ .task = task };
	raw_spin_lock_irqsave(&table_lock, flags);
	if (!find(task)) {
		hash_add_rcu(table, &new->node, (unsigned long)task);
		new = NULL;
	}
	raw_spin_unlock_irqrestore(&table_lock, flags);
	kfree(new);
	return true;
}

static void on_newtask(void *unused, struct task_struct *child, unsigned long flags)
{
	u32 trees = evtlog_trees_of(current) & READ_ONCE(evtlog_trees_live);

	if (trees && child->pid)
		evtlog_lineage_mark(child, trees, true);
}

static void on_free(void *unused, struct task_struct *task)
{
	unsigned long flags;
	struct entry *e;

	raw_spin_lock_irqsave(&table_lock, flags);
	e = find(task);
	if (e)
		hash_del_rcu(&e->node);
	raw_spin_unlock_irqrestore(&table_lock, flags);
	if (e)
		kfree_rcu(e, rcu);
}

static struct {
	const char *name;
	void *probe;
	struct tracepoint *tracepoint;
} sources[] = {
	/* The last one first: a task must be able to leave before it can enter. */
	{ EVTLOG_PROBE(sched_process_free, on_free) },
	{ EVTLOG_PROBE(task_newtask, on_newtask) },
};

static void note(struct tracepoint *tracepoint, void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		if (!strcmp(tracepoint->name, sources[i].name))
			sources[i].tracepoint = tracepoint;
	}
}

static void free_all(void)
{
	struct hlist_node *next;
	struct entry *e;
	int bucket;

	hash_for_each_safe(table, bucket, next, e, node) {
		hash_del_rcu(&e->node);
		/* This needs no code of the module. */
		kfree_rcu(e, rcu);
	}
}

static void unregister(unsigned int count)
{
	while (count--)
		tracepoint_probe_unregister(sources[count].tracepoint, sources[count].probe, NULL);
	tracepoint_synchronize_unregister();
	free_all();
}

/**
 * evtlog_trees_begin() - let new tasks inherit marks
 *
 * Context: task context; the lock of mark.c is held.  Once for each tree, before its first mark.
 * Return: 0, until evtlog_trees_end(); -EOPNOTSUPP: this kernel lacks something that trees need, or
 * the module was loaded with outside=0; -ENOMEM.
 */
int evtlog_trees_begin(void)
{
	unsigned int i;
	int error = 0;

	if (!evtlog_outside_has_trees())
		return -EOPNOTSUPP;
	if (users) {
		users++;
		return 0;
	}
	for_each_kernel_tracepoint(note, NULL);
	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		error = -EOPNOTSUPP;
		if (sources[i].tracepoint)
			/* Before the probe of the fork's event, which checks the child's trees */
			error = tracepoint_probe_register_prio(sources[i].tracepoint,
							       sources[i].probe, NULL, INT_MAX);
		if (error)
			break;
	}
	if (error)
		unregister(i);
	else
		users++;
	return error;
}

/**
 * evtlog_trees_end() - undo evtlog_trees_begin(), after no task has the tree's mark
 *
 * Context: as evtlog_trees_begin().
 */
void evtlog_trees_end(void)
{
	if (!--users)
		unregister(ARRAY_SIZE(sources));
}

static void show_status(struct seq_file *m)
{
	if (atomic_read(&lost))
		seq_printf(m, "trees_lost %d\n", atomic_read(&lost));
}

static struct evtlog_feature trees __ro_after_init = {
	.name = "trees",
	.show_status = show_status,
};
evtlog_feature(trees);
