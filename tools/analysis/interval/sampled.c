// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters of a log's CPUs in an interval, from the sampler's passes.
 *
 * Called by host.c.  A pass counts in the interval in which it ended; each complete one counts
 * alike.  The time between two passes is of no interval's counters.
 */
#include "interval.h"

/* ---- Passes ---- */

static void count_cpus(struct interval_host *host)
{
	uint64_t all = 0;

	for (unsigned int i = 0; i < host->queues.cpu_count; i++) {
		struct interval_cpu *cpu = &host->cpus[i];
		uint32_t runnable = host->samples.runnable[i];

		if (runnable == SAMPLES_NO_CPU)
			continue;
		cpu->now.sampled.passes++;
		cpu->now.sampled.runnable += runnable;
		cpu->now.sampled.busy += runnable > 0;
		if (runnable > cpu->now.runnable_max)
			cpu->now.runnable_max = runnable;
		all += cpu->wanted ? runnable : 0;
	}
	if (all > host->level.max)
		host->level.max = all;
}

static void count_tasks(struct interval_host *host)
{
	const struct sample_list *list = &host->samples.now;

	for (size_t i = 0; i < list->count; i++)
		host->cpus[list->at[i].cpu].now.sampled.waiting += list->at[i].state == '+';
}

static void count_changes(struct interval_host *host)
{
	for (size_t i = 0; i < host->samples.change_count; i++) {
		const struct sample_change *change = &host->samples.changes[i];

		if (change->from == RUNQUEUE_NONE) {
			host->cpus[change->to].now.forks++;
		} else if (change->to == RUNQUEUE_NONE) {
			host->cpus[change->from].now.exits++;
		} else {
			host->cpus[change->from].now.migrations_out++;
			host->cpus[change->to].now.migrations_in++;
		}
	}
}

static int take(struct interval_host *host, const struct evtlog_event *event)
{
	int result = samples_take(&host->samples, event);

	if (result <= SAMPLES_NOTHING)
		return result;
	host->missed += host->samples.missed;
	host->incomplete += host->samples.incomplete;
	if (result != SAMPLES_COMPLETE)
		return 0;
	host->passes++;
	count_cpus(host);
	count_tasks(host);
	count_changes(host);
	return 0;
}

/* ---- Intervals ---- */

static void total_add(struct interval_counters *total, const struct interval_counters *add)
{
	total->span_ns += add->span_ns;
	total->sampled.passes += add->sampled.passes;
	total->sampled.runnable += add->sampled.runnable;
	total->sampled.waiting += add->sampled.waiting;
	total->sampled.busy += add->sampled.busy;
	total->migrations_in += add->migrations_in;
	total->migrations_out += add->migrations_out;
	total->forks += add->forks;
	total->exits += add->exits;
	total->lost |= add->lost;
}

static void close_interval(struct interval_host *host, uint64_t to_ns)
{
	host->total = (struct interval_counters) { .runnable_max = host->level.max };
	for (unsigned int i = 0; i < host->queues.cpu_count; i++) {
		struct interval_cpu *cpu = &host->cpus[i];

		cpu->now.span_ns = to_ns > host->from_ns ? to_ns - host->from_ns : 0;
		cpu->now.lost = host->incomplete > 0;
		cpu->now.exact = false;
		if (cpu->wanted)
			total_add(&host->total, &cpu->now);
	}
	host->from_ns = to_ns;
}

int interval_samples_read(struct interval_host *host, uint64_t until_ns, bool last)
{
	int error = 0;

	while (!error && host->next && (last || host->next->time_ns < until_ns)) {
		error = take(host, host->next);
		if (!error)
			error = interval_host_advance(host);
	}
	if (!error)
		close_interval(host, until_ns < host->end_ns ? until_ns : host->end_ns);
	return error;
}
