// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Tasks by pid, for the comparison of CPUs' tick counters.
 *
 * A hash table of limited size: when it is full, all tasks are removed, which makes no order
 * wrong.
 */
#include <string.h>

#include "compare.h"
#include "lib/base/array.h"

#define TASKS_MAX	(1u << 18)

struct clocks_task *clocks_task_find(const struct evtlog_cpu_clocks *clocks, uint32_t pid)
{
	uint32_t number;

	if (!pid || pid == EVTLOG_PID_UNKNOWN)
		return NULL;
	number = key_table_find(&clocks->by_pid, pid);
	return number == KEY_NONE ? NULL : &clocks->tasks[number];
}

void clocks_task_reset(struct clocks_task *task)
{
	memset(task->slot, 0xff, sizeof(task->slot));
	task->flags = 0;
}

static void forget_all(struct evtlog_cpu_clocks *clocks)
{
	key_table_clear(&clocks->by_pid);
	for (unsigned int i = 0; i < clocks->slots; i++)
		clocks->cpu[i].pid = 0;
}

struct clocks_task *clocks_task_get(struct evtlog_cpu_clocks *clocks, uint32_t pid)
{
	uint32_t number = key_table_find(&clocks->by_pid, pid);
	struct clocks_task *task;

	if (number != KEY_NONE) {
		task = &clocks->tasks[number];
		/* All idle tasks have pid 0: no state is kept. */
		if (!pid)
			clocks_task_reset(task);
		return task;
	}
	if (clocks->by_pid.count == TASKS_MAX)
		forget_all(clocks);
	number = clocks->by_pid.count;
	if (array_reserve(&clocks->tasks, &clocks->task_capacity, number,
			  sizeof(*clocks->tasks)) ||
	    key_table_add(&clocks->by_pid, pid, number))
		return NULL;
	task = &clocks->tasks[number];
	clocks_task_reset(task);
	return task;
}
