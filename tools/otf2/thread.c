// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the states of a program's thread in the kernel, as a second location of the thread.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpu.h"
#include "regions.h"
#include "thread.h"

int threads_begin(struct host *host, size_t number)
{
	host->number = number;
	if (!host->thread_count)
		return 0;
	/* Pages of other pids are never touched. */
	host->thread_of_pid = calloc(REPLAY_PIDS, sizeof(*host->thread_of_pid));
	if (!host->thread_of_pid)
		return -ENOMEM;
	for (size_t i = 0; i < host->thread_count; i++) {
		struct thread *thread = &host->threads[i];

		if (thread->host != number)
			continue;
		if (host->thread_of_pid[thread->tid]) {
			thread->twin = true;
			continue;
		}
		thread->location.id = host->out->next_location++;
		host->thread_of_pid[thread->tid] = i + 1;
	}
	return 0;
}

static bool is_of(const struct host *host, const struct thread *thread)
{
	return thread->host == host->number && !thread->twin;
}

static const struct replay_task *task_of(const struct host *host, const struct thread *thread)
{
	return &host->replay.tasks[replay_find(&host->replay, thread->tid)];
}

static enum task_state state_of(const struct replay_task *task)
{
	if (task->state == REPLAY_UNKNOWN)
		return TASK_UNKNOWN;
	if (task->state == REPLAY_RUNNING)
		return TASK_RUNNING;
	if (!replay_is_waiting(task->state))
		return TASK_BLOCKED;
	return task->woken ? TASK_WAITING : TASK_PREEMPTED;
}

/* Returns true if the thread does not run any more. */
static bool is_gone(const struct host *host, const struct thread *thread)
{
	const struct replay_task *task = task_of(host, thread);

	return thread->ended ||
	       (thread->exited && (!task->is_used || state_of(task) == TASK_BLOCKED));
}

void threads_open(struct host *host, uint64_t time_ns)
{
	for (size_t i = 0; i < host->thread_count; i++) {
		struct location *location = &host->threads[i].location;

		if (!is_of(host, &host->threads[i]))
			continue;
		if (!location->depth && !is_gone(host, &host->threads[i])) {
			location->at[0] = host->out->shared.unknown_state;
			location->depth = 1;
		}
		location_open(location, &host->out->archive, host_shown_ns(host, time_ns));
	}
}

void threads_free(struct host *host)
{
	for (size_t i = 0; i < host->thread_count; i++)
		if (is_of(host, &host->threads[i]))
			location_free(&host->threads[i].location, &host->out->archive);
}

void threads_close(struct host *host, uint64_t time_ns)
{
	for (size_t i = 0; i < host->thread_count; i++) {
		struct location *location = &host->threads[i].location;

		if (!is_of(host, &host->threads[i]))
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

/* Returns 0 if the thread has exited. */
static uint32_t region_of(struct host *host, const struct thread *thread)
{
	const struct shared_regions *shared = &host->out->shared;
	const struct replay_task *task = task_of(host, thread);
	enum task_state state = state_of(task);

	if (is_gone(host, thread))
		return 0;
	if (state == TASK_RUNNING)
		return task->queue == NO_SLOT ? shared->unknown_state :
		       region_on_cpu(host, &host->cpus[task->cpu]);
	return state == TASK_UNKNOWN ? shared->unknown_state : shared->states[state];
}

void thread_show_slow(struct host *host, struct thread *thread, uint64_t time_ns)
{
	uint32_t region = region_of(host, thread);

	thread->seen = true;
	location_set(&thread->location, &host->out->archive, host_shown_ns(host, time_ns), &region,
		     region != 0);
}

void thread_end_slow(struct host *host, struct thread *thread, uint64_t time_ns)
{
	thread->ended = true;
	location_set(&thread->location, &host->out->archive, host_shown_ns(host, time_ns), NULL, 0);
}

void threads_forget(struct host *host, uint32_t cpu, uint64_t time_ns)
{
	uint32_t region = host->out->shared.unknown_state;

	for (size_t i = 0; i < host->thread_count; i++) {
		struct thread *thread = &host->threads[i];

		if (is_of(host, thread) && !is_gone(host, thread) &&
		    task_of(host, thread)->cpu == cpu)
			location_set(&thread->location, &host->out->archive,
				     host_shown_ns(host, time_ns), &region, 1);
	}
}

void thread_define(const struct thread *thread, struct archive *archive)
{
	char name[64];

	if (thread->twin)
		return;
	snprintf(name, sizeof(name), "kernel: thread %u", thread->tid);
	archive_check_error(archive,
		OTF2_GlobalDefWriter_WriteLocation(archive->global, thread->location.id,
				archive_string(archive, name), OTF2_LOCATION_TYPE_CPU_THREAD,
				thread->location.events, thread->location.group));
}
