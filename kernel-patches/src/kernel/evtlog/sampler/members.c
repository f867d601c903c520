// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampled tasks, in an array: the cost of a pass depends only on them, not on other tasks.
 *
 * All tasks are checked once, when the thread begins.  After this, forked tasks are added
 * (lineage/births.c).  All tasks are checked again only if more were forked than are kept, or if
 * existing tasks were marked.  A task stays until it is reaped.  Only the sampler's thread calls
 * this file, and, before its begin and after its end, the task that starts and stops it.
 */
#include <linux/evtlog.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "lineage/lineage.h"
#include "sampler/sampler.h"

#define FIRST_ROOM	256

static struct sampler_member *members;
static unsigned int nr_members, room;

/* Bits of trees, or EVTLOG_TREES_ALL */
static u32 wanted;
/* evtlog_sampled of the tasks in the array */
static u32 generation;
static unsigned int changes_seen;
/* True: there was no memory for all tasks. */
static bool is_short;

static bool make_room(unsigned int nr)
{
	struct sampler_member *larger;
	unsigned int more = max(room, (unsigned int)FIRST_ROOM);

	if (nr <= room)
		return true;
	while (more < nr)
		more *= 2;
	/* Each pass counts missing tasks; warnings would fill the log. */
	larger = kvcalloc(more, sizeof(*members), GFP_KERNEL | __GFP_NOWARN);
	if (!larger)
		return false;
	memcpy(larger, members, nr_members * sizeof(*members));
	kvfree(members);
	members = larger;
	room = more;
	return true;
}

static void free_room(void)
{
	kvfree(members);
	members = NULL;
	room = 0;
}

/* There is room.  Takes over the reference. */
static void add(struct task_struct *task)
{
	task->evtlog_sampled = generation;
	members[nr_members++] = (struct sampler_member){ task, SAMPLER_TOLD_NOTHING };
}

static bool is_new(const struct task_struct *task)
{
	return (READ_ONCE(task->evtlog_trees) | EVTLOG_TREES_ALL) & wanted &&
	       task->evtlog_sampled != generation;
}

static void find(struct task_struct *task, void *data)
{
	if (!is_new(task))
		return;
	if (nr_members == room) {
		*(bool *)data = true;
		return;
	}
	add(get_task_struct(task));
}

/* Repeats until all tasks have room. */
static void find_all(void)
{
	bool is_full;

	changes_seen = evtlog_lineage_changes();
	do {
		is_full = false;
		evtlog_lineage_each_task(find, &is_full);
		if (is_full && !make_room(room + 1)) {
			is_short = true;
			return;
		}
	} while (is_full);
	is_short = false;
}

static void add_births(void)
{
	struct task_struct *task;

	while ((task = evtlog_births_take())) {
		if (is_new(task) && make_room(nr_members + 1)) {
			add(task);
			continue;
		}
		if (is_new(task))
			is_short = true;
		put_task_struct(task);
	}
}

/**
 * sampler_members_open() - find the tasks
 * @trees:	bits of trees, or EVTLOG_TREES_ALL
 *
 * If there is no memory for all tasks, missing tasks are looked for before each pass.
 *
 * Context: task context, may sleep; there is no thread.
 * Return: 0, until sampler_members_close(); -ENOMEM.
 */
int sampler_members_open(u32 trees)
{
	if (!make_room(FIRST_ROOM))
		return -ENOMEM;
	is_short = false;
	wanted = trees;
	/* 0 is the value of a new child. */
	generation = generation == U32_MAX ? 1 : generation + 1;
	if (evtlog_births_open(trees)) {
		free_room();
		return -ENOMEM;
	}
	find_all();
	return 0;
}

/**
 * sampler_members_close() - release all tasks
 *
 * Context: as for sampler_members_open().
 */
void sampler_members_close(void)
{
	evtlog_births_close();
	while (nr_members)
		put_task_struct(members[--nr_members].task);
	free_room();
}

/**
 * sampler_members_update() - add new tasks before a pass
 */
void sampler_members_update(void)
{
	add_births();
	if (unlikely(evtlog_births_were_lost() || is_short ||
		     changes_seen != evtlog_lineage_changes()))
		find_all();
}

/**
 * sampler_members() - return the tasks
 * @nr:		set to their number
 *
 * Return: the tasks, valid until the next sampler_members_update().
 */
struct sampler_member *sampler_members(unsigned int *nr)
{
	*nr = nr_members;
	return members;
}

/**
 * sampler_members_drop() - remove a task that was reaped
 * @index:	index in sampler_members(); the last task takes its place
 */
void sampler_members_drop(unsigned int index)
{
	put_task_struct(members[index].task);
	members[index] = members[--nr_members];
}

/**
 * sampler_members_lack() - check whether a pass lacks tasks, because there was no memory
 */
bool sampler_members_lack(void)
{
	return is_short;
}
