// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tasks of a run, found by pid. A reused pid is a new task. Sums are kept by the task's name at
 * the time; the names of a task are a list, in the order of first use.
 *
 * When there are very many tasks, those that are gone are summed up by name, to limit memory in
 * long runs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/histogram.h"
#include "lib/base/array.h"
#include "lib/replay/replay.h"
#include "lib/stream/task-names.h"
#include "stat.h"

#define TASKS_KEPT	65536

int stat_tasks_init(struct stat *stat)
{
	stat->task_limit = TASKS_KEPT;
	stat->task_capacity = 1024;
	stat->tasks = calloc(stat->task_capacity, sizeof(*stat->tasks));
	/* 16 MiB, but only the pages of used pids are touched. */
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
	for (uint32_t i = 0; i < stat->row_count; i++)
		histogram_clear(&stat->rows[i].latency);
	free(stat->rows);
	key_table_free(&stat->named);
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

/* Adds the sums of @from to @to; the histogram of @from is then empty. */
static int add_sums(struct stat_task *to, struct stat_task *from)
{
	to->run_ns += from->run_ns;
	to->switches += from->switches;
	to->voluntary += from->voluntary;
	to->preempted += from->preempted;
	to->migrations += from->migrations;
	to->wakeups += from->wakeups;
	return histogram_merge(&to->latency, &from->latency);
}

/* Adds @from, a task that is gone, to @to, which has the same name. */
static int fold(struct stat_task *to, struct stat_task *from)
{
	to->folded = (to->folded ? to->folded : 1) +
		     (from->folded ? from->folded : 1);
	return add_sums(to, from);
}

/* Returns true if the task's pid is free or belongs to another task. */
static bool is_gone(const struct stat *stat, const struct stat_task *head)
{
	return head->exited && stat->tasks + stat->by_pid[head->pid] != head;
}

/* ---- Names of a task ---- */

static uint32_t hash_named(uint32_t head, const char *comm)
{
	return hash_comm(comm) ^ head * UINT32_C(2654435761);
}

struct name_of {
	uint32_t head;
	const char *comm;
};

static bool is_named(const void *tasks, uint32_t number, const void *wanted)
{
	const struct stat_task *task = (const struct stat_task *)tasks + number;
	const struct name_of *name = wanted;

	return task->head == name->head && has_comm(tasks, number, name->comm);
}

static int note_name(struct stat *stat, uint32_t number)
{
	const struct stat_task *task = &stat->tasks[number];

	return key_table_add(&stat->named, hash_named(task->head, task->comm), number);
}

static bool has_several(const struct stat *stat, const struct stat_task *task)
{
	return stat->tasks[task->head].next;
}

/* ---- Summing up tasks that are gone ---- */

/*
 * Sums up tasks that are gone by name, and moves the other tasks to the front. @places is set to
 * their new indexes, KEY_NONE for tasks that are gone.
 */
static int fold_gone(struct stat *stat, uint32_t *places)
{
	struct key_table by_name = { 0 };
	uint32_t kept = 1;
	int result = 0;

	for (uint32_t i = 1; i < stat->task_count; i++) {
		struct stat_task *task = &stat->tasks[i];
		bool gone = task->folded || (task->head == i ? is_gone(stat, task) :
							       places[task->head] == KEY_NONE);

		places[i] = gone ? KEY_NONE : kept;
		if (gone) {
			uint32_t hash = hash_comm(task->comm);
			uint32_t other = key_table_find_same(&by_name, hash, has_comm,
							     stat->tasks, task->comm);

			if (other != KEY_NONE) {
				if (fold(&stat->tasks[other], task))
					result = -ENOMEM;
				continue;
			}
			task->exited = true;
			if (key_table_add(&by_name, hash, kept))
				result = -ENOMEM;
		}
		if (kept != i) {
			stat->tasks[kept] = *task;
			memset(&task->latency, 0, sizeof(task->latency));
		}
		kept++;
	}
	key_table_free(&by_name);
	stat->task_count = kept;
	return result;
}

static bool runs(const struct stat *stat, uint32_t pid)
{
	return stat->replay->tasks[replay_find(stat->replay, pid)].state == REPLAY_RUNNING;
}

/* Sums up tasks that are gone by name, and updates all indexes. */
static int compact(struct stat *stat)
{
	uint32_t *places = calloc(stat->task_count, sizeof(*places));
	int result;

	if (!places)
		return -ENOMEM;
	for (uint32_t i = 1; i < stat->task_count; i++)
		if (stat->tasks[i].exited && stat->by_pid[stat->tasks[i].pid] == i &&
		    !runs(stat, stat->tasks[i].pid))
			stat->by_pid[stat->tasks[i].pid] = 0;
	result = fold_gone(stat, places);
	key_table_clear(&stat->named);
	for (uint32_t i = 1; i < stat->task_count; i++) {
		struct stat_task *task = &stat->tasks[i];

		if (places[task->head] == KEY_NONE) {
			task->head = task->last = task->present = task->woken = i;
			task->next = 0;
			continue;
		}
		if (places[task->head] == i && stat->by_pid[task->pid] == task->head)
			stat->by_pid[task->pid] = i;
		task->head = places[task->head];
		task->next = places[task->next];
		task->last = places[task->last];
		task->present = places[task->present];
		task->woken = places[task->woken];
	}
	for (uint32_t i = 1; i < stat->task_count; i++)
		if (has_several(stat, &stat->tasks[i]) && note_name(stat, i))
			result = -ENOMEM;
	free(places);
	/* Live tasks are kept, however many they are. */
	if (2 * stat->task_count > stat->task_limit)
		stat->task_limit *= 2;
	/* CPUs have indexes of tasks. */
	for (unsigned int i = 0; i < stat->cpu_count; i++) {
		stat->cpus[i].pid = EVTLOG_PID_UNKNOWN;
		stat->cpus[i].task = 0;
	}
	return result;
}

/* ---- Tasks ---- */

/* Makes room for one more task. This may change indexes. */
static int make_room(struct stat *stat)
{
	if (stat->task_count >= stat->task_limit && compact(stat))
		return -ENOMEM;
	return array_reserve(&stat->tasks, &stat->task_capacity, stat->task_count,
			     sizeof(*stat->tasks));
}

static int64_t add_task(struct stat *stat, uint32_t pid)
{
	const struct evtlog_task *known = evtlog_tasks_find(stat->names, pid);
	struct stat_task *task;

	if (make_room(stat))
		return -ENOMEM;
	task = &stat->tasks[stat->task_count];
	*task = (struct stat_task) { .pid = pid };
	task->head = task->last = task->present = task->woken = stat->task_count;
	if (known) {
		memcpy(task->comm, known->comm, sizeof(task->comm));
		task->kernel_thread = known->flags & EVTLOG_TASK_KTHREAD;
	}
	stat->by_pid[pid] = stat->task_count;
	return stat->task_count++;
}

int64_t stat_task_slow(struct stat *stat, uint32_t pid)
{
	/* No kernel assigns such a pid: the header is forged. */
	if (pid >= STAT_PIDS)
		return 0;
	return stat->by_pid[pid] ? stat->by_pid[pid] : add_task(stat, pid);
}

static int fork_task(struct stat *stat, uint32_t pid)
{
	uint32_t old = stat->by_pid[pid];
	int64_t index;

	if (old) {
		stat->tasks[old].exited = true;
		stat->by_pid[pid] = 0;
	}
	index = add_task(stat, pid);
	if (index < 0)
		return index;
	stat->tasks[index].kernel_thread = false;
	return 0;
}

static bool did_something(const struct stat_task *task)
{
	return task->run_ns || task->switches || task->wakeups || task->migrations;
}

/* Adds a name that the task with @pid did not have before. */
static int add_name(struct stat *stat, uint32_t pid, const char *comm)
{
	struct stat_task *head, *task;
	uint32_t number;

	if (make_room(stat))
		return -ENOMEM;
	/* The task has exited and was summed up. */
	if (!stat->by_pid[pid])
		return 0;
	number = stat->task_count++;
	head = &stat->tasks[stat->by_pid[pid]];
	if (!head->next && note_name(stat, head->head))
		return -ENOMEM;
	task = &stat->tasks[number];
	*task = (struct stat_task) {
		.head = head->head, .last = number, .present = number, .woken = number, .pid = pid
	};
	memcpy(task->comm, comm, sizeof(task->comm));
	stat->tasks[head->last].next = number;
	head->last = number;
	head->present = number;
	return note_name(stat, number);
}

static int set_name(struct stat *stat, const struct task_naming *naming)
{
	uint32_t head = stat->by_pid[naming->pid];
	struct stat_task *present = stat_task_present(stat, head);
	const struct name_of name = { head, naming->comm };
	uint32_t known;

	if (has_comm(stat->tasks, present - stat->tasks, naming->comm))
		return 0;
	known = key_table_find_same(&stat->named, hash_named(head, naming->comm), is_named,
				    stat->tasks, &name);
	if (known != KEY_NONE) {
		stat->tasks[head].present = known;
		return 0;
	}
	/* Replace a name with no activity, or an unknown name if the new name was only seen. */
	if (!did_something(present) || (naming->is_seen && !present->comm[0])) {
		memcpy(present->comm, naming->comm, sizeof(present->comm));
		return has_several(stat, present) ? note_name(stat, present - stat->tasks) : 0;
	}
	return add_name(stat, naming->pid, naming->comm);
}

int stat_task_name(struct stat *stat, const struct evtlog_event *event)
{
	struct task_naming naming;

	if (!task_naming(event, &naming) || naming.pid >= STAT_PIDS)
		return 0;
	if (evtlog_tasks_update(stat->names, event))
		return -ENOMEM;
	if (event->known == EVTLOG_SCHED_PROCESS_FORK)
		return fork_task(stat, naming.pid);
	if (!stat->by_pid[naming.pid])
		return 0;
	if (event->known == EVTLOG_TASK)
		stat->tasks[stat->by_pid[naming.pid]].kernel_thread =
			event->words[3] >> 32 & EVTLOG_TASK_KTHREAD;
	return set_name(stat, &naming);
}

void stat_task_exit(struct stat *stat, uint32_t pid)
{
	if (stat->by_pid[pid])
		stat->tasks[stat->by_pid[pid]].exited = true;
}

/* Per thread, as a server sums up for several requests at once */
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
		/* Tasks with too few waits are last. */
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

/* Largest first, or by name; equal ones by pid. */
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

/* ---- Rows ---- */

static bool is_wanted(const struct stat *stat, const struct stat_task *task)
{
	return (task->run_ns || task->switches || task->wakeups) &&
	       filter_has_task(&stat->filter, task->folded ? EVTLOG_PID_UNKNOWN : task->pid,
			       task->comm);
}

const struct stat_task *stat_task_next_name(const struct stat *stat, const struct stat_task *row,
					    const struct stat_task *name)
{
	uint32_t at = name ? name->next : row->head;

	while (at && !is_wanted(stat, &stat->tasks[at]))
		at = stat->tasks[at].next;
	return at ? &stat->tasks[at] : NULL;
}

/* Adds the sum of a task over its wanted names. */
static int add_row(struct stat *stat, const struct stat_task *head)
{
	struct stat_task *row = &stat->rows[stat->row_count];
	const struct stat_task *name = NULL;

	while ((name = stat_task_next_name(stat, head, name))) {
		struct stat_task *from = &stat->tasks[name - stat->tasks];

		if (!row->head) {
			*row = (struct stat_task) {
				.head = head->head, .pid = head->pid, .folded = head->folded,
				.kernel_thread = head->kernel_thread
			};
			stat->row_count++;
		}
		if (add_sums(row, from))
			return -ENOMEM;
		if (!row->present)
			memcpy(row->comm, from->comm, sizeof(row->comm));
		if (head->present == name - stat->tasks)
			row->present = head->present;
	}
	return 0;
}

int stat_tasks_sort(struct stat *stat, enum stat_sort sort)
{
	stat->rows = calloc(stat->task_count, sizeof(*stat->rows));
	if (!stat->rows)
		return -ENOMEM;
	for (uint32_t i = 1; i < stat->task_count; i++) {
		const struct stat_task *task = &stat->tasks[i];

		/* Pid 0 is idle and has no row, except in the log of a tree (outside). */
		if (task->head != i || task->pid == EVTLOG_PID_UNKNOWN ||
		    (!task->folded && !task->pid && !stat->unknown.others))
			continue;
		if (add_row(stat, task))
			return -ENOMEM;
	}
	sort_by = sort;
	qsort(stat->rows, stat->row_count, sizeof(*stat->rows), compare_tasks);
	return 0;
}
