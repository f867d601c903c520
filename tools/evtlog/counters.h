/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares a run's events with the kernel's own counters, which it holds too.
 *
 * Stage: between events and `evtlog check`.  The kernel reads its counters on
 * every CPU at the very instants at which recording starts and stops, so each
 * difference is exactly what a complete log holds.
 */
#ifndef EVTLOG_COUNTERS_H
#define EVTLOG_COUNTERS_H

#include <stdbool.h>

#include <evtlog/evtlog.h>

enum counter_verdict {
	COUNTER_OK,
	COUNTER_MISMATCH,
	COUNTER_LOST,		/* as many may be missing as were lost there */
	COUNTER_OFF,		/* no such event at all: it was not recorded */
	COUNTER_PARTIAL,	/* one reading is missing: lost, or the CPU came or went */
	COUNTER_SHARED,		/* an irq line of several handlers */
};

/*
 * @kernel:	by the kernel's counter, not for PARTIAL; @recorded: in the file
 */
struct counter_result {
	enum counter_verdict verdict;
	enum evtlog_counter counter;
	uint32_t cpu;
	uint32_t index;
	uint64_t kernel;
	uint64_t recorded;
};

struct counters;

/* NULL if out of memory. */
struct counters *counters_new(const struct evtlog_file *file);
void counters_free(struct counters *counters);

/* Every event of a CPU, in any order of CPUs.  Returns 0 or -ENOMEM. */
int counters_update(struct counters *counters,
		    const struct evtlog_event *event);

/* The @number'th comparison; false behind the last. */
bool counters_result(const struct counters *counters, size_t number,
		     struct counter_result *result);

const char *counter_verdict_name(enum counter_verdict verdict);

/* "context switches", "softirq TIMER", "local_timer_entry", ... */
void counter_name(const struct evtlog_file *file,
		  const struct counter_result *result, char *name,
		  size_t room);

#endif /* EVTLOG_COUNTERS_H */
