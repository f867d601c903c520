// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The state of a log that is being read, as bytes, and going on from there.
 *
 * An index has some of each log; queries of a window start from them.  The bytes are this
 * program's own structures: whoever keeps them notes INDEX_VERSION with them, which is raised
 * when a structure changes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "lib/base/array.h"

static size_t padded(uint64_t bytes)
{
	return (bytes + 7) & ~UINT64_C(7);
}

static void set_parts(struct checkpoint_part *parts, const struct checkpoint_saved *saved)
{
	parts[CPUS] = (struct checkpoint_part) { NULL, saved->cpus, sizeof(struct cpu) };
	parts[TASKS] = (struct checkpoint_part) { NULL, saved->tasks, sizeof(struct task) };
	parts[PROCESSES] = (struct checkpoint_part) { NULL, saved->processes, sizeof(struct process) };
	parts[LOSSES] = (struct checkpoint_part) { NULL, saved->losses, sizeof(int64_t) };
	parts[FREE_TASKS] = (struct checkpoint_part) { NULL, saved->free_tasks, sizeof(uint32_t) };
	parts[FREE_PROCESSES] = (struct checkpoint_part) {
		NULL, saved->free_processes, sizeof(uint32_t)
	};
}

/* ---- To bytes ---- */

static void fill(struct checkpoint_saved *saved, const struct tables *tables)
{
	*saved = (struct checkpoint_saved) {
		.cpu_bytes = sizeof(struct cpu),
		.task_bytes = sizeof(struct task),
		.process_bytes = sizeof(struct process),
		.cpus = tables->cpu_count,
		.tasks = tables->task_count,
		.processes = tables->process_count,
		.losses = tables->loss_count,
		.free_tasks = tables->free_task_count,
		.free_processes = tables->free_process_count,
		.time_ns = tables->pending->time_ns,
		.raw_ns = tables->raw_ns,
		.lost_until_ns = tables->lost_until_ns,
		.events = tables->events,
		.now = tables->now,
		.utid = tables->options.numbers->utid,
		.upid = tables->options.numbers->upid,
		.event = tables->options.numbers->event,
	};
}

int tables_save(struct tables *tables, struct tables_checkpoint *checkpoint)
{
	struct checkpoint_part parts[PARTS];
	struct checkpoint_saved saved;
	uint64_t next_ns;
	char *to;
	int result = tables_peek(tables, &next_ns);

	*checkpoint = (struct tables_checkpoint) { 0 };
	if (result <= 0 || !tables->opened || next_ns <= tables->raw_ns || next_ns < 2)
		return result < 0 ? result : 0;
	fill(&saved, tables);
	set_parts(parts, &saved);
	parts[CPUS].at = tables->cpus;
	parts[TASKS].at = tables->tasks;
	parts[PROCESSES].at = tables->processes;
	parts[LOSSES].at = tables->losses;
	parts[FREE_TASKS].at = tables->free_tasks;
	parts[FREE_PROCESSES].at = tables->free_processes;
	checkpoint->length = sizeof(saved);
	for (unsigned int i = 0; i < PARTS; i++)
		checkpoint->length += padded(parts[i].count * parts[i].size);
	checkpoint->bytes = to = calloc(1, checkpoint->length);
	if (!to)
		return -ENOMEM;
	checkpoint->time_ns = saved.time_ns;
	checkpoint->event = saved.event;
	memcpy(to, &saved, sizeof(saved));
	to += sizeof(saved);
	for (unsigned int i = 0; i < PARTS; i++) {
		if (parts[i].count)
			memcpy(to, parts[i].at, parts[i].count * parts[i].size);
		to += padded(parts[i].count * parts[i].size);
	}
	return 1;
}

/* ---- From bytes ---- */

/* The parts of @bytes; false: they are no checkpoint of this log. */
static bool find_parts(const struct tables *tables, const char *bytes, size_t length,
		       struct checkpoint_saved *saved, struct checkpoint_part *parts)
{
	size_t used = sizeof(*saved);

	if (length < sizeof(*saved))
		return false;
	memcpy(saved, bytes, sizeof(*saved));
	if (!checkpoint_counts_fit(tables, saved, length))
		return false;
	set_parts(parts, saved);
	for (unsigned int i = 0; i < PARTS; i++) {
		size_t needed = padded(parts[i].count * parts[i].size);

		if (needed > length - used)
			return false;
		parts[i].at = (void *)(bytes + used);
		used += needed;
	}
	return used == length;
}

static int copy(void *array, size_t *capacity, const struct checkpoint_part *part)
{
	void *at;

	if (array_reserve_more(array, capacity, 0, part->count, part->size))
		return -ENOMEM;
	memcpy(&at, array, sizeof(at));
	if (part->count)
		memcpy(at, part->at, part->count * part->size);
	return 0;
}

static int take_parts(struct tables *tables, const struct checkpoint_part *parts)
{
	const struct cpu *cpus = parts[CPUS].at;

	if (copy(&tables->tasks, &tables->task_capacity, &parts[TASKS]) ||
	    copy(&tables->processes, &tables->process_capacity, &parts[PROCESSES]) ||
	    copy(&tables->losses, &tables->loss_capacity, &parts[LOSSES]) ||
	    copy(&tables->free_tasks, &tables->free_task_capacity, &parts[FREE_TASKS]) ||
	    copy(&tables->free_processes, &tables->free_process_capacity, &parts[FREE_PROCESSES]))
		return -ENOMEM;
	for (unsigned int i = 0; i < tables->cpu_count; i++) {
		bool wanted = tables->cpus[i].wanted;

		tables->cpus[i] = cpus[i];
		tables->cpus[i].wanted = wanted;
	}
	tables->task_count = parts[TASKS].count;
	tables->process_count = parts[PROCESSES].count;
	tables->loss_count = parts[LOSSES].count;
	tables->free_task_count = parts[FREE_TASKS].count;
	tables->free_process_count = parts[FREE_PROCESSES].count;
	return 0;
}

/* A time by the log's clock becomes one of rows. */
static void place(struct tables *tables, int64_t *time)
{
	if (*time != INT64_MIN)
		*time = tables_time(tables, *time);
}

static void place_spans(struct tables *tables, struct span *spans, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		place(tables, &spans[i].since);
}

static void place_times(struct tables *tables)
{
	place(tables, &tables->now);
	for (unsigned int i = 0; i < tables->cpu_count; i++) {
		struct cpu *cpu = &tables->cpus[i];

		place(tables, &cpu->since);
		place(tables, &cpu->last);
		place(tables, &cpu->user);
		for (unsigned int k = 0; k < cpu->depth; k++)
			place(tables, &cpu->nested[k].since);
		place_spans(tables, cpu->exceptions, cpu->exception_count);
	}
	for (uint32_t i = TASK_IDLE + 1; i < tables->task_count; i++) {
		struct task *task = &tables->tasks[i];

		place(tables, &task->since);
		place(tables, &task->start);
		place(tables, &task->end);
		place(tables, &task->named_since);
		place(tables, &task->call.since);
		place_spans(tables, task->exceptions, task->exception_count);
	}
	for (uint32_t i = 1; i < tables->process_count; i++) {
		place(tables, &tables->processes[i].start);
		place(tables, &tables->processes[i].end);
	}
	for (size_t i = 0; i < tables->loss_count; i++)
		place(tables, &tables->losses[i]);
}

static void move(int64_t *number, int64_t by)
{
	if (*number > 0)
		*number += by;
}

/* Checkpoints count from 1; these tables from where their log's numbers begin. */
static void move_numbers(struct tables *tables, const struct checkpoint_saved *saved)
{
	struct tables_numbers *numbers = tables->options.numbers;
	int64_t utids = numbers->utid - 1, upids = numbers->upid - 1;

	for (uint32_t i = TASK_IDLE + 1; i < tables->task_count; i++) {
		move(&tables->tasks[i].utid, utids);
		move(&tables->tasks[i].waker, utids);
		move(&tables->tasks[i].wait.waker, utids);
	}
	for (uint32_t i = 1; i < tables->process_count; i++) {
		move(&tables->processes[i].upid, upids);
		move(&tables->processes[i].parent, upids);
	}
	numbers->utid += saved->utid - 1;
	numbers->upid += saved->upid - 1;
	numbers->event += saved->event;
}

static void find_pids(struct tables *tables)
{
	for (uint32_t i = TASK_IDLE + 1; i < tables->task_count; i++)
		if (tables->tasks[i].utid)
			tables->task_of_pid[tables->tasks[i].pid] = i;
	for (uint32_t i = 1; i < tables->process_count; i++)
		if (tables->processes[i].upid)
			tables->process_of_pid[tables->processes[i].pid] = i;
}

/* Buffers begin before it: their events up to there were taken. */
static int skip_to(struct tables *tables, uint64_t time_ns)
{
	uint64_t next_ns;
	int result;

	iterator_end(&tables->iterator);
	result = iterator_of_log(&tables->iterator, tables->file, time_ns - 1, NULL);
	if (result)
		return result;
	while ((result = tables_peek(tables, &next_ns)) > 0 && next_ns < time_ns)
		tables->pending = NULL;
	return result < 0 ? result : 0;
}

int tables_restore(struct tables *tables, const void *bytes, size_t length)
{
	struct checkpoint_part parts[PARTS];
	struct checkpoint_saved saved;
	int error;

	if (tables->opened || !find_parts(tables, bytes, length, &saved, parts) ||
	    !checkpoint_parts_fit(tables, &saved, parts))
		return -EBADMSG;
	error = take_parts(tables, parts);
	if (error)
		return error;
	tables->now = saved.now;
	tables->raw_ns = saved.raw_ns;
	tables->lost_until_ns = saved.lost_until_ns;
	tables->events = saved.events;
	move_numbers(tables, &saved);
	if (tables->options.hosts)
		place_times(tables);
	find_pids(tables);
	return skip_to(tables, saved.time_ns);
}
