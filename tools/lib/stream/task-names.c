// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of tasks by pid, learned from the run's snapshot and from events.
 *
 * A pid that is used again takes its new name; the table does not remember who
 * had it before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/key-table.h"
#include "lib/file/file.h"
#include "task-names.h"

/* @by_pid has their numbers in @at, where its count is how many there are. */
struct evtlog_tasks {
	struct evtlog_task *at;
	size_t capacity;
	struct key_table by_pid;
};

/* The pointer is good up to the next call. */
static struct evtlog_task *get(struct evtlog_tasks *tasks, uint32_t pid)
{
	uint32_t number = key_table_find(&tasks->by_pid, pid);
	size_t count = tasks->by_pid.count;

	if (number != KEY_NONE)
		return &tasks->at[number];
	if (array_reserve(&tasks->at, &tasks->capacity, count, sizeof(*tasks->at)) ||
	    key_table_add(&tasks->by_pid, pid, count))
		return NULL;
	tasks->at[count] = (struct evtlog_task) { .pid = pid };
	return &tasks->at[count];
}

static void set_comm(struct evtlog_task *task, const uint64_t *words)
{
	memcpy(task->comm, words, sizeof(task->comm));
}

bool evtlog_tasks_at(const struct evtlog_tasks *tasks, size_t number,
		     const struct evtlog_task **task)
{
	uint32_t found;

	if (number >= tasks->by_pid.capacity)
		return false;
	found = key_table_at(&tasks->by_pid, number);
	*task = found == KEY_NONE ? NULL : &tasks->at[found];
	return true;
}

int tasks_set_comm(struct evtlog_tasks *tasks, uint32_t pid, const void *comm)
{
	struct evtlog_task *task = get(tasks, pid);

	if (!task)
		return -ENOMEM;
	memcpy(task->comm, comm, sizeof(task->comm));
	return 0;
}

const struct evtlog_task *evtlog_tasks_find(const struct evtlog_tasks *tasks,
					    uint32_t pid)
{
	uint32_t number = key_table_find(&tasks->by_pid, pid);

	return number == KEY_NONE ? NULL : &tasks->at[number];
}

/* Idle tasks keep their common name. */
static int learn_running(struct evtlog_tasks *tasks,
			 const struct evtlog_event *event)
{
	struct evtlog_task *task;

	if (!event->begin_comm || !event->begin_comm[0] || !event->begin_pid ||
	    event->begin_pid == EVTLOG_PID_UNKNOWN)
		return 0;
	task = get(tasks, event->begin_pid);
	if (!task)
		return -ENOMEM;
	memcpy(task->comm, event->begin_comm, sizeof(task->comm));
	return 0;
}

uint32_t evtlog_tasks_named(const struct evtlog_event *event)
{
	if (event->kind != EVTLOG_EVENT_RECORD)
		return event->begin_comm ? event->begin_pid : EVTLOG_PID_UNKNOWN;
	switch (event->known) {
	case EVTLOG_TASK:
	case EVTLOG_SCHED_PROCESS_FORK:
	case EVTLOG_SCHED_PROCESS_EXEC:
	case EVTLOG_TASK_RENAME:
		return evtlog_record_pid(event->words);
	default:
		return EVTLOG_PID_UNKNOWN;
	}
}

int evtlog_tasks_update(struct evtlog_tasks *tasks,
			const struct evtlog_event *event)
{
	const uint64_t *words = event->words;
	struct evtlog_task *task;

	if (event->kind != EVTLOG_EVENT_RECORD)
		return learn_running(tasks, event);
	switch (event->known) {
	case EVTLOG_TASK:
		task = get(tasks, evtlog_record_pid(words));
		if (!task)
			return -ENOMEM;
		task->tgid = words[1];
		task->ppid = words[1] >> 32;
		task->flags = words[3] >> 32;
		set_comm(task, words + 5);
		break;
	case EVTLOG_SCHED_PROCESS_FORK:
		task = get(tasks, evtlog_record_pid(words));
		if (!task)
			return -ENOMEM;
		task->ppid = words[1];
		task->tgid = words[1] >> 32;
		task->flags = 0;
		set_comm(task, words + 3);
		break;
	case EVTLOG_SCHED_PROCESS_EXEC:
		task = get(tasks, evtlog_record_pid(words));
		if (!task)
			return -ENOMEM;
		task->tgid = words[1] >> 32;
		set_comm(task, words + 2);
		break;
	case EVTLOG_TASK_RENAME:
		task = get(tasks, evtlog_record_pid(words));
		if (!task)
			return -ENOMEM;
		set_comm(task, words + 1);
		break;
	default:
		break;
	}
	return 0;
}

/* Only the snapshot counts here: what happens later is not known yet. */
static int read_snapshot(struct evtlog_tasks *tasks, struct evtlog_file *file,
			 unsigned int slot)
{
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	unsigned int others = 0;
	int result;

	result = evtlog_stream_new(file, slot, &stream);
	if (result)
		return result;
	while (others < SNAPSHOT_PATIENCE &&
	       (result = evtlog_stream_next(stream, &event)) > 0) {
		if (event->known != EVTLOG_TASK) {
			others++;
			continue;
		}
		others = 0;
		result = evtlog_tasks_update(tasks, event);
		if (result)
			break;
	}
	evtlog_stream_free(stream);
	return result < 0 ? result : 0;
}

struct evtlog_tasks *tasks_new_empty(void)
{
	struct evtlog_tasks *tasks = calloc(1, sizeof(*tasks));
	struct evtlog_task *idle = tasks ? get(tasks, 0) : NULL;

	if (!idle) {
		evtlog_tasks_free(tasks);
		return NULL;
	}
	idle->flags = EVTLOG_TASK_KTHREAD;
	memcpy(idle->comm, "swapper", sizeof("swapper"));
	return tasks;
}

void tasks_name_outside(struct evtlog_tasks *tasks, const struct evtlog_file *file)
{
	struct evtlog_task *idle = get(tasks, 0);

	if (!evtlog_tree_pid(file))
		return;
	memset(idle->comm, 0, sizeof(idle->comm));
	memcpy(idle->comm, TASKS_OUTSIDE, sizeof(TASKS_OUTSIDE));
	idle->flags = 0;
}

int evtlog_tasks_new(struct evtlog_file *file, struct evtlog_tasks **tasksp)
{
	struct evtlog_tasks *tasks = tasks_new_empty();
	int result = -ENOMEM;

	*tasksp = NULL;
	if (!tasks)
		goto fail;
	tasks_name_outside(tasks, file);
	for (unsigned int slot = 0; slot < file->part_count; slot++) {
		result = read_snapshot(tasks, file, slot);
		if (result)
			goto fail;
	}
	*tasksp = tasks;
	return 0;
fail:
	evtlog_tasks_free(tasks);
	return result;
}

void evtlog_tasks_free(struct evtlog_tasks *tasks)
{
	if (!tasks)
		return;
	key_table_free(&tasks->by_pid);
	free(tasks->at);
	free(tasks);
}
