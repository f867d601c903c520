// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the kernel did with a thread of a program, as a location beside the program's own.
 */
#include <stdio.h>

#include "cpu.h"
#include "regions.h"
#include "thread.h"

void threads_begin(struct host *host, size_t number)
{
	for (size_t i = 0; i < host->thread_count; i++)
		if (host->threads[i].host == number)
			host->threads[i].location.id = host->out->next_location++;
	host->number = number;
}

void thread_find(struct host *host, struct task *task)
{
	for (size_t i = 0; i < host->thread_count; i++)
		if (host->threads[i].host == host->number && host->threads[i].tid == task->pid)
			task->thread = i + 1;
}

void threads_open(struct host *host, uint64_t time_ns)
{
	for (size_t i = 0; i < host->thread_count; i++) {
		struct location *location = &host->threads[i].location;

		if (host->threads[i].host != host->number)
			continue;
		if (!location->depth) {
			location->at[0] = host->out->shared.unknown_state;
			location->depth = 1;
		}
		location_open(location, &host->out->archive, host_shown_ns(host, time_ns));
	}
}

void threads_close(struct host *host, uint64_t time_ns)
{
	for (size_t i = 0; i < host->thread_count; i++) {
		struct location *location = &host->threads[i].location;

		if (host->threads[i].host != host->number)
			continue;
		location_set(location, &host->out->archive, host_shown_ns(host, time_ns), NULL, 0);
		location_close(location, &host->out->archive);
	}
}

static uint32_t region_on_cpu(struct host *host, struct cpu *cpu)
{
	char name[32];

	if (!cpu->region) {
		snprintf(name, sizeof(name), "on CPU %u", cpu->number);
		cpu->region = archive_region(&host->out->archive, name,
					     host->out->shared.kinds[KIND_THREAD],
					     OTF2_REGION_ROLE_FUNCTION);
	}
	return cpu->region;
}

/* 0: it has exited. */
static uint32_t region_of(struct host *host, const struct task *task)
{
	const struct shared_regions *shared = &host->out->shared;

	switch (task->state) {
	case TASK_BLOCKED:
		return task->exited ? 0 : shared->states[TASK_BLOCKED];
	case TASK_WAITING:
	case TASK_PREEMPTED:
		return shared->states[task->state];
	case TASK_RUNNING:
		return is_placed(host, task) ? region_on_cpu(host, &host->cpus[task->cpu]) :
					       shared->unknown_state;
	default:
		return shared->unknown_state;
	}
}

void thread_show_slow(struct host *host, const struct task *task, uint64_t time_ns)
{
	struct thread *thread = &host->threads[task->thread - 1];
	uint32_t region = region_of(host, task);

	thread->seen = true;
	location_set(&thread->location, &host->out->archive, host_shown_ns(host, time_ns), &region,
		     region != 0);
}

void threads_forget(struct host *host, const struct cpu *cpu, uint64_t time_ns)
{
	for (size_t i = 0; i < host->thread_count; i++) {
		const struct thread *thread = &host->threads[i];
		uint32_t index = thread->host == host->number ? host->by_pid[thread->tid] : 0;
		uint32_t region = host->out->shared.unknown_state;

		if (!index || host->tasks[index].cpu != cpu - host->cpus)
			continue;
		location_set(&host->threads[i].location, &host->out->archive,
			     host_shown_ns(host, time_ns), &region, 1);
	}
}
