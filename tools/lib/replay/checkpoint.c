// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Continues from the state after an event that was saved.
 *
 * Checkpoints of tables and of interval counters call it. It does not store bytes.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"

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

static bool time_fits(int64_t time, int64_t limit)
{
	return time == INT64_MIN || (time >= 0 && time <= limit);
}

static bool cpu_fits(const struct replay_cpu *cpu, size_t task_count, int64_t limit)
{
	return cpu->task < task_count && time_fits(cpu->since, limit) &&
	       time_fits(cpu->last, limit) &&
	       ARE_BOOLS(&cpu->known, &cpu->gap_taken, &cpu->lossy, &cpu->cut);
}

static bool task_fits(const struct replay *replay, const struct replay_task *task,
		      size_t task_count, int64_t limit)
{
	bool has_cpu = task->cpu < replay->cpu_count;

	return task->pid && task->pid < REPLAY_PIDS && (has_cpu || task->cpu == NO_SLOT) &&
	       (task->queue == NO_SLOT || (has_cpu && task->queue == task->cpu)) &&
	       ARE_BOOLS(&task->is_used, &task->placed, &task->doubtful, &task->cut,
			 &task->woken, &task->in_irq, &task->exits) &&
	       (has_cpu || (!task->placed && task->state != REPLAY_RUNNING)) &&
	       task->state < REPLAY_STATES && task->heir < task_count &&
	       task->heir != REPLAY_IDLE &&
	       time_fits(task->since, limit);
}

bool replay_fits(const struct replay *replay, const struct replay_checkpoint *checkpoint,
		 int64_t time)
{
	size_t count = checkpoint->task_count;

	if (count <= REPLAY_IDLE || checkpoint->free >= count)
		return false;
	for (unsigned int i = 0; i < replay->cpu_count; i++)
		if (checkpoint->cpus[i].number != replay->cpus[i].number ||
		    !cpu_fits(&checkpoint->cpus[i], count, time))
			return false;
	/* The unknown task and the idle task never change. */
	if (memcmp(checkpoint->tasks, replay->tasks, (REPLAY_IDLE + 1) * sizeof(*replay->tasks)))
		return false;
	for (size_t i = REPLAY_IDLE + 1; i < count; i++)
		if (!task_fits(replay, &checkpoint->tasks[i], count, time))
			return false;
	return checkpoint->free != REPLAY_IDLE;
}

int replay_restore(struct replay *replay, const struct replay_checkpoint *checkpoint)
{
	size_t count = checkpoint->task_count;

	if (array_reserve_more(&replay->tasks, &replay->task_capacity, 0, count,
			       sizeof(*replay->tasks)))
		return -ENOMEM;
	memcpy(replay->tasks, checkpoint->tasks, count * sizeof(*replay->tasks));
	memcpy(replay->cpus, checkpoint->cpus, replay->cpu_count * sizeof(*replay->cpus));
	replay->task_count = count;
	replay->free = checkpoint->free;
	replay_find_switches(replay);
	replay->lossy = 0;
	replay->doubtful = 0;
	for (unsigned int i = 0; i < replay->cpu_count; i++) {
		replay->cpus[i].count = 0;
		replay->lossy += replay->cpus[i].lossy;
	}
	for (size_t i = REPLAY_IDLE + 1; i < count; i++) {
		const struct replay_task *task = &replay->tasks[i];

		replay->doubtful += task->doubtful;
		if (task->queue != NO_SLOT)
			replay->cpus[task->queue].count++;
		if (task->is_used)
			replay->by_pid[task->pid] = i;
	}
	return 0;
}
