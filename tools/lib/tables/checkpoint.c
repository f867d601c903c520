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
	       saved->cpus == tables->cpu_count && saved->tasks > TASK_IDLE &&
	       saved->tasks <= length / sizeof(struct task) && saved->processes &&
	       saved->processes <= length / sizeof(struct process) &&
	       saved->losses <= length / sizeof(int64_t) &&
	       (saved->losses || !saved->lost_until_ns) &&
	       saved->free_tasks <= saved->tasks && saved->free_processes <= saved->processes &&
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
	if (cpu->number != tables->cpus[index].number || cpu->task >= saved->tasks ||
	    cpu->depth > PLACES_MAX || cpu->exception_count > EXCEPTIONS_MAX ||
	    !time_fits(saved, cpu->since) || !time_fits(saved, cpu->last) ||
	    !time_fits(saved, cpu->user) ||
	    !ARE_BOOLS(&cpu->known, &cpu->wanted, &cpu->gap_told, &cpu->cut, &cpu->user_cut))
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

	return wait->sleep_state < STATES && wait->wait_state < STATES &&
	       number_fits(wait->waker, saved->utid) &&
	       ARE_BOOLS(&wait->sleep_wanted, &wait->wait_wanted, &wait->wake_wanted,
			 &wait->has_wake, &wait->woken, &wait->in_irq, &task->cut,
			 &task->woken, &task->in_irq, &task->exits, &task->calls,
			 &task->compat, &task->is_kernel, &task->kernel_known,
			 &task->named);
}

static bool task_fits(const struct checkpoint_saved *saved, const struct task *task)
{
	return task->pid && task->pid < PIDS && task->process < saved->processes &&
	       (task->cpu < saved->cpus || task->cpu == NO_SLOT) &&
	       (task->state != STATE_RUNNING || task->cpu != NO_SLOT) &&
	       task->losses <= saved->losses && task->replaced_by < saved->tasks &&
	       task->state < STATES && task->exception_count <= EXCEPTIONS_MAX &&
	       number_fits(task->utid, saved->utid) && number_fits(task->waker, saved->utid) &&
	       time_fits(saved, task->since) && time_fits(saved, task->start) &&
	       time_fits(saved, task->end) && time_fits(saved, task->named_since) && spans_fit(saved, &task->call, 1) &&
	       spans_fit(saved, task->exceptions, task->exception_count);
}

static bool process_fits(const struct checkpoint_saved *saved, const struct process *process)
{
	return process->pid < PIDS && number_fits(process->upid, saved->upid) &&
	       number_fits(process->parent, saved->upid) && time_fits(saved, process->start) &&
	       time_fits(saved, process->end) &&
	       ARE_BOOLS(&process->named, &process->is_kernel, &process->kernel_known);
}

static bool losses_fit(const struct checkpoint_saved *saved, const struct checkpoint_part *part)
{
	const int64_t *losses = part->at;

	for (uint64_t i = 0; i < part->count; i++)
		if (!time_fits(saved, losses[i]))
			return false;
	return true;
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

	for (unsigned int i = 0; i < saved->cpus; i++)
		if (!cpu_fits(tables, saved, &cpus[i], i))
			return false;
	for (uint64_t i = 0; i < saved->tasks; i++)
		if (!any_task_fits(saved, &tasks[i]))
			return false;
	/* The unknown task and the idle task never change. */
	if (memcmp(tasks, tables->tasks, (TASK_IDLE + 1) * sizeof(*tasks)))
		return false;
	for (uint64_t i = TASK_IDLE + 1; i < saved->tasks; i++)
		if (!task_fits(saved, &tasks[i]))
			return false;
	for (uint64_t i = 0; i < saved->processes; i++)
		if (!process_fits(saved, &processes[i]))
			return false;
	return losses_fit(saved, &parts[LOSSES]) &&
	       numbers_fit(&parts[FREE_TASKS], TASK_IDLE + 1, saved->tasks) &&
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

/* Numbers of a checkpoint count from 1: shifts them to where the numbers of this log begin. */
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
