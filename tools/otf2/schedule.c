// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What each event of a host says of its CPUs and tasks.
 *
 * Called by export.c with all events of a log in the order of time; cpu.c writes what follows.
 * What is nested on a CPU is found as the library's streams find it, so that times are those
 * of `evtlog stat`.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "lib/base/array.h"
#include "lib/codec/record-class.h"
#include "regions.h"
#include "schedule.h"
#include "thread.h"

#define PIDS	(1u << EVTLOG_PID_BITS)

static const uint32_t lost = REGION_LOST;

int schedule_init(struct host *host)
{
	host->cpu_count = evtlog_cpu_count(host->file);
	host->begin_ns = evtlog_begin_ns(host->file);
	host->cpus = calloc(host->cpu_count + 1, sizeof(*host->cpus));
	host->cpu_of_number = malloc(EVTLOG_CPU_LIMIT * sizeof(*host->cpu_of_number));
	/* 16 MiB of which only the pages of pids in use are ever touched. */
	host->by_pid = calloc(PIDS, sizeof(*host->by_pid));
	if (!host->cpus || !host->cpu_of_number || !host->by_pid)
		return -ENOMEM;
	memset(host->cpu_of_number, 0xff, EVTLOG_CPU_LIMIT * sizeof(*host->cpu_of_number));
	for (unsigned int i = 0; i < host->cpu_count; i++) {
		if (cpu_init(host, &host->cpus[i], i))
			return -ENOMEM;
		host->cpu_of_number[host->cpus[i].number] = i;
	}
	if (array_reserve(&host->tasks, &host->task_capacity, 0, sizeof(*host->tasks)))
		return -ENOMEM;
	/* Number 0 is none. */
	host->task_count = 1;
	return 0;
}

void schedule_free(struct host *host)
{
	for (unsigned int i = 0; host->cpus && i < host->cpu_count; i++)
		cpu_free(&host->cpus[i]);
	free(host->cpus);
	free(host->cpu_of_number);
	free(host->by_pid);
	free(host->tasks);
	free(host->calls[0]);
	free(host->calls[1]);
	free(host->regions);
}

/* ---- Tasks ---- */

/* NULL: it is idle, unknown, or there is no memory. */
static struct task *new_task(struct host *host, uint32_t pid)
{
	struct task *task;

	if (array_reserve(&host->tasks, &host->task_capacity, host->task_count,
			  sizeof(*host->tasks))) {
		archive_check_error(&host->out->archive, OTF2_ERROR_MEM_ALLOC_FAILED);
		return NULL;
	}
	task = &host->tasks[host->task_count];
	*task = (struct task) { .pid = pid, .cpu = NO_CPU };
	if (host->thread_count)
		thread_find(host, task);
	host->by_pid[pid] = host->task_count++;
	return task;
}

static inline struct task *task_of(struct host *host, uint32_t pid)
{
	if (!pid || pid >= PIDS)
		return NULL;
	return __builtin_expect(host->by_pid[pid] != 0, 1) ? &host->tasks[host->by_pid[pid]] :
	       new_task(host, pid);
}

static struct cpu *cpu_numbered(struct host *host, uint32_t number)
{
	uint32_t index = number < EVTLOG_CPU_LIMIT ? host->cpu_of_number[number] : NO_CPU;

	return index == NO_CPU ? NULL : &host->cpus[index];
}

/* It may have another name now. */
static void name_task(struct host *host, uint32_t pid)
{
	const struct evtlog_task *known = evtlog_tasks_find(host->names, pid);
	struct task *task = task_of(host, pid);

	if (task && known && strncmp(known->comm, task->comm, EVTLOG_COMM_LEN))
		memset(task->regions, 0, sizeof(task->regions));
}

/* To wait on a CPU of which all is known; else where it is is only remembered. */
static void put(struct host *host, struct cpu *cpu, struct task *task, unsigned int state,
		uint64_t time_ns)
{
	if (cpu->known) {
		cpu_add(host, cpu, task, state, time_ns);
		cpu_show_count(host, cpu, time_ns);
		return;
	}
	task->cpu = cpu - host->cpus;
	task->epoch = cpu->epoch - 1;
	task->state = state;
}

static void take_away(struct host *host, struct task *task, uint64_t time_ns)
{
	struct cpu *cpu = &host->cpus[task->cpu];

	cpu_remove(host, task, time_ns);
	cpu_show_count(host, cpu, time_ns);
}

/* ---- Switches ---- */

static void switch_out(struct host *host, struct cpu *cpu, unsigned int state, uint64_t time_ns)
{
	struct task *task = task_of(host, cpu->runs);

	if (!task)
		return;
	if (!is_placed(host, task) || &host->cpus[task->cpu] != cpu) {
		task->state = TASK_UNKNOWN;
	} else if ((state == EVTLOG_STATE_PREEMPTED || !state) && !task->replaced) {
		cpu_preempt(host, cpu, task, time_ns);
	} else {
		cpu_remove(host, task, time_ns);
		task->state = TASK_BLOCKED;
	}
	task->replaced = false;
	thread_show(host, task, time_ns);
}

static void switch_in(struct host *host, struct cpu *cpu, uint32_t pid, uint64_t time_ns)
{
	struct task *task = task_of(host, pid);

	cpu->runs = pid;
	if (!task)
		return;
	if (is_placed(host, task) && &host->cpus[task->cpu] != cpu)
		take_away(host, task, time_ns);
	if (!is_placed(host, task) || &host->cpus[task->cpu] != cpu)
		cpu_add(host, cpu, task, TASK_RUNNING, time_ns);
	cpu_run(host, cpu, task);
	thread_show(host, task, time_ns);
}

static void take_switch(struct host *host, struct cpu *cpu, uint32_t next, unsigned int state,
			uint64_t time_ns)
{
	bool was_task = cpu->runs && cpu->runs < PIDS;

	if (!was_task)
		cpu_clear_idle(host, cpu, time_ns);
	switch_out(host, cpu, state, time_ns);
	switch_in(host, cpu, next, time_ns);
	cpu_show_running(host, cpu, time_ns);
	cpu_show_count(host, cpu, time_ns);
}

/* ---- Wake-ups, migrations, births and deaths ---- */

static void take_waking(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	struct task *task = task_of(host, evtlog_record_pid(event->words));

	if (!task)
		return;
	if (task->cpu != NO_CPU)
		cpu_message(host, cpu, &host->cpus[task->cpu], MESSAGE_WAKEUP, event->time_ns);
	/* One that has not left its CPU yet, or waits for one, does not wait now. */
	if (is_placed(host, task))
		return;
	if (task->cpu == NO_CPU)
		return;
	put(host, &host->cpus[task->cpu], task, TASK_WAITING, event->time_ns);
	thread_show(host, task, event->time_ns);
}

static void take_new(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	struct task *task = task_of(host, evtlog_record_pid(event->words));
	struct cpu *target = cpu_numbered(host, (uint32_t)event->words[1]);

	if (!task || !target)
		return;
	cpu_message(host, cpu, target, MESSAGE_FORK, event->time_ns);
	if (is_placed(host, task))
		return;
	put(host, target, task, TASK_WAITING, event->time_ns);
	thread_show(host, task, event->time_ns);
}

static void take_migration(struct host *host, const struct evtlog_event *event)
{
	struct task *task = task_of(host, evtlog_record_pid(event->words));
	struct cpu *from = cpu_numbered(host, (uint32_t)event->words[1]);
	struct cpu *to = cpu_numbered(host, event->words[1] >> 32);

	if (!task || !to)
		return;
	if (from)
		cpu_message(host, from, to, MESSAGE_MIGRATION, event->time_ns);
	cpu_count(host, to, event->time_ns, COUNTER_MIGRATIONS);
	/* What runs does not move: its switch is to come, or was lost. */
	if (is_placed(host, task) && task->state == TASK_RUNNING)
		return;
	if (is_placed(host, task)) {
		take_away(host, task, event->time_ns);
		put(host, to, task, task->state, event->time_ns);
		return;
	}
	task->cpu = to - host->cpus;
	task->epoch = to->epoch - 1;
}

static void take_fork(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	struct task *task = task_of(host, pid);

	if (!task)
		return;
	if (is_placed(host, task))
		take_away(host, task, event->time_ns);
	*task = (struct task) {
		.pid = pid, .cpu = NO_CPU, .state = TASK_BLOCKED, .thread = task->thread,
	};
	cpu_count(host, cpu, event->time_ns, COUNTER_FORKS);
}

/* To where the parent is; for a thread that is its process. */
static void take_exit(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words), tgid = (uint32_t)event->words[1];
	const struct evtlog_task *known = evtlog_tasks_find(host->names, pid);
	struct task *parent = NULL;

	cpu_count(host, cpu, event->time_ns, COUNTER_EXITS);
	if (pid < PIDS && host->by_pid[pid])
		host->tasks[host->by_pid[pid]].exited = true;
	if (tgid != pid)
		parent = task_of(host, tgid);
	else if (known)
		parent = task_of(host, known->ppid);
	if (parent && parent->cpu != NO_CPU)
		cpu_message(host, cpu, &host->cpus[parent->cpu], MESSAGE_JOIN, event->time_ns);
}

static void take_exec(struct host *host, const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words), old = (uint32_t)event->words[1];
	struct task *task;

	name_task(host, pid);
	task = task_of(host, old);
	if (old != pid && task)
		task->replaced = true;
}

/* Where tasks are when the log begins. */
static void take_snapshot(struct host *host, const struct evtlog_event *event)
{
	struct task *task = task_of(host, evtlog_record_pid(event->words));
	struct cpu *cpu = cpu_numbered(host, (uint32_t)event->words[3]);

	if (!task || !cpu || task->cpu != NO_CPU)
		return;
	if (evtlog_switch_state(event->words) || !cpu->known) {
		task->cpu = cpu - host->cpus;
		task->epoch = cpu->epoch - 1;
		task->state = evtlog_switch_state(event->words) ? TASK_BLOCKED : TASK_UNKNOWN;
	} else {
		put(host, cpu, task, TASK_PREEMPTED, event->time_ns);
	}
	thread_show(host, task, event->time_ns);
}

/* ---- What is nested ---- */

static void take_user_exit(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	struct task *task = task_of(host, cpu->runs);

	if (!task)
		return;
	task->call = region_call(host, event);
	if (task->call)
		cpu_show_running(host, cpu, event->time_ns);
}

static void take_user_enter(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	struct task *task = task_of(host, cpu->runs);

	if (!task || (!task->call && !task->exceptions))
		return;
	task->call = 0;
	task->exceptions = 0;
	cpu_show_running(host, cpu, event->time_ns);
}

/* Those of a task: in an interrupt they are short, and not shown. */
static void take_exception(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	uint32_t region = region_exception(host, evtlog_data(event->words, 0, 8));
	struct task *task = task_of(host, cpu->runs);

	if (!task || cpu->contexts.depth)
		return;
	if (event->known == EVTLOG_EXCEPTION_ENTRY) {
		if (task->exceptions == EXCEPTIONS_MAX)
			return;
		task->exception[task->exceptions++] = region;
	} else {
		if (!task->exceptions || task->exception[task->exceptions - 1] != region)
			return;
		task->exceptions--;
	}
	cpu_show_running(host, cpu, event->time_ns);
}

static void take_context(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	const struct record_class *class = record_class(event->known);
	uint32_t number;

	if (class->context == EVTLOG_IN_TASK)
		return;
	number = record_number(class, event->words);
	if (class->step == RECORD_ENTRY)
		context_enter(&cpu->contexts, class->context, number);
	else if (class->step == RECORD_EXIT)
		context_leave(&cpu->contexts, class->context, number);
	else
		return;
	cpu_show_running(host, cpu, event->time_ns);
}

/* ---- Events ---- */

/*
 * The event tells what the CPU was in since its last one: a buffer may begin within an
 * interrupt.  Nothing else writes into the stream of what runs.
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

/* A CPU begins, or goes on behind a gap, with the task that its buffer says. */
static void begin(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	cpu_forget(host, cpu, event->time_ns, NULL);
	threads_forget(host, cpu, event->time_ns);
	cpu->known = true;
	cpu->gap_told = false;
	context_reset(&cpu->contexts, 0);
	take_switch(host, cpu, event->begin_pid, EVTLOG_STATE_PREEMPTED, event->time_ns);
}

static void take_other(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	switch (event->kind) {
	case EVTLOG_EVENT_BEGIN:
	case EVTLOG_EVENT_GAP:
		begin(host, cpu, event);
		break;
	case EVTLOG_EVENT_BUFFER:
		if (cpu->known && event->begin_pid != cpu->runs)
			take_switch(host, cpu, event->begin_pid, EVTLOG_STATE_PREEMPTED,
				    event->time_ns);
		break;
	case EVTLOG_EVENT_END:
		cpu_forget(host, cpu, event->time_ns,
			   event->rest_missing ? &lost : NULL);
		threads_forget(host, cpu, event->time_ns);
		break;
	}
}

static void take_record(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
		context_switch(&cpu->contexts);
		cpu_count(host, cpu, event->time_ns, COUNTER_SWITCHES);
		take_switch(host, cpu, evtlog_record_pid(event->words),
			    evtlog_switch_state(event->words), event->time_ns);
		return;
	case EVTLOG_SCHED_WAKING:
		take_waking(host, cpu, event);
		return;
	case EVTLOG_SCHED_WAKEUP_NEW:
		take_new(host, cpu, event);
		return;
	case EVTLOG_SCHED_MIGRATE_TASK:
		take_migration(host, event);
		return;
	case EVTLOG_SCHED_PROCESS_FORK:
		take_fork(host, cpu, event);
		return;
	case EVTLOG_SCHED_PROCESS_EXIT:
		take_exit(host, cpu, event);
		return;
	case EVTLOG_SCHED_PROCESS_EXEC:
		take_exec(host, event);
		cpu_show_running(host, cpu, event->time_ns);
		return;
	case EVTLOG_TASK_RENAME:
		name_task(host, evtlog_record_pid(event->words));
		if (evtlog_record_pid(event->words) == cpu->runs)
			cpu_show_running(host, cpu, event->time_ns);
		return;
	case EVTLOG_TASK:
		take_snapshot(host, event);
		return;
	case EVTLOG_USER_EXIT:
		take_user_exit(host, cpu, event);
		return;
	case EVTLOG_USER_ENTER:
		take_user_enter(host, cpu, event);
		return;
	case EVTLOG_EXCEPTION_ENTRY:
	case EVTLOG_EXCEPTION_EXIT:
		take_exception(host, cpu, event);
		return;
	default:
		take_context(host, cpu, event);
	}
}

void schedule_gap(struct host *host, const struct evtlog_event *event, uint64_t from_ns)
{
	bool is_lost = event->lost || event->lost_buffers;
	struct cpu *cpu = cpu_numbered(host, event->cpu);

	if (!cpu || cpu->gap_told)
		return;
	cpu->gap_told = true;
	cpu_forget(host, cpu, from_ns, is_lost ? &lost : &host->out->shared.offline);
	threads_forget(host, cpu, from_ns);
}

int schedule_take(struct host *host, const struct evtlog_event *event)
{
	struct cpu *cpu = cpu_numbered(host, event->cpu);
	int error;

	if (!cpu)
		return 0;
	if (event->kind == EVTLOG_EVENT_RECORD) {
		/* The name holds from the event on that gives it. */
		error = evtlog_tasks_update(host->names, event);
		if (cpu->known) {
			correct_context(host, cpu, event);
			take_record(host, cpu, event);
		}
	} else {
		error = evtlog_tasks_update(host->names, event);
		take_other(host, cpu, event);
	}
	cpu->last_ns = event->time_ns;
	return error;
}
