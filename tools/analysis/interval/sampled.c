// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters of a log's CPUs in an interval, from the sampler's passes.
 *
 * Called by host.c. A pass counts in the interval in which it ended. Means are over the time in
 * which a pass is the last one. The time for which a pass holds is counted separately: the log is
 * read up to the first pass after the interval, which has the number of missed passes.
 */
#include "interval.h"

/* ---- Time for which a pass holds ---- */

static void settle_means(struct interval_cpu *cpu, uint64_t ns)
{
	struct interval_passes *now = &cpu->now.sampled;

	if (!cpu->is_held)
		return;
	now->seen_ns += ns;
	now->runnable_ns += ns * cpu->held;
	now->waiting_ns += ns * cpu->held_waiting;
	now->busy_ns += cpu->held ? ns : 0;
}

static uint64_t ns_until(const struct interval_hold *hold, uint64_t until_ns)
{
	return until_ns > hold->since_ns ? until_ns - hold->since_ns : 0;
}

/* Charges the time up to @to_ns to the state in the last pass, as far as the pass holds. */
static void settle(struct interval_host *host, uint64_t to_ns)
{
	struct interval_hold *hold = &host->hold;
	uint64_t until_ns = to_ns < hold->until_ns ? to_ns : hold->until_ns;
	uint64_t seen_ns = to_ns < hold->seen_until_ns ? to_ns : hold->seen_until_ns;
	uint64_t ns = ns_until(hold, to_ns), held_ns = ns_until(hold, until_ns);

	if (hold->from_ns && held_ns && hold->runnable > hold->most)
		hold->most = hold->runnable;
	for (unsigned int i = 0; i < host->replay.cpu_count; i++) {
		struct interval_passes *now = &host->cpus[i].now.sampled;
		uint32_t held = host->cpus[i].held;

		if (!hold->from_ns) {
			now->off_ns += ns;
			continue;
		}
		now->off_ns += hold->is_off ? ns - held_ns : 0;
		settle_means(&host->cpus[i], ns_until(hold, seen_ns));
		now->held_ns += held_ns;
		now->held_runnable_ns += held_ns * held;
		if (held_ns && held > now->held_max)
			now->held_max = held;
	}
	hold->since_ns += ns;
}

static void hold_until_off(struct interval_hold *hold, uint64_t off_ns)
{
	hold->until_ns = off_ns;
	/* The pass holds at least at its own instant. */
	hold->seen_until_ns = off_ns > hold->from_ns ? off_ns : hold->from_ns + 1;
	hold->is_off = off_ns != UINT64_MAX;
}

/*
 * The next pass is at @time_ns; or an incomplete pass ends there, or records are lost from then on.
 * Missed and incomplete passes are unknown: known time ends where the first of them would have
 * been.
 */
static void find_next(struct interval_host *host, uint64_t time_ns, bool is_complete,
		      uint64_t missed, uint64_t incomplete)
{
	struct interval_hold *hold = &host->hold;
	uint64_t unknown = incomplete - (incomplete && !is_complete), absent = missed + unknown;

	hold->is_next = true;
	hold->next_complete = is_complete;
	hold->next_ns = time_ns;
	hold->missed = missed;
	hold->incomplete = incomplete;
	if (!hold->from_ns || hold->until_ns != UINT64_MAX)
		return;
	if (host->samples.off_ns != UINT64_MAX) {
		hold_until_off(hold, host->samples.off_ns);
		return;
	}
	hold->until_ns = hold->from_ns + (time_ns - hold->from_ns) / (absent + 1);
	hold->seen_until_ns = unknown ? hold->until_ns : time_ns;
}

/*
 * One of the tasks that wait on the sampler's CPU was interrupted by the sampler: subtracts it, or
 * only its share, as it may be a task that is not sampled. Tasks and CPUs are read one by one: a
 * task that is woken in between waits, and is not in the CPU's number of runnable tasks.
 */
static void hold_waiting(struct interval_host *host)
{
	const struct sample_list *list = &host->samples.now;
	struct interval_cpu *own = &host->cpus[host->samples.stream];
	double all;

	for (unsigned int i = 0; i < host->replay.cpu_count; i++)
		host->cpus[i].held_waiting = 0;
	for (size_t i = 0; i < list->count; i++)
		host->cpus[list->at[i].cpu].held_waiting += list->at[i].state == '+';
	all = own->held > own->held_waiting ? own->held : own->held_waiting;
	if (all > 0)
		own->held_waiting -= own->held_waiting / all;
	for (unsigned int i = 0; i < host->replay.cpu_count; i++) {
		if (host->cpus[i].held_waiting > host->cpus[i].held)
			host->cpus[i].held_waiting = host->cpus[i].held;
	}
}

static void hold_pass(struct interval_host *host)
{
	struct interval_hold *hold = &host->hold;

	hold->from_ns = hold->next_ns;
	hold_until_off(hold, UINT64_MAX);
	hold->runnable = 0;
	for (unsigned int i = 0; i < host->replay.cpu_count; i++) {
		struct interval_cpu *cpu = &host->cpus[i];
		uint32_t runnable = host->samples.runnable[i];

		cpu->is_held = runnable != SAMPLES_NO_CPU;
		cpu->held = cpu->is_held ? runnable : 0;
		hold->runnable += cpu->wanted ? cpu->held : 0;
	}
	hold_waiting(host);
}

/* No pass holds until the next complete pass. */
static void hold_nothing(struct interval_host *host)
{
	struct interval_hold *hold = &host->hold;

	if (!hold->from_ns)
		hold->from_ns = hold->next_ns;
	if (hold->until_ns > hold->next_ns)
		hold->until_ns = hold->next_ns;
	if (hold->seen_until_ns > hold->next_ns)
		hold->seen_until_ns = hold->next_ns;
	hold->is_off = false;
}

/* ---- Passes ---- */

static void count_cpus(struct interval_host *host)
{
	uint64_t all = 0;

	for (unsigned int i = 0; i < host->replay.cpu_count; i++) {
		struct interval_cpu *cpu = &host->cpus[i];
		uint32_t runnable = host->samples.runnable[i];

		if (runnable == SAMPLES_NO_CPU)
			continue;
		cpu->now.sampled.passes++;
		if (runnable > cpu->now.runnable_max)
			cpu->now.runnable_max = runnable;
		all += cpu->wanted ? runnable : 0;
	}
	if (all > host->level.max)
		host->level.max = all;
}

static void count_changes(struct interval_host *host)
{
	for (size_t i = 0; i < host->samples.change_count; i++) {
		const struct sample_change *change = &host->samples.changes[i];

		if (change->from == NO_SLOT) {
			host->cpus[change->to].now.forks++;
		} else if (change->to == NO_SLOT) {
			host->cpus[change->from].now.exits++;
		} else {
			host->cpus[change->from].now.migrations_out++;
			host->cpus[change->to].now.migrations_in++;
		}
	}
}

/* A pass without its end is counted at the end of the next pass. */
static int take(struct interval_host *host, const struct evtlog_event *event)
{
	const struct samples *samples = &host->samples;
	int result = samples_take(&host->samples, event);

	if (event->kind == EVTLOG_EVENT_END && event->rest_missing)
		find_next(host, event->time_ns, false, 0, 0);
	else if (result == SAMPLES_COMPLETE ||
		 (result == SAMPLES_INCOMPLETE && samples->incomplete))
		find_next(host, event->time_ns, result == SAMPLES_COMPLETE, samples->missed,
			  samples->incomplete);
	return result < 0 ? result : 0;
}

static int read_next(struct interval_host *host)
{
	int error = 0;

	while (!error && host->next && !host->hold.is_next) {
		error = take(host, host->next);
		if (!error)
			error = interval_host_advance(host);
	}
	return error;
}

static void count_next(struct interval_host *host)
{
	struct interval_hold *hold = &host->hold;

	hold->is_next = false;
	settle(host, hold->next_ns);
	host->missed += hold->missed;
	host->incomplete += hold->incomplete;
	if (!hold->next_complete) {
		hold_nothing(host);
		return;
	}
	host->passes++;
	count_cpus(host);
	count_changes(host);
	hold_pass(host);
}

/* ---- Intervals ---- */

static void close_interval(struct interval_host *host, uint64_t to_ns)
{
	settle(host, to_ns);
	host->total = (struct interval_counters) { .runnable_max = host->level.max };
	for (unsigned int i = 0; i < host->replay.cpu_count; i++) {
		struct interval_cpu *cpu = &host->cpus[i];

		cpu->now.span_ns = to_ns > host->from_ns ? to_ns - host->from_ns : 0;
		cpu->now.lost = host->incomplete > 0;
		cpu->now.exact = false;
		if (cpu->wanted)
			interval_add(&host->total, &cpu->now);
	}
	host->total.sampled.held_max = host->hold.most;
	host->from_ns = to_ns;
}

int interval_samples_read(struct interval_host *host, uint64_t until_ns, bool last)
{
	int error = read_next(host);

	while (!error && host->hold.is_next && (last || host->hold.next_ns < until_ns)) {
		count_next(host);
		error = read_next(host);
	}
	/* No pass follows. */
	if (!error && !host->hold.is_next && host->hold.from_ns && host->hold.until_ns == UINT64_MAX)
		hold_until_off(&host->hold, samples_off_ns(&host->samples, host->end_ns));
	if (!error)
		close_interval(host, until_ns < host->end_ns ? until_ns : host->end_ns);
	return error;
}
