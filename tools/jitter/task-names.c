// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the tasks that have a name.
 *
 * Stage: between a selection and the engine.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "task-names.h"

/* The engine looks at each of them by itself. */
#define PIDS_MAX	4096

static bool is_known(const struct filter *filter, uint32_t pid)
{
	for (size_t i = 0; i < filter->pid_count; i++)
		if (filter->pids[i] == pid)
			return true;
	return false;
}

/* 1: added, 0: it was there, or is no program's; -errno. */
static int add(struct filter *filter, const struct evtlog_task *task)
{
	if (!task->pid || task->flags & EVTLOG_TASK_KTHREAD || is_known(filter, task->pid) ||
	    !filter_has_task(filter, task->pid, task->comm))
		return 0;
	if (filter->pid_count == PIDS_MAX)
		return -E2BIG;
	if (array_reserve(&filter->pids, &filter->pid_capacity, filter->pid_count,
			  sizeof(*filter->pids)))
		return -ENOMEM;
	filter->pids[filter->pid_count++] = task->pid;
	return 1;
}

static int add_all(struct filter *filter, const struct evtlog_tasks *tasks)
{
	const struct evtlog_task *task;
	int added = 0;

	for (size_t i = 0; evtlog_tasks_at(tasks, i, &task); i++) {
		int result = task ? add(filter, task) : 0;

		if (result < 0)
			return result;
		added += result;
	}
	return added;
}

static int add_later(struct filter *filter, struct evtlog_cpu_merge *merge,
		     struct evtlog_tasks *tasks)
{
	const struct evtlog_event *event;
	int added = 0, result;

	while ((result = evtlog_cpu_merge_next(merge, &event)) > 0) {
		uint32_t pid = evtlog_tasks_named(event);
		const struct evtlog_task *task;

		result = evtlog_tasks_update(tasks, event);
		if (result)
			return result;
		task = pid != EVTLOG_PID_UNKNOWN ? evtlog_tasks_find(tasks, pid) : NULL;
		result = task ? add(filter, task) : 0;
		if (result < 0)
			return result;
		added += result;
	}
	return result < 0 ? result : added;
}

int named_pids(struct filter *filter, struct evtlog_file *file)
{
	struct evtlog_tasks *tasks = NULL;
	struct evtlog_cpu_merge *merge = NULL;
	int added, later;

	added = evtlog_tasks_new(file, &tasks);
	if (!added)
		added = add_all(filter, tasks);
	later = added < 0 ? added : evtlog_cpu_merge_new(file, &merge);
	if (!later)
		later = add_later(filter, merge, tasks);
	evtlog_cpu_merge_free(merge);
	evtlog_tasks_free(tasks);
	return later < 0 ? later : added + later;
}
