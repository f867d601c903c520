// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Applies each event of a host to its CPUs and tasks.
 *
 * export.c calls it with all events of a log in the order of time; lib/replay finds the changes,
 * and cpu.c writes them.
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
	int error = replay_init(&host->replay, host->file);

	if (error)
		return error;
	if (host->has_samples)
		error = passes_init(host);
	if (error)
		return error;
	find_unknown(host);
	host->cpu_count = host->replay.cpu_count;
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
	replay_free(&host->replay);
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

	if (__builtin_expect(had >= host->replay.task_count, 1))
		return 0;
	if (array_reserve_more(&host->tasks, &host->task_capacity, had,
			       host->replay.task_capacity - had, sizeof(*host->tasks)))
		return -ENOMEM;
	memset(host->tasks + had, 0, (host->task_capacity - had) * sizeof(*host->tasks));
	return 0;
}

/* Returns NULL for the idle task, and if the task was not seen yet. */
static inline struct task *task_of(struct host *host, uint32_t pid)
{
	uint32_t number = replay_find(&host->replay, pid);

	return number > REPLAY_IDLE ? &host->tasks[number] : NULL;
}

static struct task *running_task(struct host *host, const struct cpu *cpu)
{
	return cpu->queue->task > REPLAY_IDLE ? &host->tasks[cpu->queue->task] : NULL;
}

static struct cpu *cpu_numbered(struct host *host, uint32_t number)
{
	uint32_t index = file_slot(host->file, number);

	return index == NO_SLOT ? NULL : &host->cpus[index];
}

/* Returns the CPU where the task is, or was last; NULL if unknown. */
static struct cpu *cpu_of_task(struct host *host, uint32_t pid)
{
	uint32_t index = host->replay.tasks[replay_find(&host->replay, pid)].cpu;

	return index == NO_SLOT ? NULL : &host->cpus[index];
}

void schedule_name_task(struct host *host, uint32_t pid)
{
	const struct evtlog_task *known = evtlog_tasks_find(host->names, pid);
	struct task *task = task_of(host, pid);

	if (task && known && strncmp(known->comm, task->comm, EVTLOG_COMM_LEN))
		memset(task->regions, 0, sizeof(task->regions));
}

/* ---- Changes ---- */

/* How a task that comes to a CPU is shown */
static enum task_state state_shown(const struct replay_change *change)
{
	bool woken = change->kind == REPLAY_WAKE ||
		     (change->kind == REPLAY_MOVE && change->woken);

	if (change->next == REPLAY_RUNNING)
		return TASK_RUNNING;
	return woken ? TASK_WAITING : TASK_PREEMPTED;
}

static void apply_state(struct host *host, const struct replay_change *change, uint64_t time_ns)
{
	struct task *task = &host->tasks[change->task];
	bool stays = change->queue == change->next_queue;

	if (stays && change->queue != NO_SLOT && change->state == REPLAY_RUNNING &&
	    change->next != REPLAY_RUNNING)
		cpu_preempt(host, &host->cpus[change->queue], task, time_ns);
	if (stays)
		return;
	if (change->queue != NO_SLOT)
		cpu_remove(host, &host->cpus[change->queue], task, time_ns);
	if (change->next_queue == NO_SLOT)
		return;
	task->pid = change->pid;
	cpu_add(host, &host->cpus[change->next_queue], task, state_shown(change), time_ns);
}

static void apply_one(struct host *host, const struct replay_change *change, uint64_t time_ns,
		      const uint32_t *region)
{
	struct cpu *cpu = change->cpu == NO_SLOT ? NULL : &host->cpus[change->cpu];

	switch (change->kind) {
	case REPLAY_FORGET:
		cpu_forget(host, cpu, time_ns, region);
		break;
	case REPLAY_STATE:
	case REPLAY_WAKE:
	case REPLAY_MOVE:
		apply_state(host, change, time_ns);
		break;
	case REPLAY_RUN:
		cpu_clear_idle(host, cpu, time_ns);
		if (change->task > REPLAY_IDLE)
			cpu_run(host, cpu, &host->tasks[change->task]);
		cpu_show_running(host, cpu, time_ns);
		break;
	case REPLAY_END:
		apply_state(host, change, time_ns);
		host->tasks[change->task] = (struct task) { 0 };
		break;
	}
}

static void show_count(struct host *host, uint32_t index, uint64_t time_ns)
{
	if (index != NO_SLOT && host->replay.cpus[index].known)
		cpu_show_count(host, &host->cpus[index], time_ns);
}

/* @region: region for a CPU whose state is unknown from now on; NULL: none */
static void apply(struct host *host, uint64_t time_ns, const uint32_t *region)
{
	const struct replay *replay = &host->replay;

	for (size_t i = 0; i < replay->change_count; i++)
		apply_one(host, &replay->changes[i], time_ns, region);
	/* Show only the last number of tasks at this time. */
	for (size_t i = 0; i < replay->change_count; i++) {
		const struct replay_change *change = &replay->changes[i];

		if (change->kind == REPLAY_RUN)
			show_count(host, change->cpu, time_ns);
		if (change->queue == change->next_queue)
			continue;
		show_count(host, change->queue, time_ns);
		show_count(host, change->next_queue, time_ns);
	}
	if (__builtin_expect(host->thread_count == 0, 1))
		return;
	for (size_t i = 0; i < replay->change_count; i++)
		thread_show(host, replay->changes[i].pid, time_ns);
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

/* Call it before the event changes the tasks. */
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
	struct task *task = running_task(host, cpu);

	if (!task)
		return false;
	task->call = region_call(host, event);
	if (task->call)
		cpu_show_running(host, cpu, event->time_ns);
	return task->call;
}

static bool take_user_enter(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	struct task *task = running_task(host, cpu);

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
	struct task *task = running_task(host, cpu);

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

static void take_name(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	schedule_name_task(host, evtlog_record_pid(event->words));
	if (event->known == EVTLOG_SCHED_PROCESS_EXEC ||
	    evtlog_record_pid(event->words) == cpu->queue->runs)
		cpu_show_running(host, cpu, event->time_ns);
}

static void note_threads(struct host *host, const struct evtlog_event *event)
{
	switch (event->known) {
	case EVTLOG_SCHED_PROCESS_FORK:
		thread_lives(host, evtlog_record_pid(event->words), event->time_ns, true);
		return;
	case EVTLOG_SCHED_PROCESS_EXIT:
		thread_lives(host, evtlog_record_pid(event->words), event->time_ns, false);
		return;
	}
}

/* Handles events that change no state of a task.  Returns true if the archive shows the event. */
static bool take_record(struct host *host, struct cpu *cpu, const struct evtlog_event *event)
{
	switch (event->known) {
	case EVTLOG_SCHED_PROCESS_FORK:
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

int schedule_gaps(struct host *host, struct lanes *lanes, uint64_t until_ns)
{
	const struct evtlog_event *event;
	uint64_t from_ns;

	while ((event = replay_gap(&host->replay, lanes, until_ns, &from_ns))) {
		if (host->has_samples) {
			if (lanes_is_loss(event))
				passes_lose(host, from_ns);
			continue;
		}
		if (replay_take_gap(&host->replay, event, from_ns) || schedule_reserve_tasks(host))
			return -ENOMEM;
		apply(host, from_ns, lanes_is_loss(event) ? &lost :
		      &host->out->shared.offline);
	}
	return 0;
}

int schedule_take(struct host *host, const struct evtlog_event *event)
{
	struct cpu *cpu = cpu_numbered(host, event->cpu);
	bool is_record = event->kind == EVTLOG_EVENT_RECORD, is_shown = false;
	int error;

	if (!cpu)
		return 0;
	if (host->has_samples)
		return passes_take(host, event);
	/* A name is valid from its event on. */
	error = evtlog_tasks_update(host->names, event);
	is_record &= cpu->queue->known;
	if (is_record) {
		correct_context(host, cpu, event);
		is_shown = show(host, cpu, event);
		if (__builtin_expect(host->thread_count != 0, 0))
			note_threads(host, event);
	} else if (event->kind == EVTLOG_EVENT_BEGIN || event->kind == EVTLOG_EVENT_GAP) {
		context_reset(&cpu->contexts, 0);
	}
	if (!error)
		error = replay_take(&host->replay, event, event->time_ns);
	if (!error)
		error = schedule_reserve_tasks(host);
	if (error)
		return error;
	apply(host, event->time_ns, event->kind == EVTLOG_EVENT_END && event->rest_missing ?
	      &lost : NULL);
	if (is_record && !take_record(host, cpu, event) && !is_shown)
		records_put(host, cpu, event);
	cpu->last_ns = event->time_ns;
	return 0;
}
