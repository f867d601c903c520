/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums of CPU time by use: each instant counts once, for the innermost context.
 *
 * Stage: between the events of a CPU and the commands that print sums. Unknown time is kept apart;
 * it is never charged to the task that ran before.
 */
#ifndef EVTLOG_ANALYSIS_STAT_CPU_TIME_H
#define EVTLOG_ANALYSIS_STAT_CPU_TIME_H

#include <stdbool.h>

#include <evtlog/evtlog.h>

/*
 * @task_ns:	tasks except idle and the logger
 * @outside_ns:	in a log of one tree: the tree did not run; @idle_ns and @logger_ns are then 0
 * @unknown_ns:	in gaps, and while the running task is unknown
 * @stolen_ns:	part of all these times: the hypervisor did not run the CPU
 * @steal_ns:	last reading of the steal clock, valid if @has_steal
 * @has_steal:	there was a reading
 * @knows_stolen: there were two or more readings; else @stolen_ns is unknown
 * @last_ns:	time is counted up to here
 */
struct usage {
	uint64_t task_ns;
	uint64_t idle_ns;
	uint64_t outside_ns;
	uint64_t logger_ns;
	uint64_t softirq_ns;
	uint64_t irq_ns;
	uint64_t unknown_ns;
	uint64_t stolen_ns;
	uint64_t steal_ns;
	uint64_t last_ns;
	bool has_steal;
	bool knows_stolen;
	bool begun;
};

/*
 * Charges the time up to @event to the context and task in @event. Returns this time, without the
 * time of a gap. @logger_pid: 0: unknown
 */
static inline uint64_t usage_update(struct usage *usage,
				    const struct evtlog_event *event,
				    uint32_t logger_pid)
{
	uint64_t until_ns = event->time_ns, ns;

	if (__builtin_expect(event->kind != EVTLOG_EVENT_RECORD, 0)) {
		if (event->kind == EVTLOG_EVENT_BEGIN) {
			usage->last_ns = event->time_ns;
			usage->begun = true;
			return 0;
		}
		/* The time in a gap is not charged here; usage_finish() counts it. */
		if (event->kind == EVTLOG_EVENT_GAP)
			until_ns = event->from_ns > usage->last_ns ?
				   event->from_ns : usage->last_ns;
	}
	ns = until_ns - usage->last_ns;
	usage->last_ns = event->time_ns;
	switch (event->context) {
	case EVTLOG_IN_TASK:
		if (!event->pid)
			usage->idle_ns += ns;
		else if (event->pid == EVTLOG_PID_UNKNOWN)
			usage->unknown_ns += ns;
		else if (event->pid == logger_pid)
			usage->logger_ns += ns;
		else
			usage->task_ns += ns;
		break;
	case EVTLOG_IN_SOFTIRQ:
		usage->softirq_ns += ns;
		break;
	default:
		usage->irq_ns += ns;
	}
	return ns;
}

/* Takes a COUNTER record. If it is of the steal clock, adds the time since the last reading. */
void usage_steal(struct usage *usage, const struct evtlog_event *event);

/* Time from @begin_ns to @end_ns that was not charged becomes unknown. */
void usage_finish(struct usage *usage, uint64_t begin_ns, uint64_t end_ns);

/* For a log of one tree, where pid 0 is not only the idle task. Call it after the last event. */
static inline void usage_set_outside(struct usage *usage)
{
	usage->outside_ns += usage->idle_ns;
	usage->idle_ns = 0;
}

void usage_add(struct usage *sum, const struct usage *usage);

static inline uint64_t usage_busy_ns(const struct usage *usage)
{
	return usage->task_ns + usage->logger_ns + usage->softirq_ns +
	       usage->irq_ns;
}

static inline uint64_t usage_span_ns(const struct usage *usage)
{
	return usage_busy_ns(usage) + usage->idle_ns + usage->outside_ns +
	       usage->unknown_ns;
}

#endif /* EVTLOG_ANALYSIS_STAT_CPU_TIME_H */
