// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of tasks as they were: of each task a chain of names, the last one first.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "names.h"

/* Makes room for a task that has no name yet: its number in @latest, or KEY_NONE. */
static uint32_t add_task(struct names *names, uint32_t pid)
{
	uint32_t task = names->latest_count;

	if (array_reserve(&names->latest, &names->latest_capacity, task,
			  sizeof(*names->latest)) ||
	    key_table_add(&names->tasks, pid, task))
		return KEY_NONE;
	names->latest[task] = KEY_NONE;
	names->latest_count++;
	return task;
}

int names_note(struct names *names, const struct evtlog_tasks *tasks, uint32_t pid,
	       uint64_t from)
{
	const struct evtlog_task *named;
	uint32_t task, before;

	if (pid == EVTLOG_PID_UNKNOWN)
		return 0;
	named = evtlog_tasks_find(tasks, pid);
	if (!named || !named->comm[0])
		return 0;
	task = key_table_find(&names->tasks, pid);
	if (task == KEY_NONE)
		task = add_task(names, pid);
	if (task == KEY_NONE)
		return -ENOMEM;
	before = names->latest[task];
	if (before != KEY_NONE && !memcmp(names->names[before].comm, named->comm, EVTLOG_COMM_LEN))
		return 0;
	if (names->count >= KEY_NONE ||
	    array_reserve(&names->names, &names->capacity, names->count, sizeof(*names->names)))
		return -ENOMEM;
	names->names[names->count] = (struct name) { .from = from, .pid = pid, .before = before };
	memcpy(names->names[names->count].comm, named->comm, EVTLOG_COMM_LEN);
	names->latest[task] = names->count++;
	return 0;
}

int names_note_all(struct names *names, const struct evtlog_tasks *tasks)
{
	const struct evtlog_task *task;
	int error = 0;

	for (size_t i = 0; !error && evtlog_tasks_at(tasks, i, &task); i++)
		if (task)
			error = names_note(names, tasks, task->pid, 0);
	return error;
}

const char *names_at(const struct names *names, uint32_t pid, uint64_t position)
{
	uint32_t task = key_table_find(&names->tasks, pid), number;

	if (task == KEY_NONE)
		return NULL;
	number = names->latest[task];
	while (number != KEY_NONE && names->names[number].from > position)
		number = names->names[number].before;
	return number == KEY_NONE ? NULL : names->names[number].comm;
}

void names_free(struct names *names)
{
	free(names->names);
	free(names->latest);
	key_table_free(&names->tasks);
	*names = (struct names) { 0 };
}
