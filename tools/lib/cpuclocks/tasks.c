// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Tasks by their pid, for comparing CPUs' counters.
 *
 * A hash table of bounded size: when it is full all that is known is forgotten, which makes no
 * order wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "compare.h"

#define TASKS_FIRST	256u
#define TASKS_MAX	(1u << 18)

static size_t place_of(uint32_t pid, size_t capacity)
{
	return (pid * UINT32_C(0x9e3779b1)) & (capacity - 1);
}

static struct clocks_task *find_place(struct clocks_task *tasks, size_t capacity, uint32_t pid)
{
	size_t at = place_of(pid, capacity);

	while (tasks[at].pid && tasks[at].pid != pid)
		at = (at + 1) & (capacity - 1);
	return &tasks[at];
}

struct clocks_task *clocks_task_find(const struct evtlog_cpu_clocks *clocks, uint32_t pid)
{
	struct clocks_task *task;

	if (!clocks->task_capacity || !pid || pid == EVTLOG_PID_UNKNOWN)
		return NULL;
	task = find_place(clocks->tasks, clocks->task_capacity, pid);
	return task->pid ? task : NULL;
}

void clocks_task_reset(struct clocks_task *task)
{
	memset(task->slot, 0xff, sizeof(task->slot));
	task->flags = 0;
}

static bool grow(struct evtlog_cpu_clocks *clocks)
{
	size_t capacity = clocks->task_capacity ? 2 * clocks->task_capacity : TASKS_FIRST;
	struct clocks_task *tasks;

	if (capacity > 2 * TASKS_MAX) {
		memset(clocks->tasks, 0, clocks->task_capacity * sizeof(*tasks));
		clocks->task_count = 0;
		for (unsigned int i = 0; i < clocks->slots; i++)
			clocks->cpu[i].pid = 0;
		return true;
	}
	tasks = calloc(capacity, sizeof(*tasks));
	if (!tasks)
		return false;
	for (size_t i = 0; i < clocks->task_capacity; i++)
		if (clocks->tasks[i].pid)
			*find_place(tasks, capacity, clocks->tasks[i].pid) = clocks->tasks[i];
	free(clocks->tasks);
	clocks->tasks = tasks;
	clocks->task_capacity = capacity;
	return true;
}

struct clocks_task *clocks_task_get(struct evtlog_cpu_clocks *clocks, uint32_t pid)
{
	struct clocks_task *task = clocks_task_find(clocks, pid);

	if (task)
		return task;
	if (2 * clocks->task_count >= clocks->task_capacity && !grow(clocks))
		return NULL;
	task = find_place(clocks->tasks, clocks->task_capacity, pid);
	task->pid = pid;
	clocks->task_count++;
	clocks_task_reset(task);
	return task;
}
