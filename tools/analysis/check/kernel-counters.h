/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the events of a run with the kernel's own counters, which are also in the file.
 *
 * Each CPU reads its own counters at exactly the instants at which it starts and ends its part of
 * the run. So each difference is the number of events in a complete log. Kernels before 0.5.0 read
 * the counters of all CPUs at once.
 */
#ifndef EVTLOG_ANALYSIS_CHECK_KERNEL_COUNTERS_H
#define EVTLOG_ANALYSIS_CHECK_KERNEL_COUNTERS_H

#include <stdbool.h>

#include <evtlog/evtlog.h>

enum counter_verdict {
	COUNTER_OK,
	COUNTER_MISMATCH,
	COUNTER_LOST,		/* the missing events may be among the lost events */
	COUNTER_OFF,		/* no such event at all: not recorded */
	COUNTER_PARTIAL,	/* a reading is missing: lost, or the CPU came or went */
	COUNTER_SHARED,		/* an irq line with several handlers */
};

/* @kernel, @recorded: events by the kernel's counter (not valid for PARTIAL), and in the file */
struct counter_result {
	enum counter_verdict verdict;
	enum evtlog_counter counter;
	uint32_t cpu;
	uint32_t index;
	uint64_t kernel;
	uint64_t recorded;
};

/*
 * struct counter_part - a CPU's part of the run
 * @begin_ns, @end_ns: times of its buffers; it had no event before @from_ns
 * @from_ns, @to_ns: times of its counter readings: all its events in between were compared
 * @verdict:	OK: all these events are in the file; LOST and MISMATCH: as for a counter; PARTIAL:
 *		a reading is missing, so nothing is proved
 * @is_quiet:	there are no events and no counters
 * @is_unknown:	none of its buffers can be read
 */
struct counter_part {
	uint32_t cpu;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t from_ns;
	uint64_t to_ns;
	enum counter_verdict verdict;
	bool is_quiet;
	bool is_unknown;
};

struct counters;
struct json;

/* NULL if out of memory. */
struct counters *counters_new(const struct evtlog_file *file);
void counters_free(struct counters *counters);

/* Takes each event of a CPU, with the CPUs in any order. Returns 0 or -ENOMEM. */
int counters_update(struct counters *counters,
		    const struct evtlog_event *event);

/* Gets the comparison @number; returns false after the last. */
bool counters_result(const struct counters *counters, size_t number,
		     struct counter_result *result);

/*
 * Sums the context switches of all CPUs, as if from one counter. Returns false if they were not
 * read on each CPU.
 */
bool counters_total(const struct counters *counters, struct counter_result *total);

/* Gets the part of the CPU @slot; returns false after the last. */
bool counters_part(const struct counters *counters, unsigned int slot,
		   struct counter_part *part);

/* The file of counters_new() */
const struct evtlog_file *counters_file(const struct counters *counters);

const char *counter_verdict_name(enum counter_verdict verdict);

/* "context switches", "softirq TIMER", "local_timer_entry", ... */
void counter_name(const struct evtlog_file *file,
		  const struct counter_result *result, char *name,
		  size_t capacity);

/* ---- kernel-counters-print.c ---- */

/* Prints all results. @verdicts: number of comparisons with each verdict */
void counters_show(const struct counters *counters, const uint64_t *verdicts);

/* Prints the same as arrays "counters" and "intervals". */
void counters_json(const struct counters *counters, struct json *json);

#endif /* EVTLOG_ANALYSIS_CHECK_KERNEL_COUNTERS_H */
