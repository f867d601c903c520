// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tasks of a run, found by pid; pids that are used again are new tasks.
 *
 * When there are very many, those that are gone are summed up by name, so that
 * memory does not grow with the length of a run.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/sample-size.h"
#include "lib/base/array.h"
#include "lib/base/key-table.h"
#include "stat.h"

#define TASKS_KEPT	65536

int stat_tasks_init(struct stat *stat)
{
	stat->task_limit = TASKS_KEPT;
	stat->task_capacity = 1024;
	stat->tasks = calloc(stat->task_capacity, sizeof(*stat->tasks));
	/* 16 MiB of which only the pages of pids in use are ever touched. */
	stat->by_pid = calloc(STAT_PIDS, sizeof(*stat->by_pid));
	if (!stat->tasks || !stat->by_pid)
		return -ENOMEM;
	stat->tasks[0].pid = EVTLOG_PID_UNKNOWN;
	stat->task_count = 1;
	return 0;
}

void stat_tasks_free(struct stat *stat)
{
	for (uint32_t i = 0; i < stat->task_count; i++)
		histogram_clear(&stat->tasks[i].latency);
	free(stat->tasks);
	free(stat->by_pid);
}

static uint32_t hash_comm(const char *comm)
{
	uint32_t hash = 2166136261u;

	for (int i = 0; i < EVTLOG_COMM_LEN; i++)
		hash = (hash ^ (unsigned char)comm[i]) * 16777619u;
	return hash;
}

static bool has_comm(const void *tasks, uint32_t number, const void *comm)
{
	const struct stat_task *task = (const struct stat_task *)tasks + number;

	return !memcmp(task->comm, comm, EVTLOG_COMM_LEN);
}

/* Adds @from to @to; @from's histogram is empty afterwards. */
static int fold(struct stat_task *to, struct stat_task *from)
{
	to->folded = (to->folded ? to->folded : 1) +
		     (from->folded ? from->folded : 1);
	to->run_ns += from->run_ns;
	to->switches += from->switches;
	to->voluntary += from->voluntary;
	to->preempted += from->preempted;
	to->migrations += from->migrations;
	to->wakeups += from->wakeups;
	return histogram_merge(&to->latency, &from->latency);
}

/* No CPU runs it, and its pid is another's or will not come back. */
static bool is_gone(const struct stat *stat, const struct stat_task *task)
{
	return task->exited && task->state != TASK_STATE_RUNNING &&
	       stat->tasks + stat->by_pid[task->pid] != task;
}

/* Folds what is gone by name and closes the ranks. */
static int compact(struct stat *stat)
{
	struct key_table by_name = { 0 };
	uint32_t kept = 1;
	int result = 0;

	for (uint32_t i = 1; i < stat->task_count; i++)
		if (stat->tasks[i].exited &&
		    stat->tasks[i].state != TASK_STATE_RUNNING &&
		    stat->by_pid[stat->tasks[i].pid] == i)
			stat->by_pid[stat->tasks[i].pid] = 0;
	for (uint32_t i = 1; i < stat->task_count; i++) {
		struct stat_task *task = &stat->tasks[i];
		bool gone = task->folded || is_gone(stat, task);

		if (gone) {
			uint32_t hash = hash_comm(task->comm);
			uint32_t other = key_table_find_same(&by_name, hash, has_comm,
							     stat->tasks, task->comm);

			if (other != KEY_NONE) {
				if (fold(&stat->tasks[other], task))
					result = -ENOMEM;
				continue;
			}
			if (key_table_add(&by_name, hash, kept))
				result = -ENOMEM;
		} else if (stat->by_pid[task->pid] == i) {
			stat->by_pid[task->pid] = kept;
		}
		if (kept != i) {
			stat->tasks[kept] = *task;
			memset(&task->latency, 0, sizeof(task->latency));
		}
		kept++;
	}
	key_table_free(&by_name);
	stat->task_count = kept;
	/* What is alive stays, however much it is. */
	if (2 * kept > stat->task_limit)
		stat->task_limit *= 2;
	/* The CPUs know their tasks by index. */
	for (unsigned int i = 0; i < stat->cpu_count; i++) {
		stat->cpus[i].pid = EVTLOG_PID_UNKNOWN;
		stat->cpus[i].task = 0;
	}
	return result;
}

static int64_t add_task(struct stat *stat, uint32_t pid)
{
	const struct evtlog_task *known = evtlog_tasks_find(stat->names, pid);
	struct stat_task *task;

	if (stat->task_count >= stat->task_limit && compact(stat))
		return -ENOMEM;
	if (array_reserve(&stat->tasks, &stat->task_capacity, stat->task_count,
			  sizeof(*stat->tasks)))
		return -ENOMEM;
	task = &stat->tasks[stat->task_count];
	memset(task, 0, sizeof(*task));
	task->pid = pid;
	if (known) {
		memcpy(task->comm, known->comm, sizeof(task->comm));
		task->kernel_thread = known->flags & EVTLOG_TASK_KTHREAD;
	}
	stat->by_pid[pid] = stat->task_count;
	return stat->task_count++;
}

int64_t stat_task_slow(struct stat *stat, uint32_t pid)
{
	/* Only a forged header names a pid that no kernel gives. */
	if (pid >= STAT_PIDS)
		return 0;
	return stat->by_pid[pid] ? stat->by_pid[pid] : add_task(stat, pid);
}

int stat_task_fork(struct stat *stat, const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	uint32_t old = stat->by_pid[pid];
	struct stat_task *task;
	int64_t index;

	if (old) {
		stat->tasks[old].exited = true;
		stat->by_pid[pid] = 0;
	}
	index = add_task(stat, pid);
	if (index < 0)
		return index;
	task = &stat->tasks[index];
	memcpy(task->comm, event->words + 3, sizeof(task->comm));
	task->state = TASK_STATE_BLOCKED;
	task->state_ns = event->time_ns;
	task->kernel_thread = false;
	return 0;
}

void stat_task_name(struct stat *stat, const struct evtlog_event *event)
{
	uint32_t index = stat->by_pid[evtlog_record_pid(event->words)];
	struct stat_task *task = &stat->tasks[index];

	if (!index)
		return;
	switch (event->known) {
	case EVTLOG_SCHED_PROCESS_EXEC:
		memcpy(task->comm, event->words + 2, sizeof(task->comm));
		break;
	case EVTLOG_TASK_RENAME:
		memcpy(task->comm, event->words + 1, sizeof(task->comm));
		break;
	case EVTLOG_TASK:
		memcpy(task->comm, event->words + 5, sizeof(task->comm));
		task->kernel_thread = event->words[3] >> 32 &
				      EVTLOG_TASK_KTHREAD;
		break;
	}
}

int stat_task_learn(struct stat *stat, const struct evtlog_event *event)
{
	uint32_t pid = event->begin_pid;
	const struct evtlog_task *known;

	if (pid >= STAT_PIDS || evtlog_tasks_update(stat->names, event))
		return pid >= STAT_PIDS ? 0 : -ENOMEM;
	known = evtlog_tasks_find(stat->names, pid);
	if (known && stat->by_pid[pid])
		memcpy(stat->tasks[stat->by_pid[pid]].comm, known->comm,
		       sizeof(known->comm));
	return 0;
}

void stat_task_exit(struct stat *stat, uint32_t pid)
{
	if (stat->by_pid[pid])
		stat->tasks[stat->by_pid[pid]].exited = true;
}

/* Of the thread: a server sums up for several at once. */
static __thread enum stat_sort sort_by;

static uint64_t sort_key(const struct stat_task *task)
{
	switch (sort_by) {
	case SORT_SWITCHES:
		return task->switches;
	case SORT_WAKEUPS:
		return task->wakeups;
	case SORT_LATENCY:
		return task->latency.max;
	case SORT_P99:
		/* Those of too few waits come last. */
		return sample_size_is_enough(task->latency.count, 99) ?
		       histogram_percentile(&task->latency, 0.99) : 0;
	case SORT_MIGRATIONS:
		return task->migrations;
	case SORT_PID:
		return ~(uint64_t)task->pid;
	default:
		return task->run_ns;
	}
}

/* Largest first; names and equal ones by name, then by pid. */
static int compare_tasks(const void *a, const void *b)
{
	const struct stat_task *x = a, *y = b;
	uint64_t key_x = sort_key(x), key_y = sort_key(y);
	int order = 0;

	if (sort_by == SORT_NAME)
		order = memcmp(x->comm, y->comm, sizeof(x->comm));
	else if (key_x != key_y)
		order = key_x > key_y ? -1 : 1;
	return order ? order : (x->pid > y->pid) - (x->pid < y->pid);
}

void stat_tasks_sort(struct stat *stat, enum stat_sort sort)
{
	sort_by = sort;
	qsort(stat->tasks + 1, stat->task_count - 1, sizeof(*stat->tasks),
	      compare_tasks);
}
