// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Saves the state of a log that is being read as bytes, and restores it.
 *
 * An index contains some checkpoints of each log; queries of a window start from them. The bytes
 * are structs of this program. A caller that stores them must store INDEX_VERSION with them, and
 * this version is raised when a struct changes.
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
	parts[REPLAY_CPUS] = (struct checkpoint_part) {
		NULL, saved->cpus, sizeof(struct replay_cpu)
	};
	parts[REPLAY_TASKS] = (struct checkpoint_part) {
		NULL, saved->tasks, sizeof(struct replay_task)
	};
	parts[PROCESSES] = (struct checkpoint_part) { NULL, saved->processes, sizeof(struct process) };
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
		.replay_bytes = sizeof(struct replay_cpu) + sizeof(struct replay_task),
		.cpus = tables->cpu_count,
		.free = tables->replay.free,
		.tasks = tables->replay.task_count,
		.processes = tables->process_count,
		.free_processes = tables->free_process_count,
		.time_ns = tables->pending->time_ns,
		.raw_ns = tables->raw_ns,
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
	parts[REPLAY_CPUS].at = tables->replay.cpus;
	parts[REPLAY_TASKS].at = tables->replay.tasks;
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

/* ---- Checks before bytes are used: nothing in them is trusted ---- */

/* Limit for numbers of threads, processes and events: never reached, and sums do not overflow */
#define NUMBERS_MAX	(INT64_C(1) << 48)

/* Unknown, or a time of the log's clock before the checkpoint */
static bool time_fits(const struct checkpoint_saved *saved, int64_t time)
{
	return time == INT64_MIN || (time >= 0 && (uint64_t)time <= saved->time_ns);
}

/* Returns true if the counts fit to a checkpoint of @length bytes of this log. */
static bool checkpoint_counts_fit(const struct tables *tables, const struct checkpoint_saved *saved,
				  size_t length)
{
	return saved->cpu_bytes == sizeof(struct cpu) &&
	       saved->task_bytes == sizeof(struct task) &&
	       saved->process_bytes == sizeof(struct process) &&
	       saved->replay_bytes == sizeof(struct replay_cpu) + sizeof(struct replay_task) &&
	       saved->cpus == tables->cpu_count && saved->tasks > REPLAY_IDLE &&
	       saved->tasks <= length / sizeof(struct task) && saved->processes &&
	       saved->processes <= length / sizeof(struct process) &&
	       saved->free_processes <= saved->processes &&
	       saved->time_ns >= 2 && saved->time_ns <= INT64_MAX &&
	       saved->raw_ns < saved->time_ns && time_fits(saved, saved->now) &&
	       saved->utid > 0 && saved->utid <= NUMBERS_MAX && saved->upid > 0 &&
	       saved->upid <= NUMBERS_MAX && saved->event >= 0 && saved->event <= NUMBERS_MAX;
}

static bool number_fits(int64_t number, int64_t next)
{
	return number >= -1 && number < next;
}

/* Bytes that are read as bool must be 0 or 1. */
static bool are_bools(const bool *const *at, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (*(const uint8_t *)at[i] > 1)
			return false;
	return true;
}

#define ARE_BOOLS(...) are_bools((const bool *const []) { __VA_ARGS__ }, \
				 sizeof((const bool *const []) { __VA_ARGS__ }) / sizeof(bool *))

static bool spans_fit(const struct checkpoint_saved *saved, const struct span *spans,
		      unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (!time_fits(saved, spans[i].since) || !ARE_BOOLS(&spans[i].cut))
			return false;
	return true;
}

static bool cpu_fits(const struct tables *tables, const struct checkpoint_saved *saved,
		     const struct cpu *cpu, unsigned int index)
{
	if (cpu->number != tables->cpus[index].number || cpu->slot != index ||
	    cpu->depth > PLACES_MAX || cpu->exception_count > EXCEPTIONS_MAX ||
	    !time_fits(saved, cpu->user) || !ARE_BOOLS(&cpu->wanted))
		return false;
	for (unsigned int i = 0; i < cpu->depth; i++)
		if (!time_fits(saved, cpu->nested[i].since) || !ARE_BOOLS(&cpu->nested[i].cut))
			return false;
	return spans_fit(saved, cpu->exceptions, cpu->exception_count);
}

/* Checks for all tasks, with the idle task */
static bool any_task_fits(const struct checkpoint_saved *saved, const struct task *task)
{
	const struct wait *wait = &task->wait;

	return wait->sleep_state < REPLAY_STATES && wait->wait_state < REPLAY_STATES &&
	       number_fits(wait->waker, saved->utid) &&
	       ARE_BOOLS(&wait->sleep_wanted, &wait->wait_wanted, &wait->wake_wanted,
			 &wait->has_wake, &wait->woken, &wait->in_irq, &task->calls,
			 &task->compat, &task->is_kernel, &task->kernel_known,
			 &task->named);
}

static bool task_fits(const struct checkpoint_saved *saved, const struct task *task)
{
	return task->pid < REPLAY_PIDS && task->process < saved->processes &&
	       task->exception_count <= EXCEPTIONS_MAX &&
	       number_fits(task->utid, saved->utid) && number_fits(task->waker, saved->utid) &&
	       time_fits(saved, task->start) && time_fits(saved, task->end) &&
	       time_fits(saved, task->named_since) && spans_fit(saved, &task->call, 1) &&
	       spans_fit(saved, task->exceptions, task->exception_count);
}

static bool process_fits(const struct checkpoint_saved *saved, const struct process *process)
{
	return process->pid < REPLAY_PIDS && number_fits(process->upid, saved->upid) &&
	       number_fits(process->parent, saved->upid) && time_fits(saved, process->start) &&
	       time_fits(saved, process->end) &&
	       ARE_BOOLS(&process->named, &process->is_kernel, &process->kernel_known);
}

static struct replay_checkpoint replay_of(const struct checkpoint_saved *saved,
					  const struct checkpoint_part *parts)
{
	return (struct replay_checkpoint) {
		.cpus = parts[REPLAY_CPUS].at,
		.tasks = parts[REPLAY_TASKS].at,
		.task_count = saved->tasks,
		.free = saved->free,
	};
}

/* Returns true if all numbers are from @first to before @limit. */
static bool numbers_fit(const struct checkpoint_part *part, uint64_t first, uint64_t limit)
{
	const uint32_t *numbers = part->at;

	for (uint64_t i = 0; i < part->count; i++)
		if (numbers[i] < first || numbers[i] >= limit)
			return false;
	return true;
}

/* Returns true if no number in the parts leads out of its array or range. */
static bool checkpoint_parts_fit(const struct tables *tables, const struct checkpoint_saved *saved,
				 const struct checkpoint_part *parts)
{
	const struct cpu *cpus = parts[CPUS].at;
	const struct task *tasks = parts[TASKS].at;
	const struct process *processes = parts[PROCESSES].at;
	const struct replay_checkpoint replay = replay_of(saved, parts);

	for (unsigned int i = 0; i < saved->cpus; i++)
		if (!cpu_fits(tables, saved, &cpus[i], i))
			return false;
	for (uint64_t i = 0; i < saved->tasks; i++)
		if (!any_task_fits(saved, &tasks[i]))
			return false;
	/* The unknown task and the idle task never change. */
	if (memcmp(tasks, tables->tasks, (REPLAY_IDLE + 1) * sizeof(*tasks)))
		return false;
	for (uint64_t i = REPLAY_IDLE + 1; i < saved->tasks; i++)
		if (!task_fits(saved, &tasks[i]))
			return false;
	for (uint64_t i = 0; i < saved->processes; i++)
		if (!process_fits(saved, &processes[i]))
			return false;
	return replay_fits(&tables->replay, &replay, saved->time_ns) &&
	       numbers_fit(&parts[FREE_PROCESSES], 1, saved->processes);
}

/* Finds the parts of @bytes. Returns false if @bytes are not a checkpoint of this log. */
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

static int take_parts(struct tables *tables, const struct checkpoint_saved *saved,
		      const struct checkpoint_part *parts)
{
	const struct replay_checkpoint replay = replay_of(saved, parts);
	const struct cpu *cpus = parts[CPUS].at;

	if (replay_restore(&tables->replay, &replay) || tables_tasks_reserve(tables) ||
	    copy(&tables->processes, &tables->process_capacity, &parts[PROCESSES]) ||
	    copy(&tables->free_processes, &tables->free_process_capacity, &parts[FREE_PROCESSES]))
		return -ENOMEM;
	for (unsigned int i = 0; i < tables->cpu_count; i++) {
		bool wanted = tables->cpus[i].wanted;

		tables->cpus[i] = cpus[i];
		tables->cpus[i].wanted = wanted;
	}
	memcpy(tables->tasks, parts[TASKS].at, parts[TASKS].count * sizeof(*tables->tasks));
	tables->process_count = parts[PROCESSES].count;
	tables->free_process_count = parts[FREE_PROCESSES].count;
	return 0;
}

/* Converts a time of the log's clock to a time of rows. */
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

		place(tables, &tables->replay.cpus[i].since);
		place(tables, &tables->replay.cpus[i].last);
		place(tables, &cpu->user);
		for (unsigned int k = 0; k < cpu->depth; k++)
			place(tables, &cpu->nested[k].since);
		place_spans(tables, cpu->exceptions, cpu->exception_count);
	}
	for (uint32_t i = REPLAY_IDLE + 1; i < tables->replay.task_count; i++) {
		struct task *task = &tables->tasks[i];

		place(tables, &tables->replay.tasks[i].since);
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
}

static void move(int64_t *number, int64_t by)
{
	if (*number > 0)
		*number += by;
}

/* Numbers of a checkpoint count from 1: shifts them to where the numbers of this log begin. */
static void move_numbers(struct tables *tables, const struct checkpoint_saved *saved)
{
	struct tables_numbers *numbers = tables->options.numbers;
	int64_t utids = numbers->utid - 1, upids = numbers->upid - 1;

	for (uint32_t i = REPLAY_IDLE + 1; i < tables->replay.task_count; i++) {
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
	for (uint32_t i = 1; i < tables->process_count; i++)
		if (tables->processes[i].upid)
			tables->process_of_pid[tables->processes[i].pid] = i;
}

/* Buffers start before the checkpoint: skips their events that were already taken. */
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
	error = take_parts(tables, &saved, parts);
	if (error)
		return error;
	tables->now = saved.now;
	tables->raw_ns = saved.raw_ns;
	tables->events = saved.events;
	move_numbers(tables, &saved);
	if (tables->options.hosts)
		place_times(tables);
	find_pids(tables);
	return skip_to(tables, saved.time_ns);
}
