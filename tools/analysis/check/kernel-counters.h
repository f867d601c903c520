/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares a run's events with the kernel's own counters, which it holds too.
 *
 * Each CPU reads its own counters at the very instants at which it starts and ends its part of
 * the run, so each difference is exactly what a complete log holds.  Kernels before 0.5.0 read
 * them on all CPUs at once.
 */
#ifndef EVTLOG_ANALYSIS_CHECK_KERNEL_COUNTERS_H
#define EVTLOG_ANALYSIS_CHECK_KERNEL_COUNTERS_H

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

/*
 * struct counter_part - a CPU's part of the run, as its counters prove it
 * @begin_ns, @end_ns: of its buffers; until @from_ns it had no event
 * @from_ns, @to_ns: when it read its counters: all its events in between were compared
 * @verdict:	OK: all of them are in the file; LOST and MISMATCH: as for a counter;
 *		PARTIAL: a reading is missing, nothing is proved
 * @is_quiet:	there are neither events nor counters
 * @is_unknown:	no buffer of it can be read
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

/* Every event of a CPU, in any order of CPUs.  Returns 0 or -ENOMEM. */
int counters_update(struct counters *counters,
		    const struct evtlog_event *event);

/* The @number'th comparison; false behind the last. */
bool counters_result(const struct counters *counters, size_t number,
		     struct counter_result *result);

/*
 * The sum of all CPUs' context switches, as if one counter had them; false where they
 * were not read on each CPU.
 */
bool counters_total(const struct counters *counters, struct counter_result *total);

/* The part of the @slot'th CPU; false behind the last. */
bool counters_part(const struct counters *counters, unsigned int slot,
		   struct counter_part *part);

/* The file it was made for. */
const struct evtlog_file *counters_file(const struct counters *counters);

const char *counter_verdict_name(enum counter_verdict verdict);

/* "context switches", "softirq TIMER", "local_timer_entry", ... */
void counter_name(const struct evtlog_file *file,
		  const struct counter_result *result, char *name,
		  size_t capacity);

/* ---- kernel-counters-print.c ---- */

/* All of it; @verdicts: how many comparisons have each. */
void counters_show(const struct counters *counters, const uint64_t *verdicts);

/* The same as arrays "counters" and "parts". */
void counters_json(const struct counters *counters, struct json *json);

#endif /* EVTLOG_ANALYSIS_CHECK_KERNEL_COUNTERS_H */
