// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks that were forked into the sampled trees, in their order.
 *
 * copy_process() adds them through evtlog_task_link(), under tasklist_lock held for writing,
 * interrupts off: it is the only writer.  The only reader, the sampler's thread, takes them.  While
 * there is no reader, the hook's static key is off.
 */
#include <linux/evtlog.h>
#include <linux/jump_label.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "lineage/lineage.h"

/* A power of 2: forks between two reads.  If there are more, the reader visits all tasks. */
#define QUEUE	4096

DEFINE_STATIC_KEY_FALSE(evtlog_births_key);

static struct task_struct **queue;
static u32 wanted;
/* Number of tasks that the writer added, and that the reader took */
static u32 added, taken;
static bool were_lost;

/**
 * __evtlog_task_born() - a task becomes visible
 * @task:	its trees are set
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
 * evtlog_births_open() - queue forks from now on
 * @trees:	bits of trees, or EVTLOG_TREES_ALL
 *
 * Tasks that were forked before are visible when this returns.
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
	/* Wait for forks that passed the key while it was off. */
	read_lock(&tasklist_lock);
	read_unlock(&tasklist_lock);
	return 0;
}

/**
 * evtlog_births_close() - stop queueing forks
 *
 * Context: as evtlog_births_open(); the reader takes no more tasks.
 */
void evtlog_births_close(void)
{
	struct task_struct *task;

	WRITE_ONCE(wanted, 0);
	static_branch_disable(&evtlog_births_key);
	/* Wait for the last fork that is adding a task. */
	read_lock(&tasklist_lock);
	read_unlock(&tasklist_lock);
	while ((task = evtlog_births_take()))
		put_task_struct(task);
}

/**
 * evtlog_births_take() - take the next task
 *
 * Context: the reader.
 * Return: the task, with a reference for the caller; NULL: there is none.
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
 * evtlog_births_were_lost() - return true if the full queue lost forks since the last call
 *
 * Context: the reader.
 */
bool evtlog_births_were_lost(void)
{
	return READ_ONCE(were_lost) && xchg(&were_lost, false);
}
