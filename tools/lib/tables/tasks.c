// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Threads and processes of a log, and their rows.
 *
 * The row of a thread is emitted when the thread is gone, the row of a process when its last thread
 * is gone. So memory depends on the number of live threads.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/base/array.h"
#include "lib/base/zeros.h"
#include "lib/stream/task-names.h"

#define TIME_NONE	INT64_MIN
/* Limit of new processes in one event */
#define NEW_MAX		4

void tables_tasks_begin(struct tables *tables)
{
	/* In the log of a tree, pid 0 also means any task outside of the tree. */
	bool is_of_tree = evtlog_tree_pid(tables->file);
	const char *comm = is_of_tree ? TASKS_OUTSIDE : "swapper";
	int64_t name = tables_text_once(tables, comm, strlen(comm));
	const int64_t thread[] = { 0, 0, name, 0, 0, 0, 1, 1, 1, 0, SOURCE_VALUES(tables) };
	const int64_t process[] = { 0, 0, name, 0, 0, 0, 1, SOURCE_VALUES(tables) };
	/* Several hosts share the row: it has no host. */
	uint32_t of_source = tables->options.hosts ? 7 : 0;

	if (!tables->first)
		return;
	if (tables_want(tables, TABLE_THREAD))
		tables_put_sourced(tables, TABLE_THREAD, thread,
				   1 << 4 | 1 << 5 | NULL_IF(is_of_tree, 8) | 1 << 9 | of_source << 10);
	if (tables_want(tables, TABLE_PROCESS))
		tables_put_sourced(tables, TABLE_PROCESS, process,
				   7 << 3 | NULL_IF(is_of_tree, 6) | of_source << 7);
}

int tables_tasks_init(struct tables *tables)
{
	tables->process_of_pid = zeros_new(REPLAY_PIDS * sizeof(*tables->process_of_pid));
	if (!tables->process_of_pid || replay_init(&tables->replay, tables->file) ||
	    tables_tasks_reserve(tables))
		return -ENOMEM;
	/* Numbers of threads follow from all other changes, and must be the same whatever is wanted. */
	tables->replay.omitted = REPLAY_QUEUES;
	memset(tables->processes, 0, sizeof(*tables->processes));
	tables->process_count = 1;
	if (tables->options.numbers->utid)
		return 0;
	tables->options.numbers->utid = 1;
	tables->options.numbers->upid = 1;
	tables->first = true;
	return 0;
}

void tables_tasks_free(struct tables *tables)
{
	replay_free(&tables->replay);
	free(tables->tasks);
	free(tables->processes);
	zeros_free(tables->process_of_pid, REPLAY_PIDS * sizeof(*tables->process_of_pid));
	free(tables->free_processes);
}

int tables_tasks_reserve(struct tables *tables)
{
	size_t had = tables->task_capacity;

	if (replay_reserve(&tables->replay) ||
	    array_reserve_more(&tables->processes, &tables->process_capacity,
			       tables->process_count, NEW_MAX, sizeof(*tables->processes)))
		return -ENOMEM;
	if (__builtin_expect(had >= tables->replay.task_capacity, 1))
		return 0;
	if (array_reserve_more(&tables->tasks, &tables->task_capacity, had,
			       tables->replay.task_capacity - had, sizeof(*tables->tasks)))
		return -ENOMEM;
	memset(tables->tasks + had, 0, (tables->task_capacity - had) * sizeof(*tables->tasks));
	return 0;
}

/* ---- Processes ---- */

static void put_process(struct tables *tables, const struct process *process)
{
	int64_t values[] = {
		process->upid, process->pid, 0, process->parent, process->start, process->end,
		process->is_kernel, SOURCE_VALUES(tables)
	};

	if (!tables_want(tables, TABLE_PROCESS))
		return;
	values[2] = tables_text_once(tables, process->comm,
				     strnlen(process->comm, EVTLOG_COMM_LEN));
	tables_put_sourced(tables, TABLE_PROCESS, values,
			   NULL_IF(!process->named, 2) | NULL_IF(process->parent < 0, 3) |
			   NULL_IF(process->start == TIME_NONE, 4) |
			   NULL_IF(process->end == TIME_NONE, 5) |
			   NULL_IF(!process->kernel_known, 6));
}

static void end_process(struct tables *tables, uint32_t number)
{
	struct process *process = &tables->processes[number];

	put_process(tables, process);
	tables->process_of_pid[process->pid] = 0;
	process->upid = 0;
	if (array_reserve(&tables->free_processes, &tables->free_process_capacity,
			  tables->free_process_count, sizeof(*tables->free_processes)))
		tables->error = -ENOMEM;
	else
		tables->free_processes[tables->free_process_count++] = number;
}

static uint32_t process_of(struct tables *tables, uint32_t pid)
{
	uint32_t number;

	if (!pid || pid >= REPLAY_PIDS)
		return 0;
	if (tables->process_of_pid[pid])
		return tables->process_of_pid[pid];
	number = tables->free_process_count ?
		 tables->free_processes[--tables->free_process_count] : tables->process_count++;
	tables->processes[number] = (struct process) {
		.pid = pid,
		.upid = tables->options.numbers->upid++,
		.parent = -1,
		.start = TIME_NONE,
		.end = TIME_NONE,
	};
	tables->process_of_pid[pid] = number;
	return number;
}

static void leave_process(struct tables *tables, struct task *task)
{
	struct process *process = &tables->processes[task->process];

	if (!task->process)
		return;
	if (process->pid == task->pid)
		process->end = task->end;
	if (!--process->threads)
		end_process(tables, task->process);
	task->process = 0;
}

static void set_process(struct tables *tables, struct task *task, uint32_t tgid)
{
	uint32_t number = process_of(tables, tgid);

	if (task->process == number)
		return;
	leave_process(tables, task);
	task->process = number;
	tables->processes[number].threads++;
}

/* ---- Threads ---- */

static void put_thread(struct tables *tables, const struct task *task)
{
	const struct process *process = &tables->processes[task->process];
	int64_t values[] = {
		task->utid, task->pid, 0, process->upid, task->start, task->end,
		process->pid == task->pid, false, task->is_kernel, task->start_boot_ns,
		SOURCE_VALUES(tables)
	};

	if (!tables_want(tables, TABLE_THREAD))
		return;
	values[2] = tables_text_once(tables, task->comm, strnlen(task->comm, EVTLOG_COMM_LEN));
	tables_put_sourced(tables, TABLE_THREAD, values,
			   NULL_IF(!task->named, 2) | NULL_IF(!task->process, 3) |
			   NULL_IF(task->start == TIME_NONE, 4) |
			   NULL_IF(task->end == TIME_NONE, 5) |
			   NULL_IF(!task->process, 6) | NULL_IF(!task->kernel_known, 8) |
			   NULL_IF(!task->start_boot_ns, 9));
}

/* Emits the name that a thread had up to @until. */
static void put_name(struct tables *tables, const struct task *task, int64_t until)
{
	int64_t values[] = { task->named_since, until - task->named_since, task->utid, 0, SOURCE_VALUES(tables) };

	if (!tables_want(tables, TABLE_THREAD_NAME) || !task->comm[0])
		return;
	values[3] = tables_text_once(tables, task->comm, strnlen(task->comm, EVTLOG_COMM_LEN));
	tables_put_sourced(tables, TABLE_THREAD_NAME, values, 0);
}

void tables_tasks_add(struct tables *tables, uint32_t number)
{
	tables->tasks[number] = (struct task) {
		.pid = tables->replay.tasks[number].pid,
		.utid = tables->options.numbers->utid++,
		.start = TIME_NONE,
		.end = TIME_NONE,
		.named_since = tables_time(tables, evtlog_begin_ns(tables->file)),
	};
}

void tables_tasks_end(struct tables *tables, uint32_t number)
{
	struct task *task = &tables->tasks[number];

	if (!task->utid)
		return;
	put_name(tables, task, tables->now);
	put_thread(tables, task);
	leave_process(tables, task);
	task->utid = 0;
}

static void set_name(struct tables *tables, struct task *task, const char *comm, bool seen)
{
	struct process *process = &tables->processes[task->process];

	task->named = true;
	if (memcmp(task->comm, comm, EVTLOG_COMM_LEN)) {
		put_name(tables, task, tables->now);
		/* A name that was only seen may be older: keep the time for it. */
		if (task->comm[0] || !seen)
			task->named_since = tables->now;
		memcpy(task->comm, comm, EVTLOG_COMM_LEN);
	}
	if (task->process && process->pid == task->pid) {
		memcpy(process->comm, comm, EVTLOG_COMM_LEN);
		process->named = true;
	}
}

void tables_tasks_name(struct tables *tables, const struct evtlog_event *event)
{
	struct task_naming naming;
	struct task *task;

	if (!task_naming(event, &naming))
		return;
	task = tables_task_of(tables, naming.pid);
	if (task->utid)
		set_name(tables, task, naming.comm, naming.is_seen);
}

static void set_parent(struct tables *tables, const struct task *task, uint32_t ppid)
{
	struct process *process = &tables->processes[task->process];
	uint32_t parent;

	if (!task->process || process->pid != task->pid || process->parent >= 0)
		return;
	parent = process_of(tables, ppid);
	if (!ppid)
		process->parent = 0;
	else if (parent)
		process->parent = tables->processes[parent].upid;
}

void tables_tasks_take_snapshot(struct tables *tables, const uint64_t *words)
{
	uint32_t pid = evtlog_record_pid(words);
	struct task *task = tables_task_of(tables, pid);

	if (!task->utid)
		return;
	task->start_boot_ns = words[2];
	task->is_kernel = words[3] >> 32 & EVTLOG_TASK_KTHREAD;
	task->kernel_known = true;
	set_process(tables, task, (uint32_t)words[1]);
	if (tables->processes[task->process].pid == pid) {
		tables->processes[task->process].is_kernel = task->is_kernel;
		tables->processes[task->process].kernel_known = true;
	}
	set_parent(tables, task, words[1] >> 32);
	set_name(tables, task, (const char *)(words + 5), true);
}

void tables_tasks_take_fork(struct tables *tables, uint32_t parent, const uint64_t *words)
{
	uint32_t pid = evtlog_record_pid(words), tgid = words[1] >> 32;
	const struct task *forks = &tables->tasks[parent];
	struct task *task;

	if (pid < REPLAY_PIDS && tables->process_of_pid[pid] &&
	    !tables->processes[tables->process_of_pid[pid]].threads)
		end_process(tables, tables->process_of_pid[pid]);
	task = tables_task_of(tables, pid);
	if (!task->utid)
		return;
	task->start = tables->now;
	task->start_boot_ns = words[2];
	task->is_kernel = forks->is_kernel;
	task->kernel_known = parent > REPLAY_IDLE && forks->kernel_known;
	set_process(tables, task, tgid);
	if (tables->processes[task->process].pid == pid) {
		tables->processes[task->process].start = tables->now;
		tables->processes[task->process].is_kernel = task->is_kernel;
		tables->processes[task->process].kernel_known = task->kernel_known;
		if (parent > REPLAY_IDLE && forks->process)
			tables->processes[task->process].parent =
				tables->processes[forks->process].upid;
	}
	set_name(tables, task, (const char *)(words + 3), false);
}

void tables_tasks_take_exec(struct tables *tables, const uint64_t *words)
{
	struct task *task;

	/* The thread that calls exec may not have been seen before: it is named first. */
	tables_task_of(tables, (uint32_t)words[1]);
	task = tables_task_of(tables, evtlog_record_pid(words));
	if (task->utid)
		set_name(tables, task, (const char *)(words + 2), false);
}

void tables_tasks_take_exit(struct tables *tables, const uint64_t *words)
{
	struct task *task = tables_task_of(tables, evtlog_record_pid(words));

	if (!task->utid)
		return;
	set_process(tables, task, (uint32_t)words[1]);
	task->end = tables->now;
}

void tables_tasks_close(struct tables *tables)
{
	for (uint32_t i = REPLAY_IDLE + 1; i < tables->replay.task_count && !tables->error; i++)
		tables_tasks_end(tables, i);
	for (uint32_t i = 1; i < tables->process_count && !tables->error; i++)
		if (tables->processes[i].upid)
			end_process(tables, i);
}
