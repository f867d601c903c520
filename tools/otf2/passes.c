// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Applies each pass of the sampler to the CPUs and tasks of a host.
 *
 * Tasks are put where the pass saw them, in the same queues that events would fill.  cpu.c
 * writes the changes.  The number of tasks of a CPU is the length of its run queue, which includes
 * tasks that are not sampled.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "host.h"
#include "regions.h"
#include "thread.h"

static const uint32_t lost = REGION_LOST;

/* Any state of a task that neither runs nor waits for a CPU */
#define BLOCKED		(REPLAY_FIRST + 1)

int passes_init(struct host *host)
{
	host->pass_runs = calloc(host->replay.cpu_count + 1, sizeof(*host->pass_runs));
	if (!host->pass_runs)
		return -ENOMEM;
	return samples_init(&host->samples, host->file, &host->replay);
}

void passes_free(struct host *host)
{
	samples_free(&host->samples);
	free(host->pass_runs);
}

/* ---- Messages and counters ---- */

/* Returns the CPU of the parent in this pass, for a thread of its process; NULL if not seen. */
static struct cpu *cpu_of_parent(struct host *host, uint32_t number)
{
	uint32_t pid = host->replay.tasks[number].pid, parent;
	const struct evtlog_task *known = evtlog_tasks_find(host->names, pid);
	const struct sample_seen *seen;

	if (!known)
		return NULL;
	parent = replay_find(&host->replay, known->tgid && known->tgid != pid ?
				known->tgid : known->ppid);
	if (!parent)
		return NULL;
	seen = &host->samples.seen[parent];
	return seen->pass == host->samples.complete ? &host->cpus[seen->cpu] : NULL;
}

static void write_new(struct host *host, const struct sample_change *change, uint64_t time_ns)
{
	uint32_t pid = host->replay.tasks[change->task].pid;

	/* Another task may have had this pid. */
	host->tasks[change->task] = (struct task) { .pid = pid };
	thread_lives(host, pid, time_ns, true);
	cpu_count(host, &host->cpus[change->to], time_ns, SCHED_FORKS);
}

static void write_gone(struct host *host, const struct sample_change *change, uint64_t time_ns)
{
	thread_lives(host, host->replay.tasks[change->task].pid, time_ns, false);
	cpu_count(host, &host->cpus[change->from], time_ns, SCHED_EXITS);
}

static void write_changes(struct host *host, uint64_t time_ns)
{
	for (size_t i = 0; i < host->samples.change_count; i++) {
		const struct sample_change *change = &host->samples.changes[i];

		if (change->from == NO_SLOT) {
			write_new(host, change, time_ns);
		} else if (change->to == NO_SLOT) {
			write_gone(host, change, time_ns);
		} else {
			cpu_count(host, &host->cpus[change->to], time_ns, SCHED_MIGRATIONS);
		}
	}
}

struct change_message {
	enum message message;
	struct cpu *from;
	struct cpu *to;
};

/* Returns false if the CPU of the parent is unknown. */
static bool message_of(struct host *host, const struct sample_change *change,
		       struct change_message *message)
{
	if (change->from == NO_SLOT)
		*message = (struct change_message) {
			MESSAGE_FORK, cpu_of_parent(host, change->task), &host->cpus[change->to]
		};
	else if (change->to == NO_SLOT)
		*message = (struct change_message) {
			MESSAGE_JOIN, &host->cpus[change->from], cpu_of_parent(host, change->task)
		};
	else
		*message = (struct change_message) {
			MESSAGE_MIGRATION, &host->cpus[change->from], &host->cpus[change->to]
		};
	return message->from && message->to;
}

static void write_messages(struct host *host, uint64_t time_ns)
{
	const struct samples *samples = &host->samples;
	struct change_message message;

	for (size_t i = 0; i < samples->change_count; i++)
		if (message_of(host, &samples->changes[i], &message))
			cpu_send(host, message.from, message.to, message.message, time_ns);
	for (size_t i = 0; i < samples->change_count; i++)
		if (message_of(host, &samples->changes[i], &message))
			cpu_receive(host, message.from, message.to, message.message, time_ns);
}

/* ---- CPUs ---- */

static void leave_queue(struct host *host, struct replay_task *task)
{
	host->replay.cpus[task->queue].count--;
	task->queue = NO_SLOT;
}

static void forget(struct host *host, uint32_t index, uint64_t time_ns, const uint32_t *region)
{
	struct replay_cpu *queue = &host->replay.cpus[index];

	cpu_forget(host, &host->cpus[index], time_ns, region);
	for (size_t i = 0; queue->count && i < host->replay.task_count; i++)
		if (host->replay.tasks[i].queue == index)
			leave_queue(host, &host->replay.tasks[i]);
	queue->known = false;
	queue->task = REPLAY_NOBODY;
	queue->runs = EVTLOG_PID_UNKNOWN;
	if (host->thread_count)
		threads_forget(host, index, time_ns);
}

void passes_lose(struct host *host, uint64_t time_ns)
{
	for (uint32_t i = 0; i < host->cpu_count; i++)
		forget(host, i, time_ns, &lost);
	host->passes_written_ns = time_ns;
}

/* The sampler is off from @off_ns on.  CPUs whose state is unknown do not change. */
static void switch_off(struct host *host, uint64_t off_ns)
{
	uint64_t time_ns = off_ns > host->passes_written_ns ? off_ns : host->passes_written_ns;

	if (off_ns == UINT64_MAX)
		return;
	for (uint32_t i = 0; i < host->cpu_count; i++)
		if (host->replay.cpus[i].known)
			forget(host, i, time_ns, &host->out->shared.unsampled);
}

static void begin_cpus(struct host *host, uint64_t time_ns)
{
	for (uint32_t i = 0; i < host->cpu_count; i++) {
		if (host->samples.runnable[i] == SAMPLES_NO_CPU) {
			forget(host, i, time_ns, &host->out->shared.offline);
		} else if (!host->replay.cpus[i].known) {
			forget(host, i, time_ns, NULL);
			host->replay.cpus[i].known = true;
		}
	}
}

/* ---- Tasks ---- */

static bool is_runnable(char state)
{
	return state == 'R' || state == '+';
}

/* The sampler reads tasks one after another.  If two ran on a CPU, the later one counts. */
static void find_running(struct host *host)
{
	const struct samples *samples = &host->samples;
	uint32_t waits = 0, waiting = 0;

	memset(host->pass_runs, 0, host->cpu_count * sizeof(*host->pass_runs));
	for (size_t i = 0; i < samples->now.count; i++) {
		const struct sample *sample = &samples->now.at[i];

		if (sample->state == 'R')
			host->pass_runs[sample->cpu] = sample->task;
		if (sample->state != '+' || sample->cpu != samples->stream)
			continue;
		waits = sample->task;
		waiting++;
	}
	/* It was the only runnable task of the CPU when the sampler preempted it. */
	if (waiting == 1 && samples->runnable[samples->stream] == 1)
		host->pass_runs[samples->stream] = waits;
}

/* Removes tasks of the previous pass that are not runnable any more, or are on another CPU. */
static void remove_tasks(struct host *host, uint64_t time_ns)
{
	const struct samples *samples = &host->samples;

	for (size_t i = 0; i < samples->before.count; i++) {
		uint32_t number = samples->before.at[i].task;
		struct replay_task *task = &host->replay.tasks[number];
		const struct sample_seen *seen = &samples->seen[number];

		if (task->queue == NO_SLOT)
			continue;
		if (seen->pass == samples->complete && seen->cpu == task->cpu &&
		    is_runnable(seen->state))
			continue;
		cpu_remove(host, &host->cpus[task->cpu], &host->tasks[number], time_ns);
		leave_queue(host, task);
		task->state = BLOCKED;
	}
}

static void stop_tasks(struct host *host, uint64_t time_ns)
{
	for (uint32_t i = 0; i < host->cpu_count; i++) {
		uint32_t number = host->replay.cpus[i].task;
		struct replay_task *task = &host->replay.tasks[number];

		if (number <= REPLAY_IDLE || number == host->pass_runs[i] ||
		    task->state != REPLAY_RUNNING || task->queue != i)
			continue;
		task->state = REPLAY_FIRST + EVTLOG_STATE_PREEMPTED;
		task->woken = false;
		cpu_preempt(host, &host->cpus[i], &host->tasks[number], time_ns);
	}
}

static void add_tasks(struct host *host, uint64_t time_ns)
{
	const struct samples *samples = &host->samples;

	for (size_t i = 0; i < samples->now.count; i++) {
		const struct sample *sample = &samples->now.at[i];
		struct replay_task *task = &host->replay.tasks[sample->task];
		struct replay_cpu *queue = &host->replay.cpus[sample->cpu];
		bool runs = host->pass_runs[sample->cpu] == sample->task;

		if (task->queue != NO_SLOT)
			continue;
		task->cpu = sample->cpu;
		task->state = BLOCKED;
		if (!is_runnable(sample->state) || !queue->known)
			continue;
		task->state = runs ? REPLAY_RUNNING : REPLAY_FIRST;
		task->woken = true;
		task->queue = sample->cpu;
		queue->count++;
		host->tasks[sample->task].pid = task->pid;
		cpu_add(host, &host->cpus[sample->cpu], &host->tasks[sample->task],
			runs ? TASK_RUNNING : TASK_WAITING, time_ns);
	}
}

static void run_task(struct host *host, uint32_t index, uint64_t time_ns)
{
	struct cpu *cpu = &host->cpus[index];
	struct replay_cpu *queue = &host->replay.cpus[index];
	uint32_t number = host->pass_runs[index];

	if (number) {
		queue->task = number;
		queue->runs = host->replay.tasks[number].pid;
		host->replay.tasks[number].state = REPLAY_RUNNING;
		cpu_clear_idle(host, cpu, time_ns);
		cpu_run(host, cpu, &host->tasks[number]);
	} else {
		/* The running task is not sampled, or is one of several preempted ones. */
		queue->task = host->samples.runnable[index] ? REPLAY_NOBODY : REPLAY_IDLE;
		queue->runs = host->samples.runnable[index] ? EVTLOG_PID_UNKNOWN : 0;
	}
	cpu_show_running(host, cpu, time_ns);
}

static void show_threads(struct host *host, uint64_t time_ns)
{
	const struct samples *samples = &host->samples;

	for (size_t i = 0; i < samples->now.count; i++)
		thread_show(host, host->replay.tasks[samples->now.at[i].task].pid, time_ns);
	for (size_t i = 0; i < samples->change_count; i++)
		thread_show(host, host->replay.tasks[samples->changes[i].task].pid, time_ns);
}

static void take_pass(struct host *host, uint64_t time_ns)
{
	/* Messages must be sent before other events of this time are written. */
	write_messages(host, time_ns);
	begin_cpus(host, time_ns);
	write_changes(host, time_ns);
	find_running(host);
	remove_tasks(host, time_ns);
	stop_tasks(host, time_ns);
	add_tasks(host, time_ns);
	for (uint32_t i = 0; i < host->cpu_count; i++) {
		if (!host->replay.cpus[i].known)
			continue;
		run_task(host, i, time_ns);
		cpu_count_until(host, &host->cpus[i], time_ns);
		host->cpus[i].count = host->samples.runnable[i];
		cpu_show_count(host, &host->cpus[i], time_ns);
	}
	if (host->thread_count)
		show_threads(host, time_ns);
	host->passes_written_ns = time_ns;
}

/* ---- Events ---- */

static int take_record(struct host *host, const struct evtlog_event *event)
{
	int result = samples_take(&host->samples, event);

	/* Also for an unfinished pass: the next event can be a name. */
	if (result >= 0 && schedule_reserve_tasks(host))
		return -ENOMEM;
	if (result > SAMPLES_NOTHING)
		switch_off(host, host->samples.off_ns);
	if (result == SAMPLES_COMPLETE)
		take_pass(host, event->time_ns);
	else if (result == SAMPLES_INCOMPLETE)
		passes_lose(host, event->time_ns);
	return result < 0 ? result : 0;
}

void passes_open(struct host *host, uint64_t time_ns)
{
	if (host->passes_written_ns < time_ns)
		host->passes_written_ns = time_ns;
}

void passes_end(struct host *host, uint64_t time_ns)
{
	switch_off(host, samples_off_ns(&host->samples, time_ns));
}

int passes_take(struct host *host, const struct evtlog_event *event)
{
	uint32_t index = file_slot(host->file, event->cpu);
	int error = evtlog_tasks_update(host->names, event);

	if (error)
		return error;
	switch (event->kind) {
	case EVTLOG_EVENT_RECORD:
		if (event->known == EVTLOG_SCHED_PROCESS_EXEC || event->known == EVTLOG_TASK_RENAME)
			schedule_name_task(host, evtlog_record_pid(event->words));
		if (!samples_has(&host->samples, event))
			records_put(host, &host->cpus[index], event);
		return take_record(host, event);
	case EVTLOG_EVENT_END:
		if (event->rest_missing)
			passes_lose(host, event->time_ns);
		return 0;
	}
	return 0;
}
