// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums up a run: the loop over all events.
 *
 * Each event costs one call of the library, a switch by type, and access to tasks by index.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "input/open-log.h"
#include "input/types.h"
#include "lib/file/file.h"
#include "lib/merge/iterator.h"
#include "lib/replay/replay.h"
#include "stat.h"

/* If these types are not recorded, sums are too low, or 0. */
#define TYPES_OF_STAT	(types_bit(EVTLOG_SCHED_SWITCH) | types_bit(EVTLOG_SCHED_WAKING) | \
			 types_bit(EVTLOG_SCHED_MIGRATE_TASK) | TYPES_SOFTIRQ | TYPES_IRQ | \
			 types_bit(EVTLOG_ICMP_RX) | types_bit(EVTLOG_ICMP_TX))

static uint64_t not_recorded(const struct stat *stat, uint64_t types)
{
	return types_that_are(stat->file, types, EVTLOG_RECORDED_OFF);
}

/* An entry and its exit have the same filter. */
char *stat_filtered(const struct stat *stat)
{
	return types_text(stat->file, stat->unknown.filtered);
}

char *stat_not_recorded(const struct stat *stat)
{
	return types_text(stat->file, not_recorded(stat, TYPES_OF_STAT));
}

static void find_unknown(struct stat *stat)
{
	stat->unknown = (struct stat_unknown) {
		.tasks = not_recorded(stat, types_bit(EVTLOG_SCHED_SWITCH)),
		.wakings = not_recorded(stat, types_bit(EVTLOG_SCHED_WAKING)),
		.migrations = not_recorded(stat, types_bit(EVTLOG_SCHED_MIGRATE_TASK)),
		.softirqs = not_recorded(stat, TYPES_SOFTIRQ),
		/* If some types are recorded, their time is known. */
		.irqs = not_recorded(stat, TYPES_IRQ) == TYPES_IRQ,
		.others = evtlog_tree_pid(stat->file),
		.filtered = types_filtered(stat->file, TYPES_OF_STAT),
	};
	stat->unknown.is_sampled = stat->unknown.tasks && stat_registered_has_pass(stat);
}

int stat_init(struct stat *stat)
{
	stat->is_global = log_is_global(stat->file);
	stat->cpu_count = evtlog_cpu_count(stat->file);
	stat->cpus = calloc(stat->cpu_count + 1, sizeof(*stat->cpus));
	if (!stat->cpus)
		return -ENOMEM;
	for (unsigned int i = 0; i < stat->cpu_count; i++) {
		struct stat_cpu *cpu = &stat->cpus[i];

		cpu->cpu = evtlog_cpu_number(stat->file, i);
		cpu->wanted = stat->is_global || filter_has_cpu(&stat->filter, cpu->cpu);
		cpu->pid = EVTLOG_PID_UNKNOWN;
	}
	stat->logger_pid = file_meta_pid(stat->file, "logger_pid");
	stat->replay = calloc(1, sizeof(*stat->replay));
	if (!stat->replay || replay_init(stat->replay, stat->file))
		return -ENOMEM;
	stat->replay->omitted = REPLAY_BRIEF | REPLAY_QUEUES;
	return stat_tasks_init(stat);
}

void stat_free(struct stat *stat)
{
	evtlog_tasks_free(stat->names);
	if (stat->replay)
		replay_free(stat->replay);
	free(stat->replay);
	stat_tasks_free(stat);
	stat_interrupts_free(stat);
	free(stat->cpus);
	stat_registered_free(stat);
	sampled_free(stat->sampled);
}

/* Charges the time up to an event to a task or interrupt, in addition to struct usage. */
static int add_time(struct stat *stat, struct stat_cpu *cpu,
		    const struct evtlog_event *event, uint64_t ns)
{
	if (event->context != EVTLOG_IN_TASK)
		return stat_interrupt_time(stat, cpu, event, ns);
	if (__builtin_expect(cpu->pid != event->pid, 0)) {
		int64_t index = stat_task(stat, event->pid);

		if (index < 0)
			return index;
		cpu->task = index;
		cpu->pid = event->pid;
	}
	stat_task_present(stat, cpu->task)->run_ns += ns;
	return 0;
}

/* Returns what a task with a pid was in before the present event. */
static const struct replay_task *before(const struct stat *stat, uint32_t pid)
{
	return &stat->replay->tasks[replay_find(stat->replay, pid)];
}

static int count_switch(struct stat *stat, struct stat_cpu *cpu, const struct evtlog_event *event)
{
	unsigned int state = evtlog_switch_state(event->words);
	int64_t prev_index = stat_task(stat, event->pid), next_index;
	uint32_t next_pid = evtlog_record_pid(event->words);
	const struct replay_task *next = before(stat, next_pid);
	struct stat_task *task;

	if (prev_index < 0)
		return prev_index;
	task = stat_task_present(stat, prev_index);
	if (state == EVTLOG_STATE_PREEMPTED || !state) {
		/* Not pid 0: idle tasks and the time outside of a tree are not preempted. */
		task->preempted += cpu->wanted && event->pid;
	} else {
		task->voluntary += cpu->wanted;
	}
	next_index = stat_task(stat, next_pid);
	if (next_index < 0)
		return next_index;
	cpu->depth = 0;
	/* Adding the next task may have moved all tasks: set @cpu again. */
	cpu->task = next_index;
	cpu->pid = next_pid;
	task = &stat->tasks[next_index];
	if (cpu->wanted) {
		cpu->switches++;
		stat_task_present(stat, next_index)->switches++;
	}
	/* The wake-up counts if its CPU is wanted, on whichever CPU the task then runs. */
	if (next->woken && task->wakeup_counts &&
	    histogram_add(&stat->tasks[task->woken].latency, event->time_ns - next->since))
		return -ENOMEM;
	return 0;
}

static int count_waking(struct stat *stat, const struct evtlog_event *event,
			bool wanted)
{
	int64_t index = stat_task(stat, evtlog_record_pid(event->words));
	struct stat_task *task;

	if (index < 0)
		return index;
	task = &stat->tasks[index];
	stat_task_present(stat, index)->wakeups += wanted;
	if (!replay_is_runnable(before(stat, task->pid)->state)) {
		task->wakeup_counts = wanted;
		task->woken = task->present;
	}
	return 0;
}

static int count_migration(struct stat *stat, const struct evtlog_event *event,
			   bool wanted)
{
	uint32_t from = file_slot(stat->file, event->words[1]);
	uint32_t to = file_slot(stat->file, event->words[1] >> 32);
	int64_t index = stat_task(stat, evtlog_record_pid(event->words));

	if (index < 0)
		return index;
	if (to != NO_SLOT) {
		/* The move counts for the new CPU, whichever CPU moves the task. */
		wanted = stat->cpus[to].wanted;
		stat->cpus[to].migrations += wanted;
		if (stat->migrations && wanted && from != NO_SLOT)
			stat->migrations[(size_t)from * stat->cpu_count + to]++;
	}
	stat_task_present(stat, index)->migrations += wanted;
	return 0;
}

static int count_registered(struct stat *stat, const struct evtlog_event *event)
{
	int error = stat_registered_add(stat, event);

	if (!error && !stat->sampled) {
		stat->sampled = sampled_new(stat->file, stat->cpu_count);
		error = stat->sampled ? 0 : -ENOMEM;
	}
	if (error)
		return error;
	return sampled_add(stat->sampled, stat->is_global ? event->cpu :
			   file_event_slot(stat->file, event), event);
}

/* States of tasks change after the event is counted. */
static int follow(struct stat *stat, const struct stat_cpu *cpu, const struct evtlog_event *event)
{
	if (stat->is_global)
		return 0;
	return replay_take_at(stat->replay, cpu - stat->cpus, event, event->time_ns);
}

static int count_record(struct stat *stat, struct stat_cpu *cpu, const struct evtlog_event *event)
{
	bool wanted = cpu->wanted;
	int error = 0;

	/* A global buffer is one ring: each record has its CPU. */
	if (stat->is_global)
		wanted = filter_has_cpu(&stat->filter, event->cpu);
	stat->events += wanted;
	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
		error = count_switch(stat, cpu, event);
		break;
	case EVTLOG_SCHED_WAKING:
	case EVTLOG_SCHED_WAKEUP_NEW:
		error = count_waking(stat, event, wanted);
		break;
	case EVTLOG_SCHED_MIGRATE_TASK:
		error = count_migration(stat, event, wanted);
		break;
	case EVTLOG_SCHED_PROCESS_FORK:
	case EVTLOG_SCHED_PROCESS_EXEC:
	case EVTLOG_TASK:
		error = stat_task_name(stat, event);
		break;
	case EVTLOG_SCHED_PROCESS_EXIT:
		stat_task_exit(stat, evtlog_record_pid(event->words));
		break;
	case EVTLOG_TASK_RENAME:
		return stat_task_name(stat, event);
	case EVTLOG_COUNTER:
		usage_steal(&cpu->usage, event);
		return 0;
	case EVTLOG_EVENT_FORMAT:
		return stat_registered_format(stat, event);
	case EVTLOG_EVENT:
		return wanted ? count_registered(stat, event) : 0;
	case EVTLOG_ICMP_RX:
		stat->icmp_rx[evtlog_data(event->words, 0, 8)] += wanted;
		return 0;
	case EVTLOG_ICMP_TX:
		stat->icmp_tx[evtlog_data(event->words, 0, 8)] += wanted;
		return 0;
	default:
		return stat->is_global ? 0 : stat_interrupt(stat, cpu, event);
	}
	return error ? error : follow(stat, cpu, event);
}

/* Charges the time up to @event. */
static int take_time(struct stat *stat, struct stat_cpu *cpu,
		     const struct evtlog_event *event)
{
	uint64_t ns = usage_update(&cpu->usage, event, stat->logger_pid);
	int error;

	if (__builtin_expect(event->kind == EVTLOG_EVENT_RECORD, 1))
		return cpu->wanted ? add_time(stat, cpu, event, ns) : 0;
	cpu->closed |= event->kind == EVTLOG_EVENT_END;
	/* Up to here, the task ran under its old name. */
	error = cpu->wanted ? add_time(stat, cpu, event, ns) : 0;
	cpu->depth = 0;
	return error ? error : stat_task_name(stat, event);
}

/* The first event of a CPU after --to shows what the CPU did until then. */
static int take_last(struct stat *stat, struct stat_cpu *cpu,
		     const struct evtlog_event *event)
{
	struct evtlog_event last = *event;

	if (cpu->closed)
		return 0;
	cpu->closed = true;
	if (!cpu->usage.begun)
		return 0;
	last.time_ns = stat->end_ns;
	if (last.from_ns > stat->end_ns)
		last.from_ns = stat->end_ns;
	return take_time(stat, cpu, &last);
}

static void set_span(struct stat *stat)
{
	uint64_t begin_ns = evtlog_begin_ns(stat->file);
	uint64_t end_ns = evtlog_end_ns(stat->file);
	uint64_t span_ns = end_ns - begin_ns;
	const struct filter *s = &stat->filter;

	stat->begin_ns = s->from_ns < span_ns ? begin_ns + s->from_ns : end_ns;
	stat->end_ns = s->to_ns < span_ns ? begin_ns + s->to_ns : end_ns;
	if (stat->end_ns < stat->begin_ns)
		stat->end_ns = stat->begin_ns;
}

static bool is_part(const struct stat *stat)
{
	return stat->begin_ns > evtlog_begin_ns(stat->file) ||
	       stat->end_ns < evtlog_end_ns(stat->file);
}

/* Events before the part show which task runs when the part begins. */
static int take_before(struct stat *stat, struct stat_cpu *cpu,
		       const struct evtlog_event *event)
{
	int error;

	if (event->kind != EVTLOG_EVENT_RECORD) {
		cpu->usage.begun = true;
		cpu->closed |= event->kind == EVTLOG_EVENT_END;
	}
	cpu->usage.last_ns = stat->begin_ns;
	stat->has_past = true;
	error = stat_task_name(stat, event);
	return error || !replay_changes(event) ? error : follow(stat, cpu, event);
}

/* It is unknown for how long tasks waited when the part begins. */
static int begin_part(struct stat *stat)
{
	stat->has_past = false;
	return replay_forget(stat->replay, stat->begin_ns);
}

static int take_gaps(struct stat *stat, struct lanes *lanes, uint64_t until_ns)
{
	const struct evtlog_event *event;
	uint64_t from_ns;

	while ((event = replay_gap(stat->replay, lanes, until_ns, &from_ns)))
		if (replay_take_gap(stat->replay, event, from_ns))
			return -ENOMEM;
	return 0;
}

static int take(struct stat *stat, struct lanes *lanes, struct stat_cpu *cpu,
		const struct evtlog_event *event)
{
	int error;

	if (__builtin_expect(lanes->gap_ns <= event->time_ns, 0) &&
	    take_gaps(stat, lanes, event->time_ns))
		return -ENOMEM;
	if (event->time_ns < stat->begin_ns)
		return take_before(stat, cpu, event);
	if (__builtin_expect(stat->has_past, 0) && begin_part(stat))
		return -ENOMEM;
	if (__builtin_expect(event->kind == EVTLOG_EVENT_RECORD, 1)) {
		error = take_time(stat, cpu, event);
		return error ? error : count_record(stat, cpu, event);
	}
	if (event->kind == EVTLOG_EVENT_GAP || event->kind == EVTLOG_EVENT_BEGIN)
		stat->lost += cpu->wanted ? event->lost : 0;
	error = take_time(stat, cpu, event);
	return error ? error : follow(stat, cpu, event);
}

static int read_events(struct stat *stat, struct iterator *iterator, struct progress *progress)
{
	/* If the part ends with the file, events at the file's last instant belong to it. */
	bool ends = stat->end_ns < evtlog_end_ns(stat->file);
	const struct iterator_event *at;
	uint16_t count = 0;
	int result, error;

	while ((result = iterator_next(iterator, &at)) > 0) {
		const struct evtlog_event *event = at->event;
		struct stat_cpu *cpu = &stat->cpus[file_event_slot(stat->file, event)];

		if (ends && event->time_ns >= stat->end_ns) {
			error = take_last(stat, cpu, event);
			iterator_drop_cpu(iterator);
		} else {
			error = take(stat, &iterator->lanes, cpu, event);
		}
		if (error)
			return error;
		if (++count)
			continue;
		if (stat->given_up && stat->given_up(stat->given_up_arg))
			return -ECANCELED;
		if (event->time_ns > stat->begin_ns)
			progress_update(progress, event->time_ns - stat->begin_ns);
	}
	return result;
}

static int read_part(struct stat *stat)
{
	bool later = stat->begin_ns > evtlog_begin_ns(stat->file);
	struct iterator iterator;
	struct progress progress;
	int result = 0;

	if (later)
		result = stat_learn_before(stat);
	if (result)
		return result;
	result = iterator_of_log(&iterator, stat->file, later ? stat->begin_ns : 0, NULL);
	progress_begin(&progress, stat->path, stat->end_ns - stat->begin_ns);
	if (!result)
		result = read_events(stat, &iterator, &progress);
	progress_end(&progress);
	iterator_end(&iterator);
	return result;
}

int stat_read(struct stat *stat)
{
	int result;

	set_span(stat);
	result = evtlog_tasks_new(stat->file, &stat->names);
	if (result)
		return result;
	result = read_part(stat);
	find_unknown(stat);
	for (unsigned int i = 0; i < stat->cpu_count; i++) {
		usage_finish(&stat->cpus[i].usage, stat->begin_ns,
			     stat->end_ns);
		if (stat->unknown.others)
			usage_set_outside(&stat->cpus[i].usage);
	}
	if (stat->sampled)
		sampled_set_end(stat->sampled, stat->end_ns);
	if (!is_part(stat))
		stat->lost = log_lost(stat->file);
	return result;
}

void stat_total_sum(struct stat_total *total, const struct stat_total *add)
{
	total->files += add->files;
	total->events += add->events;
	total->lost += add->lost;
	total->switches += add->switches;
	total->migrations += add->migrations;
	total->unknown.tasks |= add->unknown.tasks;
	total->unknown.softirqs |= add->unknown.softirqs;
	total->unknown.irqs |= add->unknown.irqs;
	total->unknown.migrations |= add->unknown.migrations;
	total->unknown.others |= add->unknown.others;
	usage_add(&total->usage, &add->usage);
}

void stat_total_add(struct stat_total *total, const struct stat *stat)
{
	struct stat_total add = {
		.files = 1,
		.events = stat->events,
		.lost = stat->lost,
		.unknown = stat->unknown,
	};

	for (unsigned int i = 0; i < stat->cpu_count; i++) {
		if (!stat->cpus[i].wanted)
			continue;
		usage_add(&add.usage, &stat->cpus[i].usage);
		add.switches += stat->cpus[i].switches;
		add.migrations += stat->cpus[i].migrations;
	}
	stat_total_sum(total, &add);
}

void stat_total_print(const struct stat_total *total, bool as_json)
{
	if (total->files < 2)
		return;
	if (as_json)
		stat_total_json(total);
	else
		stat_total_show(total);
}
