// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters of a log's CPUs in an interval, from events.
 *
 * Called by series.c and by the viewer. Times of CPUs are computed as in `evtlog stat`, runnable
 * tasks by lib/replay.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interval.h"

/* ---- Begin and end ---- */

int interval_host_init(struct interval_host *host, struct evtlog_file *file, const char *name,
		       const struct filter *filter, enum samples_source source)
{
	int error, chosen;

	memset(host, 0, sizeof(*host));
	host->file = file;
	host->name = name;
	host->begin_ns = evtlog_begin_ns(file);
	host->end_ns = evtlog_end_ns(file);
	host->from_ns = host->begin_ns;
	host->level.since_ns = host->begin_ns;
	host->hold = (struct interval_hold) {
		.since_ns = host->begin_ns, .until_ns = UINT64_MAX,
	};
	host->logger_pid = file_meta_pid(file, "logger_pid");
	host->is_of_tree = evtlog_tree_pid(file);
	chosen = samples_choose(file, source);
	host->source = chosen > 0 ? &interval_samples : &interval_events;
	host->unknown = sched_unknown(file, host->source->has_passes);
	error = chosen < 0 ? chosen : 0;
	if (!error)
		error = replay_init(&host->replay, file);
	if (!error && host->source->has_passes)
		error = samples_init(&host->samples, file, &host->replay);
	host->cpus = calloc(host->replay.cpu_count + 1, sizeof(*host->cpus));
	if (!host->cpus)
		error = -ENOMEM;
	for (unsigned int i = 0; !error && i < host->replay.cpu_count; i++) {
		struct interval_cpu *cpu = &host->cpus[i];

		cpu->wanted = filter_has_cpu(filter, host->replay.cpus[i].number);
		cpu->level.since_ns = host->begin_ns;
	}
	if (!error)
		error = interval_snapshot_end(file, &host->snapshot_ns);
	return error ? error : iterator_of_log(&host->iterator, file, 0, NULL);
}

void interval_host_free(struct interval_host *host)
{
	iterator_end(&host->iterator);
	samples_free(&host->samples);
	replay_free(&host->replay);
	free(host->cpus);
}

/* ---- Runnable tasks ---- */

/* Charges the time up to @time_ns to the present number. Returns this time. */
static uint64_t level_settle(struct interval_level *level, uint64_t time_ns)
{
	uint64_t ns = time_ns > level->since_ns ? time_ns - level->since_ns : 0;

	if (ns && level->count > level->max)
		level->max = level->count;
	level->since_ns += ns;
	return ns;
}

static void settle(struct interval_cpu *cpu, uint64_t time_ns)
{
	uint64_t ns = level_settle(&cpu->level, time_ns);

	if (cpu->known) {
		cpu->now.known_ns += ns;
		cpu->now.runnable_ns += ns * cpu->level.count;
		cpu->now.running_ns += cpu->running ? ns : 0;
	} else if (cpu->offline) {
		cpu->now.offline_ns += ns;
	}
}

/* Takes the tasks of a CPU from @time_ns on. */
static void refresh(struct interval_host *host, uint32_t index, uint64_t time_ns)
{
	const struct replay_cpu *queue = &host->replay.cpus[index];
	struct interval_cpu *cpu = &host->cpus[index];
	bool running = queue->task > REPLAY_IDLE;

	if (cpu->level.count == queue->count && cpu->running == running &&
	    cpu->known == queue->known)
		return;
	settle(cpu, time_ns);
	if (cpu->wanted && cpu->level.count != queue->count) {
		level_settle(&host->level, time_ns);
		host->level.count += queue->count - cpu->level.count;
	}
	cpu->level.count = queue->count;
	cpu->running = running;
	cpu->known = queue->known;
}

static void refresh_changed(struct interval_host *host, uint64_t time_ns)
{
	for (size_t i = 0; i < host->replay.change_count; i++) {
		const struct replay_change *change = &host->replay.changes[i];

		if (change->kind == REPLAY_RUN || change->kind == REPLAY_FORGET)
			refresh(host, change->cpu, time_ns);
		if (change->queue == change->next_queue)
			continue;
		if (change->queue != NO_SLOT)
			refresh(host, change->queue, time_ns);
		if (change->next_queue != NO_SLOT)
			refresh(host, change->next_queue, time_ns);
	}
}

/* ---- What is unknown ---- */

static void set_whole(struct interval_host *host, uint32_t index, bool whole)
{
	host->cpus[index].whole = whole;
	if (!whole)
		host->cpus[index].now.exact = false;
}

/* Wake-ups and migrations of tasks on any CPU may be missing. */
static void lose(struct interval_host *host, uint32_t index)
{
	struct interval_cpu *cpu = &host->cpus[index];

	cpu->now.lost = true;
	cpu->offline = false;
	/* The snapshot is no longer enough: later changes may be lost. */
	host->snapshot_ns = UINT64_MAX;
	for (unsigned int i = 0; i < host->replay.cpu_count; i++)
		set_whole(host, i, false);
}

static int take_gaps(struct interval_host *host, uint64_t until_ns)
{
	const struct evtlog_event *event;
	uint64_t from_ns;

	while ((event = replay_gap(&host->replay, &host->iterator.lanes, until_ns, &from_ns))) {
		uint32_t index = file_slot(host->file, event->cpu);

		if (replay_take_gap(&host->replay, event, from_ns))
			return -ENOMEM;
		refresh_changed(host, from_ns);
		host->cpus[index].offline = !lanes_is_loss(event);
		if (lanes_is_loss(event))
			lose(host, index);
	}
	return 0;
}

/* No task waits on an idle CPU, except a task that is woken at this instant. */
static void find_whole(struct interval_host *host, uint32_t index)
{
	if (!host->replay.lossy && !host->is_of_tree && !host->replay.cpus[index].runs)
		host->cpus[index].whole = true;
}

static void end_snapshot(struct interval_host *host)
{
	host->snapshot_ns = UINT64_MAX;
	for (unsigned int i = 0; i < host->replay.cpu_count; i++)
		host->cpus[i].whole = true;
}

/* ---- Events ---- */

static void take_other(struct interval_host *host, struct interval_cpu *cpu, uint32_t index,
		       const struct evtlog_event *event)
{
	switch (event->kind) {
	case EVTLOG_EVENT_BEGIN:
	case EVTLOG_EVENT_GAP:
		cpu->offline = false;
		for (unsigned int i = 0; i < host->replay.cpu_count; i++)
			find_whole(host, i);
		cpu->now.exact &= cpu->whole;
		break;
	case EVTLOG_EVENT_END:
		cpu->offline = false;
		if (event->rest_missing)
			lose(host, index);
		break;
	}
}

static void count_migration(struct interval_host *host, const struct evtlog_event *event)
{
	uint32_t from = file_slot(host->file, (uint32_t)event->words[1]);
	uint32_t to = file_slot(host->file, event->words[1] >> 32);
	uint32_t task = replay_find(&host->replay, evtlog_record_pid(event->words));

	if (from != NO_SLOT)
		host->cpus[from].now.migrations_out++;
	if (to == NO_SLOT)
		return;
	host->cpus[to].now.migrations_in++;
	/* The task may wait there, and is not counted. */
	if (host->replay.tasks[task].state == REPLAY_UNKNOWN)
		set_whole(host, to, false);
}

static void count_record(struct interval_host *host, struct interval_cpu *cpu,
			 const struct evtlog_event *event)
{
	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
		cpu->now.switches++;
		break;
	case EVTLOG_SCHED_MIGRATE_TASK:
		count_migration(host, event);
		break;
	case EVTLOG_SCHED_PROCESS_FORK:
		cpu->now.forks++;
		break;
	case EVTLOG_SCHED_PROCESS_EXIT:
		cpu->now.exits++;
		break;
	}
}

static int take(struct interval_host *host, const struct evtlog_event *event)
{
	uint32_t index = file_slot(host->file, event->cpu);
	struct interval_cpu *cpu = &host->cpus[index];
	int error;

	if (index == NO_SLOT)
		return 0;
	usage_update(&cpu->now.usage, event, host->logger_pid);
	error = replay_take(&host->replay, event, event->time_ns);
	if (error)
		return error;
	if (event->kind == EVTLOG_EVENT_RECORD)
		count_record(host, cpu, event);
	refresh_changed(host, event->time_ns);
	if (event->kind != EVTLOG_EVENT_RECORD)
		take_other(host, cpu, index, event);
	find_whole(host, index);
	host->doubt |= host->replay.doubtful;
	if (__builtin_expect(event->time_ns >= host->snapshot_ns, 0))
		end_snapshot(host);
	return 0;
}

/* ---- Intervals ---- */

/* The next event of each CPU shows what the CPU did until then. */
static void split_usage(struct interval_host *host, uint64_t time_ns)
{
	const struct lanes *lanes = &host->iterator.lanes;

	for (unsigned int i = 0; i < lanes->count; i++) {
		struct evtlog_event event = *lanes->heap[i].event;
		uint32_t index = file_slot(host->file, event.cpu);

		if (index == NO_SLOT || !host->cpus[index].now.usage.begun)
			continue;
		event.time_ns = time_ns;
		if (event.from_ns > time_ns)
			event.from_ns = time_ns;
		usage_update(&host->cpus[index].now.usage, &event, host->logger_pid);
	}
}

void interval_add(struct interval_counters *total, const struct interval_counters *add)
{
	usage_add(&total->usage, &add->usage);
	total->span_ns += add->span_ns;
	total->known_ns += add->known_ns;
	total->offline_ns += add->offline_ns;
	total->runnable_ns += add->runnable_ns;
	total->running_ns += add->running_ns;
	total->switches += add->switches;
	total->migrations_in += add->migrations_in;
	total->migrations_out += add->migrations_out;
	total->forks += add->forks;
	total->exits += add->exits;
	total->sampled.passes += add->sampled.passes;
	total->sampled.seen_ns += add->sampled.seen_ns;
	total->sampled.runnable_ns += add->sampled.runnable_ns;
	total->sampled.waiting_ns += add->sampled.waiting_ns;
	total->sampled.busy_ns += add->sampled.busy_ns;
	total->sampled.off_ns += add->sampled.off_ns;
	total->sampled.held_ns += add->sampled.held_ns;
	total->sampled.held_runnable_ns += add->sampled.held_runnable_ns;
	total->lost |= add->lost;
	total->exact &= add->exact;
}

static void close_interval(struct interval_host *host, uint64_t to_ns)
{
	host->total = (struct interval_counters) { .exact = true };
	split_usage(host, to_ns);
	for (unsigned int i = 0; i < host->replay.cpu_count; i++) {
		struct interval_cpu *cpu = &host->cpus[i];

		settle(cpu, to_ns);
		cpu->now.span_ns = to_ns - host->from_ns;
		cpu->now.runnable_max = cpu->level.max;
		cpu->now.exact &= !host->doubt && !host->disordered;
		usage_finish(&cpu->now.usage, host->from_ns, to_ns);
		if (cpu->wanted)
			interval_add(&host->total, &cpu->now);
	}
	level_settle(&host->level, to_ns);
	host->total.runnable_max = host->level.max;
	host->from_ns = to_ns;
}

int interval_host_advance(struct interval_host *host)
{
	const struct iterator_event *at;
	int result = iterator_next(&host->iterator, &at);

	host->next = result > 0 ? at->event : NULL;
	host->events += result > 0;
	return result < 0 ? result : 0;
}

int interval_host_read(struct interval_host *host, uint64_t until_ns, bool last)
{
	int error = host->begun ? 0 : interval_host_advance(host);

	host->begun = true;
	return error ? error : host->source->read(host, until_ns, last);
}

int interval_events_read(struct interval_host *host, uint64_t until_ns, bool last)
{
	int error = 0;

	while (!error && host->next && (last || host->next->time_ns < until_ns)) {
		error = take_gaps(host, host->next->time_ns);
		if (!error)
			error = take(host, host->next);
		if (!error)
			error = interval_host_advance(host);
	}
	if (!error && until_ns)
		error = take_gaps(host, until_ns - 1);
	if (error)
		return error;
	close_interval(host, until_ns < host->end_ns ? until_ns : host->end_ns);
	return 0;
}

void interval_host_next(struct interval_host *host)
{
	host->passes = 0;
	host->missed = 0;
	host->incomplete = 0;
	host->level.max = 0;
	host->hold.most = 0;
	host->doubt = host->replay.doubtful;
	for (unsigned int i = 0; i < host->replay.cpu_count; i++) {
		struct interval_cpu *cpu = &host->cpus[i];

		cpu->level.max = 0;
		cpu->now = (struct interval_counters) {
			.usage.last_ns = cpu->now.usage.last_ns,
			.usage.begun = cpu->now.usage.begun,
			.lost = host->replay.cpus[i].lossy,
			.exact = cpu->whole || (!cpu->known && !host->replay.cpus[i].lossy),
		};
	}
}

/* ---- Means ---- */

static double mean(const struct interval_counters *counters, uint64_t task_ns)
{
	uint64_t ns = counters->known_ns + counters->offline_ns;

	return ns ? (double)task_ns / ns : NAN;
}

uint64_t interval_waiting_ns(const struct interval_counters *counters)
{
	return counters->runnable_ns > counters->running_ns ?
	       counters->runnable_ns - counters->running_ns : 0;
}

static double mean_of_passes(const struct interval_passes *sampled, double task_ns)
{
	return sampled->seen_ns ? task_ns / sampled->seen_ns : NAN;
}

double interval_runnable_mean(const struct interval_counters *counters)
{
	if (counters->sampled.passes)
		return mean_of_passes(&counters->sampled, counters->sampled.runnable_ns);
	return mean(counters, counters->runnable_ns);
}

double interval_waiting_mean(const struct interval_counters *counters)
{
	if (counters->sampled.passes)
		return mean_of_passes(&counters->sampled, counters->sampled.waiting_ns);
	return mean(counters, interval_waiting_ns(counters));
}

double interval_total_mean(const struct interval_host *host,
			   double (*mean_of)(const struct interval_counters *counters))
{
	double sum = NAN;

	for (unsigned int i = 0; i < host->replay.cpu_count; i++) {
		double one = host->cpus[i].wanted ? mean_of(&host->cpus[i].now) : NAN;

		if (!isnan(one))
			sum = isnan(sum) ? one : sum + one;
	}
	return sum;
}
