// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the tasks whose pids are nearest.
 */
#include <string.h>

#include "nearest.h"

#define TASKS_TOLD	8

/* @far: between its pid and the nearest that is wanted */
struct near {
	uint32_t pid;
	uint32_t far;
	const char *comm;
};

struct nearest {
	struct near at[TASKS_TOLD];
	size_t count;
	uint64_t all;
};

static uint32_t how_far(const struct filter *filter, uint32_t pid)
{
	uint32_t least = UINT32_MAX;

	for (size_t i = 0; i < filter->pid_count; i++) {
		uint32_t wanted = filter->pids[i];
		uint32_t far = wanted > pid ? wanted - pid : pid - wanted;

		least = far < least ? far : least;
	}
	return least;
}

/* Several logs may have a task of this pid; one of a name is enough. */
static bool has(const struct nearest *nearest, const struct near *near)
{
	for (size_t i = 0; i < nearest->count; i++)
		if (nearest->at[i].pid == near->pid &&
		    !strncmp(nearest->at[i].comm, near->comm, EVTLOG_COMM_LEN))
			return true;
	return false;
}

static void add(struct nearest *nearest, const struct near *near)
{
	size_t i;

	if (has(nearest, near))
		return;
	nearest->all++;
	if (nearest->count < TASKS_TOLD)
		nearest->count++;
	else if (near->far >= nearest->at[TASKS_TOLD - 1].far)
		return;
	for (i = nearest->count - 1; i && nearest->at[i - 1].far > near->far; i--)
		nearest->at[i] = nearest->at[i - 1];
	nearest->at[i] = *near;
}

void nearest_put_tasks(struct line *line, const struct matches *matches)
{
	struct nearest nearest = { .count = 0 };
	const struct evtlog_task *task;

	for (size_t i = 0; i < matches->log_count; i++)
		for (size_t k = 0; matches->logs[i].tasks &&
				   evtlog_tasks_at(matches->logs[i].tasks, k, &task); k++)
			if (task && task->pid && *task->comm)
				add(&nearest, &(struct near) {
					task->pid, how_far(matches->filter, task->pid),
					task->comm });
	for (size_t i = 0; i < nearest.count; i++) {
		const struct near *near = &nearest.at[i];

		line_text(line, i ? ", " : "tasks ");
		line_escaped(line, near->comm, strnlen(near->comm, EVTLOG_COMM_LEN));
		line_char(line, '-');
		line_u64(line, near->pid, 0, ' ');
	}
	if (nearest.all > nearest.count) {
		line_text(line, " and ");
		line_u64(line, nearest.all - nearest.count, 0, ' ');
		line_text(line, " more");
	}
	if (!nearest.count)
		line_text(line, "no name of a task");
}
