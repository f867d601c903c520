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
#include "lib/stream/task-names.h"

#define TIME_NONE	INT64_MIN
/* Limit of new tasks, and of new processes, in one event */
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
	tables->task_of_pid = tables_zeros(PIDS * sizeof(*tables->task_of_pid));
	tables->process_of_pid = tables_zeros(PIDS * sizeof(*tables->process_of_pid));
	if (!tables->task_of_pid || !tables->process_of_pid || tables_tasks_reserve(tables))
		return -ENOMEM;
	memset(tables->tasks, 0, (TASK_IDLE + 1) * sizeof(*tables->tasks));
	memset(tables->processes, 0, sizeof(*tables->processes));
	tables->tasks[TASK_IDLE].state = STATE_RUNNING;
	tables->task_of_pid[0] = TASK_IDLE;
	tables->task_count = TASK_IDLE + 1;
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
	free(tables->tasks);
	tables_free_zeros(tables->task_of_pid, PIDS * sizeof(*tables->task_of_pid));
	free(tables->free_tasks);
	free(tables->processes);
	tables_free_zeros(tables->process_of_pid, PIDS * sizeof(*tables->process_of_pid));
	free(tables->free_processes);
}

int tables_tasks_reserve(struct tables *tables)
{
	if (__builtin_expect(tables->task_capacity - tables->task_count >= NEW_MAX &&
			     tables->process_capacity - tables->process_count >= NEW_MAX, 1))
		return 0;
	if (array_reserve_more(&tables->tasks, &tables->task_capacity, tables->task_count,
			       NEW_MAX, sizeof(*tables->tasks)) ||
	    array_reserve_more(&tables->processes, &tables->process_capacity,
			       tables->process_count, NEW_MAX, sizeof(*tables->processes)))
		return -ENOMEM;
	return 0;
}

static void set_free(struct tables *tables, uint32_t **list, size_t *count, size_t *capacity,
		     uint32_t number)
{
	if (array_reserve(list, capacity, *count, sizeof(**list)))
		tables->error = -ENOMEM;
	else
		(*list)[(*count)++] = number;
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
	set_free(tables, &tables->free_processes, &tables->free_process_count,
		 &tables->free_process_capacity, number);
}

static uint32_t process_of(struct tables *tables, uint32_t pid)
{
	uint32_t number;

	if (!pid || pid >= PIDS)
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

uint32_t tables_tasks_of_slow(struct tables *tables, uint32_t pid)
{
	uint32_t number;

	if (!pid || pid >= PIDS)
		return pid ? TASK_NONE : TASK_IDLE;
	number = tables->free_task_count ? tables->free_tasks[--tables->free_task_count] :
					   tables->task_count++;
	tables->tasks[number] = (struct task) {
		.pid = pid,
		.utid = tables->options.numbers->utid++,
		.start = TIME_NONE,
		.end = TIME_NONE,
		.named_since = tables_time(tables, evtlog_begin_ns(tables->file)),
		.cpu = NO_SLOT,
	};
	tables->task_of_pid[pid] = number;
	return number;
}

void tables_tasks_end(struct tables *tables, uint32_t number)
{
	struct task *task = &tables->tasks[number];

	if (number <= TASK_IDLE || !task->utid)
		return;
	put_name(tables, task, tables->now);
	put_thread(tables, task);
	leave_process(tables, task);
	if (tables->task_of_pid[task->pid] == number)
		tables->task_of_pid[task->pid] = TASK_NONE;
	for (unsigned int i = 0; i < tables->cpu_count; i++)
		if (tables->cpus[i].task == number)
			tables->cpus[i].task = TASK_NONE;
	task->utid = 0;
	set_free(tables, &tables->free_tasks, &tables->free_task_count,
		 &tables->free_task_capacity, number);
}

/* A new thread has this pid: ends the old thread. */
static void replace(struct tables *tables, uint32_t pid)
{
	uint32_t number = pid < PIDS ? tables->task_of_pid[pid] : TASK_NONE;

	if (number <= TASK_IDLE)
		return;
	schedule_end_task(tables, &tables->tasks[number], tables->now, true);
	tables_tasks_end(tables, number);
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
	task = &tables->tasks[tables_tasks_of(tables, naming.pid)];
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
	uint32_t pid = evtlog_record_pid(words), number = tables_tasks_of(tables, pid);
	uint32_t cpu = (uint32_t)words[3], state = evtlog_switch_state(words);
	struct task *task = &tables->tasks[number];

	if (task->utid && task->start_boot_ns && task->start_boot_ns != words[2]) {
		replace(tables, pid);
		task = &tables->tasks[tables_tasks_of(tables, pid)];
	}
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
	if (task->cpu == NO_SLOT)
		task->cpu = file_slot(tables->file, cpu);
	if (task->state == STATE_UNKNOWN ||
	    (task->state != STATE_RUNNING && task->losses != tables->loss_count))
		schedule_state(tables, task, STATE_FIRST + state, tables->now);
}

void tables_tasks_take_fork(struct tables *tables, uint32_t parent, const uint64_t *words)
{
	uint32_t pid = evtlog_record_pid(words), tgid = words[1] >> 32, number;
	const struct task *forks = &tables->tasks[parent];
	struct task *task;

	replace(tables, pid);
	if (pid < PIDS && tables->process_of_pid[pid] &&
	    !tables->processes[tables->process_of_pid[pid]].threads)
		end_process(tables, tables->process_of_pid[pid]);
	number = tables_tasks_of(tables, pid);
	task = &tables->tasks[number];
	if (!task->utid)
		return;
	task->start = tables->now;
	task->start_boot_ns = words[2];
	task->is_kernel = forks->is_kernel;
	task->kernel_known = parent > TASK_IDLE && forks->kernel_known;
	set_process(tables, task, tgid);
	if (tables->processes[task->process].pid == pid) {
		tables->processes[task->process].start = tables->now;
		tables->processes[task->process].is_kernel = task->is_kernel;
		tables->processes[task->process].kernel_known = task->kernel_known;
		if (parent > TASK_IDLE && forks->process)
			tables->processes[task->process].parent =
				tables->processes[forks->process].upid;
	}
	set_name(tables, task, (const char *)(words + 3), false);
}

void tables_tasks_take_exec(struct tables *tables, const uint64_t *words)
{
	uint32_t pid = evtlog_record_pid(words), old = (uint32_t)words[1];

	if (old != pid) {
		uint32_t number = tables_tasks_of(tables, old), heir = tables_tasks_of(tables, pid);

		if (tables->tasks[number].utid && tables->tasks[heir].utid)
			tables->tasks[number].replaced_by = heir;
	}
	if (tables->tasks[tables_tasks_of(tables, pid)].utid)
		set_name(tables, &tables->tasks[tables_tasks_of(tables, pid)],
			 (const char *)(words + 2), false);
}

void tables_tasks_take_exit(struct tables *tables, const uint64_t *words)
{
	struct task *task = &tables->tasks[tables_tasks_of(tables, evtlog_record_pid(words))];

	if (!task->utid)
		return;
	set_process(tables, task, (uint32_t)words[1]);
	task->exits = true;
	task->end = tables->now;
}

void tables_tasks_close(struct tables *tables)
{
	for (uint32_t i = TASK_IDLE + 1; i < tables->task_count && !tables->error; i++)
		tables_tasks_end(tables, i);
	for (uint32_t i = 1; i < tables->process_count && !tables->error; i++)
		if (tables->processes[i].upid)
			end_process(tables, i);
}
