// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of tasks by pid, from the run's snapshot and from events.
 *
 * If a pid is reused, the new name replaces the old one; the table does not store earlier names.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/key-table.h"
#include "lib/file/file.h"
#include "stream.h"
#include "task-names.h"

/* @by_pid has the indices in @at; its count is the number of tasks. */
struct evtlog_tasks {
	struct evtlog_task *at;
	size_t capacity;
	struct key_table by_pid;
};

/* The pointer is valid until the next call. */
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

uint32_t evtlog_tasks_named(const struct evtlog_event *event)
{
	struct task_naming naming;

	return task_naming(event, &naming) ? naming.pid : EVTLOG_PID_UNKNOWN;
}

int evtlog_tasks_update(struct evtlog_tasks *tasks,
			const struct evtlog_event *event)
{
	const uint64_t *words = event->words;
	struct task_naming naming;
	struct evtlog_task *task;

	if (!task_naming(event, &naming))
		return 0;
	task = get(tasks, naming.pid);
	if (!task)
		return -ENOMEM;
	memcpy(task->comm, naming.comm, sizeof(task->comm));
	switch (event->known) {
	case EVTLOG_TASK:
		task->tgid = words[1];
		task->ppid = words[1] >> 32;
		task->flags = words[3] >> 32;
		break;
	case EVTLOG_SCHED_PROCESS_FORK:
		task->ppid = words[1];
		task->tgid = words[1] >> 32;
		task->flags = 0;
		break;
	case EVTLOG_SCHED_PROCESS_EXEC:
		task->tgid = words[1] >> 32;
		break;
	default:
		break;
	}
	return 0;
}

/*
 * When tasks were first named: by the snapshot, or in other events.  If the other event was
 * first, the snapshot's name is not the task's name at the begin.
 */
struct first_names {
	struct key_table by_pid;
	uint64_t *at_ns;
	size_t capacity;
};

/* Returns 1 if no earlier time is known; 0; -ENOMEM. */
static int note_first(struct first_names *first, uint32_t pid, uint64_t time_ns)
{
	uint32_t number = key_table_find(&first->by_pid, pid);

	if (number == KEY_NONE) {
		number = first->by_pid.count;
		if (array_reserve(&first->at_ns, &first->capacity, number, sizeof(*first->at_ns)) ||
		    key_table_add(&first->by_pid, pid, number))
			return -ENOMEM;
		first->at_ns[number] = time_ns;
	}
	if (time_ns > first->at_ns[number])
		return 0;
	first->at_ns[number] = time_ns;
	return 1;
}

/* Takes names from the snapshot only: names from later events are not valid yet. */
static int read_snapshot(struct evtlog_tasks *tasks, struct evtlog_file *file,
			 unsigned int slot, struct first_names *seen, struct first_names *given)
{
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	struct task_naming naming;
	uint64_t records, last = 0;
	int result;

	result = evtlog_stream_new(file, slot, &stream);
	if (result)
		return result;
	stream_only(stream, TASK_NAMING_TYPES);
	while ((result = evtlog_stream_next(stream, &event)) > 0) {
		records = evtlog_stream_counts(stream)->records;
		if (records - last > SNAPSHOT_PATIENCE)
			break;
		if (!task_naming(event, &naming))
			continue;
		result = note_first(naming.is_seen ? seen : given, naming.pid, event->time_ns);
		if (event->known == EVTLOG_TASK)
			last = records;
		if (naming.is_seen && result > 0)
			result = evtlog_tasks_update(tasks, event);
		if (result < 0)
			break;
	}
	evtlog_stream_free(stream);
	return result < 0 ? result : 0;
}

/* Removes names of tasks that were forked, executed or renamed before the snapshot reached them. */
static void forget_later_names(struct evtlog_tasks *tasks, const struct first_names *seen,
			       const struct first_names *given)
{
	for (size_t i = 0; i < tasks->by_pid.count; i++) {
		struct evtlog_task *task = &tasks->at[i];
		uint32_t at = key_table_find(&seen->by_pid, task->pid);
		uint32_t other = key_table_find(&given->by_pid, task->pid);

		if (at != KEY_NONE && other != KEY_NONE && given->at_ns[other] <= seen->at_ns[at])
			memset(task->comm, 0, sizeof(task->comm));
	}
}

static int read_snapshots(struct evtlog_tasks *tasks, struct evtlog_file *file)
{
	struct first_names seen = { 0 }, given = { 0 };
	int result = 0;

	for (unsigned int slot = 0; slot < file->part_count && !result; slot++)
		result = read_snapshot(tasks, file, slot, &seen, &given);
	if (!result)
		forget_later_names(tasks, &seen, &given);
	key_table_free(&seen.by_pid);
	key_table_free(&given.by_pid);
	free(seen.at_ns);
	free(given.at_ns);
	return result;
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
	result = read_snapshots(tasks, file);
	if (result)
		goto fail;
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
