// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Whether the bytes of a checkpoint can be taken: nothing in them is believed.
 *
 * Called by checkpoint.c.  What they say may be wrong; it leads nowhere where it must not.
 */
#include <string.h>

#include "checkpoint.h"

/* Of threads, processes and events: there are never so many, and sums with it fit. */
#define NUMBERS_MAX	(INT64_C(1) << 48)

/* By the log's clock, before the checkpoint, or unknown */
static bool time_fits(const struct checkpoint_saved *saved, int64_t time)
{
	return time == INT64_MIN || (time >= 0 && (uint64_t)time <= saved->time_ns);
}

bool checkpoint_counts_fit(const struct tables *tables, const struct checkpoint_saved *saved,
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

/* Bytes that are read as bool must be one. */
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

/* Of any task, the idle one too */
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
	       (task->cpu < saved->cpus || task->cpu == UINT32_MAX) &&
	       (task->state != STATE_RUNNING || task->cpu != UINT32_MAX) &&
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

/* Numbers from @first up to @limit, which is not included */
static bool numbers_fit(const struct checkpoint_part *part, uint64_t first, uint64_t limit)
{
	const uint32_t *numbers = part->at;

	for (uint64_t i = 0; i < part->count; i++)
		if (numbers[i] < first || numbers[i] >= limit)
			return false;
	return true;
}

bool checkpoint_parts_fit(const struct tables *tables, const struct checkpoint_saved *saved,
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
	/* The first ones stay as they are made: nothing of a log is about them. */
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
