// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the locations of a CPU: streams of tasks, the number of tasks, counters and messages.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "lib/base/array.h"
#include "regions.h"

_Static_assert(SCHED_NUMBERS <= LOCATION_COUNTERS, "each is written");

/* Stream 0 shows the CPU while no task runs. */
#define IDLE_STREAM	0

static void free_all_streams(struct cpu *cpu)
{
	memset(cpu->free, 0xff, sizeof(cpu->free));
	cpu->free[0] &= ~UINT64_C(1);
}

int cpu_init(struct host *host, struct cpu *cpu, unsigned int slot)
{
	cpu->number = evtlog_cpu_number(host->file, slot);
	cpu->queue = &host->replay.cpus[slot];
	cpu->wanted = !host->wanted || host->wanted[cpu->number];
	cpu->runnable.id = host->first;
	cpu->runnable.group = host->first;
	cpu->records.group = host->first;
	host->first += cpu->wanted;
	free_all_streams(cpu);
	cpu->until_ns = host->begin_ns + host->out->interval_ns;
	/* stream() returns this one if there is no memory for others. */
	return array_reserve(&cpu->streams, &cpu->stream_capacity, 0, sizeof(*cpu->streams));
}

void cpu_free(struct host *host, struct cpu *cpu)
{
	location_free(&cpu->runnable, &host->out->archive);
	location_free(&cpu->records, &host->out->archive);
	for (unsigned int i = 0; i < cpu->stream_count; i++)
		location_free(&cpu->streams[i], &host->out->archive);
	free(cpu->streams);
}

/* ---- Locations ---- */

static struct location *stream(struct host *host, struct cpu *cpu, unsigned int number,
			       uint64_t time_ns)
{
	while (cpu->stream_count <= number) {
		struct location *new;

		if (array_reserve(&cpu->streams, &cpu->stream_capacity, cpu->stream_count,
				  sizeof(*cpu->streams))) {
			archive_check_errno(&host->out->archive, -ENOMEM);
			return &cpu->streams[0];
		}
		new = &cpu->streams[cpu->stream_count++];
		*new = (struct location) { .group = cpu->runnable.group };
		if (!cpu->wanted)
			continue;
		new->id = host->out->next_location++;
		if (host->writing)
			location_open(new, &host->out->archive, host_shown_ns(host, time_ns));
	}
	return &cpu->streams[number];
}

static void set(struct host *host, struct location *location, uint64_t time_ns,
		const uint32_t *regions, unsigned int count)
{
	location_set(location, &host->out->archive, host_shown_ns(host, time_ns), regions, count);
}

/* Returns the time of an event of the location @runnable. */
static uint64_t shown_ns(struct host *host, struct cpu *cpu, uint64_t time_ns)
{
	cpu->shown_ns = host_shown_ns(host, time_ns);
	return cpu->shown_ns;
}

static void set_runnable(struct host *host, struct cpu *cpu, uint64_t time_ns,
			 const uint32_t *regions, unsigned int count)
{
	location_set(&cpu->runnable, &host->out->archive, shown_ns(host, cpu, time_ns), regions,
		     count);
}

/* ---- The number of tasks, and counters ---- */

static void write_counters(struct host *host, struct cpu *cpu, uint64_t time_ns)
{
	uint64_t values[SCHED_NUMBERS];
	unsigned int count = 0;
	bool counted = false;

	cpu->counters[SCHED_RUNNABLE] = cpu->count;
	for (unsigned int i = 0; i < SCHED_NUMBERS; i++) {
		if (host->unknown & 1u << i)
			continue;
		values[count++] = cpu->counters[i];
		counted |= i != SCHED_RUNNABLE && cpu->counters[i];
	}
	memset(cpu->counters, 0, sizeof(cpu->counters));
	/* Write only the first of successive intervals with only zeros. */
	if ((counted || cpu->counted) && location_is_open(&cpu->runnable))
		location_count(&cpu->runnable, &host->out->archive, shown_ns(host, cpu, time_ns),
			       host->class, values, count);
	cpu->counted = counted;
}

void cpu_count_slow(struct host *host, struct cpu *cpu, uint64_t time_ns)
{
	uint64_t interval_ns = host->out->interval_ns;

	for (unsigned int i = 0; i < 2 && time_ns >= cpu->until_ns; i++) {
		write_counters(host, cpu, cpu->until_ns);
		cpu->until_ns += interval_ns;
	}
	if (time_ns >= cpu->until_ns)
		cpu->until_ns += (time_ns - cpu->until_ns) / interval_ns * interval_ns +
				 interval_ns;
}

void cpu_show_count(struct host *host, struct cpu *cpu, uint64_t time_ns)
{
	uint32_t region = region_of_count(host->out, cpu->count);

	cpu_count_until(host, cpu, time_ns);
	set_runnable(host, cpu, time_ns, &region, !(host->unknown & 1u << SCHED_RUNNABLE));
}

/* ---- Begin and end ---- */

void cpu_open(struct host *host, struct cpu *cpu, uint64_t time_ns)
{
	cpu_count_until(host, cpu, time_ns);
	memset(cpu->counters, 0, sizeof(cpu->counters));
	if (!cpu->wanted)
		return;
	location_open(&cpu->runnable, &host->out->archive, shown_ns(host, cpu, time_ns));
	for (unsigned int i = 0; i < cpu->stream_count; i++)
		location_open(&cpu->streams[i], &host->out->archive, host_shown_ns(host, time_ns));
}

void cpu_close(struct host *host, struct cpu *cpu, uint64_t time_ns)
{
	cpu_count_until(host, cpu, time_ns);
	write_counters(host, cpu, time_ns);
	set_runnable(host, cpu, time_ns, NULL, 0);
	location_close(&cpu->runnable, &host->out->archive);
	location_close(&cpu->records, &host->out->archive);
	for (unsigned int i = 0; i < cpu->stream_count; i++) {
		set(host, &cpu->streams[i], time_ns, NULL, 0);
		location_close(&cpu->streams[i], &host->out->archive);
	}
}

/* ---- Streams ---- */

static struct task *running_task(struct host *host, const struct cpu *cpu)
{
	uint32_t number = cpu->queue->task;

	return number > REPLAY_IDLE ? &host->tasks[number] : NULL;
}

void cpu_show_running(struct host *host, struct cpu *cpu, uint64_t time_ns)
{
	struct task *task = running_task(host, cpu);
	uint32_t regions[LOCATION_DEPTH];
	unsigned int count = 0, number = IDLE_STREAM;

	if (task) {
		number = task->stream;
		regions[count++] = region_of_task(host, task, TASK_RUNNING);
		if (task->call)
			regions[count++] = task->call;
		for (unsigned int i = 0; i < task->exceptions; i++)
			regions[count++] = task->exception[i];
	} else {
		regions[count++] = cpu->queue->runs || host->no_switches ?
				   host->out->shared.unknown : host->is_of_tree ? host->out->shared.outside :
				   host->out->shared.idle;
	}
	for (unsigned int i = 1; i <= cpu->contexts.depth; i++)
		regions[count++] = region_of_context(host, &cpu->contexts.at[i]);
	set(host, stream(host, cpu, number, time_ns), time_ns, regions, count);
}

void cpu_clear_idle(struct host *host, struct cpu *cpu, uint64_t time_ns)
{
	set(host, stream(host, cpu, IDLE_STREAM, time_ns), time_ns, NULL, 0);
}

/* Returns the lowest free stream; if all are taken, 0, or the last stream if the task runs. */
static unsigned int free_stream(struct host *host, struct cpu *cpu, bool runs)
{
	for (unsigned int i = 0; i < STREAM_WORDS; i++) {
		unsigned int number = cpu->free[i] ? 64 * i + __builtin_ctzll(cpu->free[i]) : 0;

		if (!number)
			continue;
		if (number <= host->out->stream_limit)
			return number;
		break;
	}
	return runs ? host->out->stream_limit + 1 : 0;
}

static void take_stream(struct host *host, struct cpu *cpu, struct task *task, bool runs)
{
	task->stream = free_stream(host, cpu, runs);
	cpu->free[task->stream / 64] &= ~(UINT64_C(1) << task->stream % 64);
	host->out->streams_short += !task->stream;
}

static void leave_stream(struct host *host, struct cpu *cpu, struct task *task, uint64_t time_ns)
{
	if (!task->stream)
		return;
	set(host, stream(host, cpu, task->stream, time_ns), time_ns, NULL, 0);
	cpu->free[task->stream / 64] |= UINT64_C(1) << task->stream % 64;
	task->stream = 0;
}

static void show_waiting(struct host *host, struct cpu *cpu, struct task *task,
			 unsigned int state, uint64_t time_ns)
{
	uint32_t region;

	if (!task->stream)
		return;
	region = region_of_task(host, task, state);
	set(host, stream(host, cpu, task->stream, time_ns), time_ns, &region, 1);
}

void cpu_add(struct host *host, struct cpu *cpu, struct task *task, unsigned int state,
	     uint64_t time_ns)
{
	cpu_count_until(host, cpu, time_ns);
	task->stream = 0;
	cpu->count++;
	if (state == TASK_RUNNING || host->no_switches)
		return;
	take_stream(host, cpu, task, false);
	show_waiting(host, cpu, task, state, time_ns);
}

void cpu_remove(struct host *host, struct cpu *cpu, struct task *task, uint64_t time_ns)
{
	cpu_count_until(host, cpu, time_ns);
	leave_stream(host, cpu, task, time_ns);
	cpu->count--;
}

void cpu_run(struct host *host, struct cpu *cpu, struct task *task)
{
	if (!task->stream && !host->no_switches)
		take_stream(host, cpu, task, true);
}

void cpu_preempt(struct host *host, struct cpu *cpu, struct task *task, uint64_t time_ns)
{
	/* The last stream is only for a running task. */
	if (task->stream > host->out->stream_limit)
		leave_stream(host, cpu, task, time_ns);
	show_waiting(host, cpu, task, TASK_PREEMPTED, time_ns);
}

void cpu_forget(struct host *host, struct cpu *cpu, uint64_t time_ns, const uint32_t *region)
{
	cpu_count_until(host, cpu, time_ns);
	cpu->count = 0;
	free_all_streams(cpu);
	for (unsigned int i = 1; i < cpu->stream_count; i++)
		set(host, &cpu->streams[i], time_ns, NULL, 0);
	set(host, stream(host, cpu, IDLE_STREAM, time_ns), time_ns, region, !!region);
	set_runnable(host, cpu, time_ns, region, !!region);
}

/* ---- Messages ---- */

void cpu_send(struct host *host, struct cpu *from, struct cpu *to, enum message message,
	      uint64_t time_ns)
{
	uint64_t before_ns = host_shown_ns(host, time_ns) - 1;

	if (!location_is_open(&from->runnable) || !location_is_open(&to->runnable))
		return;
	cpu_count_until(host, from, time_ns);
	if (from->shown_ns < before_ns)
		from->shown_ns = before_ns;
	location_send(&from->runnable, &host->out->archive, from->shown_ns, to->runnable.id, message);
}

void cpu_receive(struct host *host, struct cpu *from, struct cpu *to, enum message message,
		 uint64_t time_ns)
{
	if (!location_is_open(&from->runnable) || !location_is_open(&to->runnable))
		return;
	cpu_count_until(host, to, time_ns);
	location_receive(&to->runnable, &host->out->archive, shown_ns(host, to, time_ns),
			 from->runnable.id, message);
}

bool cpu_message(struct host *host, struct cpu *from, struct cpu *to, enum message message,
		 uint64_t time_ns)
{
	if (!location_is_open(&from->runnable) || !location_is_open(&to->runnable))
		return false;
	cpu_send(host, from, to, message, time_ns);
	cpu_receive(host, from, to, message, time_ns);
	return true;
}

/* ---- Records ---- */

/* With samples, @runnable can get states before the time of a written record: use @records. */
struct location *cpu_record_location(struct host *host, struct cpu *cpu, uint64_t time_ns,
				     uint64_t *shownp)
{
	if (!location_is_open(&cpu->runnable))
		return NULL;
	if (!host->has_samples) {
		cpu_count_until(host, cpu, time_ns);
		*shownp = shown_ns(host, cpu, time_ns);
		return &cpu->runnable;
	}
	*shownp = host_shown_ns(host, time_ns);
	if (!location_is_open(&cpu->records)) {
		cpu->records.id = host->out->next_location++;
		location_open(&cpu->records, &host->out->archive, *shownp);
	}
	return &cpu->records;
}
