// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the times during which tasks have a selected name.
 *
 * Stage: between the filter and the attribution engine.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dataset.h"
#include "lib/base/array.h"
#include "lib/base/key-table.h"

/* The engine processes each span separately. */
#define SPANS_MAX	4096

/* @by_pid: from a pid to an index in @last; @last: index of the last span of each task */
struct finding {
	const struct filter *filter;
	struct evtlog_jitter_span *spans;
	size_t count;
	size_t capacity;
	struct key_table by_pid;
	size_t *last;
	size_t last_count;
	size_t last_capacity;
};

static int add(struct finding *finding, uint32_t pid, uint64_t from_ns)
{
	uint32_t number = key_table_find(&finding->by_pid, pid);

	if (finding->count == SPANS_MAX)
		return -E2BIG;
	if (array_reserve(&finding->spans, &finding->capacity, finding->count,
			  sizeof(*finding->spans)))
		return -ENOMEM;
	if (number == KEY_NONE) {
		number = finding->last_count;
		if (array_reserve(&finding->last, &finding->last_capacity, finding->last_count,
				  sizeof(*finding->last)) ||
		    key_table_add(&finding->by_pid, pid, number))
			return -ENOMEM;
		finding->last_count++;
	}
	finding->last[number] = finding->count;
	finding->spans[finding->count++] =
		(struct evtlog_jitter_span) { pid, from_ns, UINT64_MAX };
	return 0;
}

/* The task has this name from @from_ns on. */
static int take(struct finding *finding, const struct evtlog_task *task, uint64_t from_ns)
{
	uint32_t number = key_table_find(&finding->by_pid, task->pid);
	struct evtlog_jitter_span *last = number == KEY_NONE ? NULL :
					  &finding->spans[finding->last[number]];
	bool wanted = task->pid && !(task->flags & EVTLOG_TASK_KTHREAD) &&
		      filter_has_task(finding->filter, task->pid, task->comm);
	bool open = last && last->to_ns == UINT64_MAX;

	/* The first spans are of selected pids and cover all time. */
	if (last && (size_t)(last - finding->spans) < finding->filter->pid_count)
		return 0;
	if (wanted && !open)
		return add(finding, task->pid, from_ns);
	if (!wanted && open)
		last->to_ns = from_ns;
	return 0;
}

/* The names at the start of the run. */
static int take_first(struct finding *finding, const struct evtlog_tasks *tasks)
{
	const struct evtlog_task *task;
	int error = 0;

	for (size_t i = 0; !error && evtlog_tasks_at(tasks, i, &task); i++)
		error = task ? take(finding, task, 0) : 0;
	return error;
}

static int take_later(struct finding *finding, struct evtlog_cpu_merge *merge,
		      struct evtlog_tasks *tasks)
{
	const struct evtlog_event *event;
	int result;

	while ((result = evtlog_cpu_merge_next(merge, &event)) > 0) {
		uint32_t pid = evtlog_tasks_named(event);
		const struct evtlog_task *task;

		result = evtlog_tasks_update(tasks, event);
		if (result)
			return result;
		task = pid != EVTLOG_PID_UNKNOWN ? evtlog_tasks_find(tasks, pid) : NULL;
		result = task ? take(finding, task, event->time_ns) : 0;
		if (result)
			return result;
	}
	return result;
}

int wanted_spans(const struct filter *filter, struct evtlog_file *file,
		 struct evtlog_jitter_span **spans, size_t *count)
{
	struct finding finding = { .filter = filter };
	struct evtlog_cpu_merge *merge = NULL;
	struct evtlog_tasks *tasks = NULL;
	int error = 0;

	/* A pid selects the task under all its names. */
	for (size_t i = 0; i < filter->pid_count && !error; i++)
		error = add(&finding, filter->pids[i], 0);
	if (!error && filter->comm_count)
		error = evtlog_tasks_new(file, &tasks);
	if (!error && tasks)
		error = take_first(&finding, tasks);
	if (!error && tasks)
		error = evtlog_cpu_merge_new(file, &merge);
	if (!error && tasks)
		error = take_later(&finding, merge, tasks);
	evtlog_cpu_merge_free(merge);
	evtlog_tasks_free(tasks);
	key_table_free(&finding.by_pid);
	free(finding.last);
	*spans = finding.spans;
	*count = finding.count;
	return error;
}
