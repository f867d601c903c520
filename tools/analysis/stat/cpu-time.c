// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums of CPU time by use.
 *
 * Stage: between the events of a CPU and the commands that print sums.
 */
#include "cpu-time.h"

void usage_steal(struct usage *usage, const struct evtlog_event *event)
{
	uint64_t steal_ns = event->words[1];

	if (evtlog_data(event->words, 1, 5) != EVTLOG_COUNTER_STEAL)
		return;
	if (usage->has_steal && steal_ns > usage->steal_ns)
		usage->stolen_ns += steal_ns - usage->steal_ns;
	usage->steal_ns = steal_ns;
	usage->knows_stolen = usage->has_steal;
	usage->has_steal = true;
}

void usage_finish(struct usage *usage, uint64_t begin_ns, uint64_t end_ns)
{
	uint64_t known = usage_span_ns(usage);

	if (end_ns - begin_ns > known)
		usage->unknown_ns += end_ns - begin_ns - known;
}

void usage_add(struct usage *sum, const struct usage *usage)
{
	sum->task_ns += usage->task_ns;
	sum->idle_ns += usage->idle_ns;
	sum->outside_ns += usage->outside_ns;
	sum->logger_ns += usage->logger_ns;
	sum->softirq_ns += usage->softirq_ns;
	sum->irq_ns += usage->irq_ns;
	sum->unknown_ns += usage->unknown_ns;
	sum->stolen_ns += usage->stolen_ns;
	sum->knows_stolen |= usage->knows_stolen;
}
