// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Applies each event of a host to its CPUs and tasks.
 *
 * export.c calls it with all events of a log in the order of time; cpu.c writes the changes.
 * Nesting on a CPU is found as in the library's streams, so times equal those of `evtlog stat`.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "host.h"
#include "lib/base/array.h"
#include "regions.h"
#include "thread.h"

static const uint32_t lost = REGION_LOST;

static void find_unknown(struct host *host)
{
	uint32_t *class;

	host->unknown = sched_unknown(host->file, host->has_samples);
	host->no_switches = !host->has_samples && host->unknown & 1u << SCHED_SWITCHES;
	class = &host->out->classes[host->unknown];
	host->defines_class = !*class;
	if (!*class)
		*class = ++host->out->class_count;
	host->class = *class - 1;
}

int schedule_init(struct host *host)
{
	int error = runqueues_init(&host->queues, host->file);

	if (error)
		return error;
	if (host->has_samples)
		error = passes_init(host);
	if (error)
		return error;
	find_unknown(host);
	host->cpu_count = host->queues.cpu_count;
	host->begin_ns = evtlog_begin_ns(host->file);
	host->cpus = calloc(host->cpu_count + 1, sizeof(*host->cpus));
	if (!host->cpus)
		return -ENOMEM;
	for (unsigned int i = 0; i < host->cpu_count; i++)
		if (cpu_init(host, &host->cpus[i], i))
			return -ENOMEM;
	return 0;
}

void schedule_free(struct host *host)
{
	for (unsigned int i = 0; host->cpus && i < host->cpu_count; i++)
		cpu_free(host, &host->cpus[i]);
	threads_free(host);
	free(host->cpus);
	passes_free(host);
	runqueues_free(&host->queues);
	free(host->tasks);
	free(host->calls[0]);
	free(host->calls[1]);
	free(host->regions);
	free(host->thread_of_pid);
}

/* ---- Tasks ---- */

int schedule_reserve_tasks(struct host *host)
{
	size_t had = host->task_capacity;

	if (__builtin_expect(had >= host->queues.task_count, 1))
		return 0;
	if (array_reserve_more(&host->tasks, &host->task_capacity, had,
			       host->queues.task_capacity - had, sizeof(*host->tasks)))
		return -ENOMEM;
	memset(host->tasks + had, 0, (host->task_capacity - had) * sizeof(*host->tasks));
	return 0;
}

/* Returns NULL for the idle task, and if the task was not seen yet. */
static inline struct task *task_of(struct host *host, uint32_t pid)
{
	uint32_t number = runqueues_find(&host->queues, pid);

	return number ? &host->tasks[number] : NULL;
}

static struct cpu *cpu_numbered(struct host *host, uint32_t number)
{
	uint32_t index = runqueues_cpu(&host->queues, number);

	return index == RUNQUEUE_NONE ? NULL : &host->cpus[index];
}

/* Returns the CPU where the task is, or was last; NULL if unknown. */
static struct cpu *cpu_of_task(struct host *host, uint32_t pid)
{
	uint32_t index = host->queues.tasks[runqueues_find(&host->queues, pid)].cpu;

	return index == RUNQUEUE_NONE ? NULL : &host->cpus[index];
}

void schedule_name_task(struct host *host, uint32_t pid)
{
	const struct evtlog_task *known = evtlog_tasks_find(host->names, pid);
	struct task *task = task_of(host, pid);

	if (task && known && strncmp(known->comm, task->comm, EVTLOG_COMM_LEN))
		memset(task->regions, 0, sizeof(task->regions));
}

/* ---- Run queues ---- */

static void apply_one(struct host *host, const struct runqueue_change *change, uint64_t time_ns,
		      const uint32_t *region)
{
	struct task *task = change->task ? &host->tasks[change->task] : NULL;
	struct cpu *cpu = &host->cpus[change->cpu];

	switch (change->step) {
	case RUNQUEUE_FORGET:
		cpu_forget(host, cpu, time_ns, region);
		break;
	case RUNQUEUE_ADD:
		task->pid = host->queues.tasks[change->task].pid;
		cpu_add(host, cpu, task, change->state, time_ns);
		break;
	case RUNQUEUE_REMOVE:
		cpu_remove(host, cpu, task, time_ns);
		break;
	case RUNQUEUE_PREEMPT:
		cpu_preempt(host, cpu, task, time_ns);
		break;
	case RUNQUEUE_RUN:
		if (change->state != TASK_RUNNING)
			cpu_clear_idle(host, cpu, time_ns);
		if (task)
			cpu_run(host, cpu, task);
		cpu_show_running(host, cpu, time_ns);
		break;
	}
}

/* @region: region for a CPU whose state is unknown from now on; NULL: none */
static void apply(struct host *host, uint64_t time_ns, const uint32_t *region)
{
	const struct runqueues *queues = &host->queues;

	for (unsigned int i = 0; i < queues->change_count; i++)
		apply_one(host, &queues->changes[i], time_ns, region);
	/* Show only the last number of tasks at this time. */
	for (unsigned int i = 0; i < queues->change_count; i++) {
		uint32_t cpu = queues->changes[i].cpu;
		bool is_last = i + 1 == queues->change_count || queues->changes[i + 1].cpu != cpu;

		if (is_last && queues->cpus[cpu].known)
			cpu_show_count(host, &host->cpus[cpu], time_ns);
	}
}

/* Drops tasks that waited since before events were lost: the CPU was idle after that. */
static void drop_stale(struct host *host, uint32_t index, uint64_t time_ns)
{
	struct cpu *cpu = &host->cpus[index];
	uint32_t number = 0;

	if (!runqueues_is_stale(&host->queues, index) || host->is_of_tree)
		return;
	while ((number = runqueues_drop_stale(&host->queues, index, number))) {
		cpu_remove(host, cpu, &host->tasks[number], time_ns);
		thread_show(host, host->queues.tasks[number].pid, time_ns);
	}
	cpu_show_count(host, cpu, time_ns);
}

/* After a gap, checks all CPUs: each may have been idle since before. */
static void drop_all_stale(struct host *host, uint32_t index, const struct evtlog_event *event)
{
	drop_stale(host, index, event->time_ns);
	if (event->kind != EVTLOG_EVENT_BEGIN && event->kind != EVTLOG_EVENT_GAP)
		return;
	for (uint32_t i = 0; i < host->cpu_count; i++)
		drop_stale(host, i, event->time_ns);
}

/* ---- Messages and counters ---- */

/* Each function returns true if the archive shows the event. */

static bool show_waking(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	struct cpu *to = cpu_of_task(host, evtlog_record_pid(event->words));

	return to && cpu_message(host, cpu, to, MESSAGE_WAKEUP, event->time_ns);
}

static bool show_new(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	struct cpu *target = cpu_numbered(host, (uint32_t)event->words[1]);

	return target && cpu_message(host, cpu, target, MESSAGE_FORK, event->time_ns);
}

static bool show_migration(struct host *host, const struct evtlog_event *event)
{
	struct cpu *from = cpu_numbered(host, (uint32_t)event->words[1]);
	struct cpu *to = cpu_numbered(host, event->words[1] >> 32);

	if (!to)
		return false;
	if (from)
		cpu_message(host, from, to, MESSAGE_MIGRATION, event->time_ns);
	cpu_count(host, to, event->time_ns, SCHED_MIGRATIONS);
	return location_is_open(&to->runnable);
}

/* Sends a message to the CPU of the parent; for a thread, of its process. */
static void show_exit(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words), tgid = (uint32_t)event->words[1];
	const struct evtlog_task *known = evtlog_tasks_find(host->names, pid);
	uint32_t parent = tgid != pid ? tgid : known ? known->ppid : 0;
	struct cpu *to = cpu_of_task(host, parent);

	cpu_count(host, cpu, event->time_ns, SCHED_EXITS);
	if (to)
		cpu_message(host, cpu, to, MESSAGE_JOIN, event->time_ns);
}

/* Call it before the event changes the run queues. */
static bool show(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
		context_switch(&cpu->contexts);
		cpu_count(host, cpu, event->time_ns, SCHED_SWITCHES);
		return true;
	case EVTLOG_SCHED_WAKING:
		return show_waking(host, cpu, event);
	case EVTLOG_SCHED_WAKEUP_NEW:
		return show_new(host, cpu, event);
	case EVTLOG_SCHED_MIGRATE_TASK:
		return show_migration(host, event);
	case EVTLOG_SCHED_PROCESS_FORK:
		cpu_count(host, cpu, event->time_ns, SCHED_FORKS);
		return true;
	case EVTLOG_SCHED_PROCESS_EXIT:
		show_exit(host, cpu, event);
		return true;
	}
	return false;
}

/* ---- Nesting ---- */

/* Each function returns true if the archive shows the event. */

static bool take_user_exit(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	struct task *task = task_of(host, cpu->queue->runs);

	if (!task)
		return false;
	task->call = region_call(host, event);
	if (task->call)
		cpu_show_running(host, cpu, event->time_ns);
	return task->call;
}

static bool take_user_enter(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	struct task *task = task_of(host, cpu->queue->runs);

	if (!task || (!task->call && !task->exceptions))
		return false;
	task->call = 0;
	task->exceptions = 0;
	cpu_show_running(host, cpu, event->time_ns);
	return true;
}

/* Shows exceptions of a task; exceptions in an interrupt are short and not shown. */
static bool take_exception(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	uint32_t region = region_exception(host, evtlog_data(event->words, 0, 8));
	struct task *task = task_of(host, cpu->queue->runs);

	if (!task || cpu->contexts.depth)
		return false;
	if (event->known == EVTLOG_EXCEPTION_ENTRY) {
		if (task->exceptions == EXCEPTIONS_MAX)
			return false;
		task->exception[task->exceptions++] = region;
	} else {
		if (!task->exceptions || task->exception[task->exceptions - 1] != region)
			return false;
		task->exceptions--;
	}
	cpu_show_running(host, cpu, event->time_ns);
	return true;
}

static bool take_context(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	const struct record_class *class = record_class(event->known);
	unsigned int depth = cpu->contexts.depth;

	if (class->context == EVTLOG_IN_TASK)
		return false;
	context_take(&cpu->contexts, class, event->words);
	cpu_show_running(host, cpu, event->time_ns);
	return class->step == RECORD_ENTRY || cpu->contexts.depth < depth;
}

/* ---- Events ---- */

/*
 * Corrects the context of the CPU since its previous event, because a buffer can begin inside an
 * interrupt.  Since then, nothing else has written to the stream of the running task.
 */
static void correct_context(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	const struct context *top = &cpu->contexts.at[cpu->contexts.depth];

	if (__builtin_expect(top->kind == event->context &&
			     (top->number == event->context_number ||
			      event->context == EVTLOG_IN_TASK), 1))
		return;
	context_reset(&cpu->contexts, 0);
	if (event->context != EVTLOG_IN_TASK)
		context_enter(&cpu->contexts, event->context, event->context_number);
	cpu_show_running(host, cpu, cpu->last_ns);
}

/* From now on, another task has the pid. */
static void take_fork(struct host *host, const struct evtlog_event *event)
{
	struct task *task = task_of(host, evtlog_record_pid(event->words));

	if (task)
		*task = (struct task) { .pid = evtlog_record_pid(event->words) };
}

static void take_name(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	schedule_name_task(host, evtlog_record_pid(event->words));
	if (event->known == EVTLOG_SCHED_PROCESS_EXEC ||
	    evtlog_record_pid(event->words) == cpu->queue->runs)
		cpu_show_running(host, cpu, event->time_ns);
}

/* Shows the threads whose state the event may have changed. */
static void show_threads(struct host *host, struct cpu *cpu, uint32_t ran,
			 const struct evtlog_event *event, bool is_record)
{
	const struct runqueues *queues = &host->queues;

	for (unsigned int i = 0; i < queues->change_count; i++)
		if (queues->changes[i].step == RUNQUEUE_FORGET)
			threads_forget(host, queues->changes[i].cpu, event->time_ns);
	thread_show(host, ran, event->time_ns);
	thread_show(host, cpu->queue->runs, event->time_ns);
	if (!is_record)
		return;
	switch (event->known) {
	case EVTLOG_SCHED_WAKING:
	case EVTLOG_SCHED_WAKEUP_NEW:
	case EVTLOG_SCHED_MIGRATE_TASK:
	case EVTLOG_TASK:
		thread_show(host, evtlog_record_pid(event->words), event->time_ns);
		return;
	case EVTLOG_SCHED_PROCESS_FORK:
		thread_lives(host, evtlog_record_pid(event->words), event->time_ns, true);
		return;
	case EVTLOG_SCHED_PROCESS_EXIT:
		thread_lives(host, evtlog_record_pid(event->words), event->time_ns, false);
		return;
	}
}

/* Handles events that do not change run queues.  Returns true if the archive shows the event. */
static bool take_record(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	switch (event->known) {
	case EVTLOG_SCHED_PROCESS_FORK:
		take_fork(host, event);
		return false;
	case EVTLOG_SCHED_PROCESS_EXEC:
	case EVTLOG_TASK_RENAME:
		take_name(host, cpu, event);
		return false;
	case EVTLOG_USER_EXIT:
		return take_user_exit(host, cpu, event);
	case EVTLOG_USER_ENTER:
		return take_user_enter(host, cpu, event);
	case EVTLOG_EXCEPTION_ENTRY:
	case EVTLOG_EXCEPTION_EXIT:
		return take_exception(host, cpu, event);
	default:
		return take_context(host, cpu, event);
	}
}

void schedule_gaps(struct host *host, struct lanes *lanes, uint64_t until_ns)
{
	const struct evtlog_event *event;
	uint64_t from_ns;

	while ((event = runqueues_gap(&host->queues, lanes, until_ns, &from_ns))) {
		if (host->has_samples) {
			if (lanes_is_loss(event))
				passes_lose(host, from_ns);
			continue;
		}
		apply(host, from_ns, lanes_is_loss(event) ? &lost :
		      &host->out->shared.offline);
		if (host->thread_count)
			threads_forget(host, host->queues.changes[0].cpu, from_ns);
	}
}

int schedule_take(struct host *host, const struct evtlog_event *event)
{
	struct cpu *cpu = cpu_numbered(host, event->cpu);
	bool is_record = event->kind == EVTLOG_EVENT_RECORD, is_shown = false;
	uint32_t ran;
	int error;

	if (!cpu)
		return 0;
	if (host->has_samples)
		return passes_take(host, event);
	ran = cpu->queue->runs;
	/* A name is valid from its event on. */
	error = evtlog_tasks_update(host->names, event);
	is_record &= cpu->queue->known;
	if (is_record) {
		correct_context(host, cpu, event);
		is_shown = show(host, cpu, event);
	} else if (event->kind == EVTLOG_EVENT_BEGIN || event->kind == EVTLOG_EVENT_GAP) {
		context_reset(&cpu->contexts, 0);
	}
	if (!error)
		error = runqueues_take(&host->queues, event);
	if (!error)
		error = schedule_reserve_tasks(host);
	if (error)
		return error;
	apply(host, event->time_ns, event->kind == EVTLOG_EVENT_END && event->rest_missing ?
	      &lost : NULL);
	if (__builtin_expect(host->thread_count != 0, 0))
		show_threads(host, cpu, ran, event, is_record);
	drop_all_stale(host, cpu - host->cpus, event);
	if (is_record && !take_record(host, cpu, event) && !is_shown)
		records_put(host, cpu, event);
	cpu->last_ns = event->time_ns;
	return 0;
}
