// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The tasks of a host: their numbers, states and queues.
 *
 * replay.c calls it. It does not know events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/base/zeros.h"

int replay_init(struct replay *replay, const struct evtlog_file *file)
{
	replay->file = file;
	replay->cpu_count = evtlog_cpu_count(file);
	replay->cpus = calloc(replay->cpu_count + 1, sizeof(*replay->cpus));
	replay->by_pid = zeros_new(REPLAY_PIDS * sizeof(*replay->by_pid));
	if (!replay->cpus || !replay->by_pid || replay_reserve(replay) ||
	    array_reserve_more(&replay->changes, &replay->change_capacity, 0, CHANGES_MAX,
			       sizeof(*replay->changes)))
		return -ENOMEM;
	for (unsigned int i = 0; i < replay->cpu_count; i++) {
		replay->cpus[i].number = evtlog_cpu_number(file, i);
		replay->cpus[i].runs = EVTLOG_PID_UNKNOWN;
	}
	memset(replay->tasks, 0, (REPLAY_IDLE + 1) * sizeof(*replay->tasks));
	replay->tasks[REPLAY_NOBODY].cpu = replay->tasks[REPLAY_NOBODY].queue = NO_SLOT;
	replay->tasks[REPLAY_IDLE] = replay->tasks[REPLAY_NOBODY];
	replay->tasks[REPLAY_IDLE].state = REPLAY_RUNNING;
	replay->by_pid[0] = REPLAY_IDLE;
	replay->task_count = REPLAY_IDLE + 1;
	return 0;
}

void replay_free(struct replay *replay)
{
	free(replay->cpus);
	free(replay->tasks);
	zeros_free(replay->by_pid, REPLAY_PIDS * sizeof(*replay->by_pid));
	free(replay->changes);
}

void replay_find_switches(struct replay *replay)
{
	replay->no_switches =
		evtlog_recorded(replay->file, EVTLOG_SCHED_SWITCH) == EVTLOG_RECORDED_OFF;
}

/* ---- Numbers ---- */

uint32_t replay_task_slow(struct replay *replay, uint32_t pid)
{
	uint32_t number = replay->free;

	if (!pid || pid >= REPLAY_PIDS)
		return REPLAY_NOBODY;
	if (number != REPLAY_NOBODY)
		replay->free = replay->tasks[number].heir;
	else if (replay->task_count < replay->task_capacity)
		number = replay->task_count++;
	else
		return REPLAY_NOBODY;
	replay->tasks[number] = (struct replay_task) {
		.pid = pid, .cpu = NO_SLOT, .queue = NO_SLOT, .is_used = true,
	};
	replay->by_pid[pid] = number;
	return number;
}

/* ---- States ---- */

void replay_set_queue(struct replay *replay, struct replay_task *task)
{
	bool waits = replay_is_waiting(task->state);
	bool is_on = (waits || task->state == REPLAY_RUNNING) && task->placed;
	uint32_t queue = is_on && replay->cpus[task->cpu].known ? task->cpu : NO_SLOT;

	replay->doubtful += (waits && !task->placed) - task->doubtful;
	task->doubtful = waits && !task->placed;
	if (queue == task->queue)
		return;
	if (task->queue != NO_SLOT)
		replay->cpus[task->queue].count--;
	if (queue != NO_SLOT)
		replay->cpus[queue].count++;
	task->queue = queue;
}

void replay_forget_task(struct replay *replay, uint32_t number, int64_t time)
{
	struct replay_task *task = &replay->tasks[number];
	struct replay_change *change = NULL;

	task->placed = false;
	if (task->state) {
		change = replay_change(replay, REPLAY_STATE, number, time);
		change->next = REPLAY_UNKNOWN;
		change->cut = true;
		replay_put_state(task, REPLAY_UNKNOWN, time, true);
	}
	if (replay_has_queues(replay))
		replay_set_queue(replay, task);
	if (change)
		change->next_queue = task->queue;
}

void replay_move(struct replay *replay, uint32_t number, uint32_t cpu, bool placed)
{
	struct replay_change *change = replay_has_queues(replay) ?
		replay_change(replay, REPLAY_MOVE, number, replay->now) : NULL;
	struct replay_task *task = &replay->tasks[number];

	task->cpu = cpu;
	task->placed = placed;
	if (!change)
		return;
	replay_set_queue(replay, task);
	change->next_queue = task->queue;
	if (task->queue == change->queue)
		replay->change_count--;
}

void replay_end_task(struct replay *replay, uint32_t number)
{
	struct replay_task *task = &replay->tasks[number];
	struct replay_change *change;

	change = replay_change(replay, REPLAY_END, number, replay->now);
	task->state = REPLAY_UNKNOWN;
	if (replay_has_queues(replay))
		replay_set_queue(replay, task);
	change->next = REPLAY_UNKNOWN;
	change->next_queue = NO_SLOT;
	if (replay->by_pid[task->pid] == number)
		replay->by_pid[task->pid] = REPLAY_NOBODY;
	task->is_used = false;
	task->heir = replay->free;
	replay->free = number;
}
