// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks that were forked into the trees that somebody looks at, in their order.
 *
 * copy_process() adds them through evtlog_task_link(), under tasklist_lock held for writing,
 * interrupts off: it is the only writer.  One reader, the sampler's thread, takes them.  The
 * hook's static key is off while nobody looks.
 */
#include <linux/evtlog.h>
#include <linux/jump_label.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "lineage/lineage.h"

/* A power of 2.  Forks between two looks; if there are more, the reader looks at all tasks. */
#define QUEUE	4096

DEFINE_STATIC_KEY_FALSE(evtlog_births_key);

static struct task_struct **queue;
static u32 wanted;
/* Counts of all that were added, by the writer, and taken, by the reader. */
static u32 added, taken;
static bool were_lost;

/**
 * __evtlog_task_born() - a task becomes visible
 * @task:	it; its trees are set
 *
 * Context: copy_process(), tasklist_lock held for writing.
 */
void __evtlog_task_born(struct task_struct *task)
{
	if (!((READ_ONCE(task->evtlog_trees) | EVTLOG_TREES_ALL) & READ_ONCE(wanted)))
		return;
	/* Pairs with the release in evtlog_births_take(): the place is free. */
	if (added - smp_load_acquire(&taken) == QUEUE) {
		WRITE_ONCE(were_lost, true);
		return;
	}
	queue[added % QUEUE] = get_task_struct(task);
	/* Pairs with the acquire in evtlog_births_take(). */
	smp_store_release(&added, added + 1);
}

/**
 * evtlog_births_open() - have forks told from now on
 * @trees:	bits of trees, or EVTLOG_TREES_ALL
 *
 * Whoever was forked before is visible when it returns.
 *
 * Context: task context, may sleep.  One caller until evtlog_births_close().
 * Return: 0 or -ENOMEM.
 */
int evtlog_births_open(u32 trees)
{
	if (!queue)
		queue = kvcalloc(QUEUE, sizeof(*queue), GFP_KERNEL);
	if (!queue)
		return -ENOMEM;
	were_lost = false;
	WRITE_ONCE(wanted, trees);
	static_branch_enable(&evtlog_births_key);
	/* Forks that have passed the key while it was off. */
	read_lock(&tasklist_lock);
	read_unlock(&tasklist_lock);
	return 0;
}

/**
 * evtlog_births_close() - no more
 *
 * Context: as evtlog_births_open(); nobody takes any more.
 */
void evtlog_births_close(void)
{
	struct task_struct *task;

	WRITE_ONCE(wanted, 0);
	static_branch_disable(&evtlog_births_key);
	/* The last that is adding */
	read_lock(&tasklist_lock);
	read_unlock(&tasklist_lock);
	while ((task = evtlog_births_take()))
		put_task_struct(task);
}

/**
 * evtlog_births_take() - the next one
 *
 * Context: the reader's.
 * Return: the task, whose reference is the caller's; NULL: there is none.
 */
struct task_struct *evtlog_births_take(void)
{
	struct task_struct *task;

	/* Pairs with the release in __evtlog_task_born(). */
	if (smp_load_acquire(&added) == taken)
		return NULL;
	task = queue[taken % QUEUE];
	/* Pairs with the acquire in __evtlog_task_born(). */
	smp_store_release(&taken, taken + 1);
	return task;
}

/**
 * evtlog_births_were_lost() - were there more than are kept, since the last time?
 *
 * Context: the reader's.
 */
bool evtlog_births_were_lost(void)
{
	return READ_ONCE(were_lost) && xchg(&were_lost, false);
}
