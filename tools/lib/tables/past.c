// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Have all rows of a time window been emitted? A row is emitted when its interval ends.
 *
 * Queries of a window call it, so that they need not read a log to its end.
 */
#include "internal.h"

struct window {
	int64_t from;
	int64_t to;
};

static bool is_in(const struct window *window, int64_t time)
{
	return time >= window->from && time <= window->to;
}

/* A CPU's next event may show that the CPU was in an interrupt since its last event. */
static bool cpu_is_past(const struct tables *tables, const struct cpu *cpu,
			const struct window *window)
{
	const struct replay_cpu *at = cpu_at(tables, cpu);

	if (!at->known)
		return true;
	if (at->last <= window->to)
		return false;
	if (tables_want(tables, TABLE_SCHED_SLICE) && at->task && is_in(window, at->since))
		return false;
	if (tables_want(tables, TABLE_USER_SLICE) && is_in(window, cpu->user))
		return false;
	for (unsigned int i = 0; i < cpu->depth; i++)
		if (is_in(window, cpu->nested[i].since))
			return false;
	for (unsigned int i = 0; i < cpu->exception_count; i++)
		if (is_in(window, cpu->exceptions[i].since))
			return false;
	return true;
}

static bool task_is_past(const struct tables *tables, uint32_t number,
			 const struct window *window)
{
	const struct replay_task *state = &tables->replay.tasks[number];
	const struct task *task = &tables->tasks[number];

	if (state->state && tables->wanted & OF_STATES && is_in(window, state->since))
		return false;
	if (task->calls && tables_want(tables, TABLE_SYSCALL_SLICE) &&
	    is_in(window, task->call.since))
		return false;
	for (unsigned int i = 0; i < task->exception_count; i++)
		if (tables_want(tables, TABLE_EXCEPTION_SLICE) &&
		    is_in(window, task->exceptions[i].since))
			return false;
	return true;
}

bool tables_is_past(const struct tables *tables, int64_t from, int64_t to)
{
	const struct window window = { from, to };
	const uint32_t of_tasks = OF_STATES | UINT32_C(1) << TABLE_SYSCALL_SLICE |
				  UINT32_C(1) << TABLE_EXCEPTION_SLICE;

	if (!tables->opened || tables->now <= to)
		return false;
	for (unsigned int i = 0; i < tables->cpu_count; i++)
		if (!cpu_is_past(tables, &tables->cpus[i], &window))
			return false;
	for (uint32_t i = REPLAY_IDLE + 1;
	     tables->wanted & of_tasks && i < tables->replay.task_count; i++)
		if (tables->tasks[i].utid && !task_is_past(tables, i, &window))
			return false;
	return true;
}
