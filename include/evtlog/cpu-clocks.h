/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks whether the tick counters of a host's CPUs agree, by the order of events of tasks.
 *
 * Stage: a program that reads all events of one log (stream.h) also passes them to this check.  It
 * compares CPUs of one host; clocksync.h compares hosts.
 *
 * A task runs on one CPU at a time.  It is switched out before it migrates, and it migrates, is
 * woken or is forked before it runs.  Each such order of two events on two CPUs limits how much one
 * counter can be ahead of the other.
 */
#ifndef EVTLOG_CPU_CLOCKS_H
#define EVTLOG_CPU_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/event.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_file;
struct evtlog_cpu_clocks;

/* Counter reads are not ordered with nearby instructions: smaller differences are not errors. */
#define EVTLOG_CPU_CLOCKS_SLACK_NS	1000

enum evtlog_cpu_clocks_verdict {
	EVTLOG_CPU_CLOCKS_UNKNOWN,	/* no task was on two CPUs, or the log has one CPU */
	EVTLOG_CPU_CLOCKS_AGREE,	/* no order is violated */
	EVTLOG_CPU_CLOCKS_DISAGREE,	/* orders are violated */
	EVTLOG_CPU_CLOCKS_UNTRUSTED,	/* the same, and the kernel does not trust its counters */
};

/**
 * struct evtlog_cpu_clocks_summary - result of a comparison
 * @orders: pairs of events on two CPUs whose order is known
 * @violations: pairs that are in the opposite order in the log
 * @worst_ns: the largest violation is at least this long
 * @worst_cpus: CPUs of the largest violation
 * @constant: true: constant offsets between the counters explain the log; false: the offsets
 *	changed during the run or could not be found
 */
struct evtlog_cpu_clocks_summary {
	enum evtlog_cpu_clocks_verdict verdict;
	uint64_t orders;
	uint64_t violations;
	uint64_t worst_ns;
	uint32_t worst_cpus[2];
	bool constant;
};

/**
 * struct evtlog_cpu_offset - bounds in ns of a CPU's counter minus the counter of @other
 * @low_ns, @high_ns: bounds; INT64_MIN and INT64_MAX if there is none
 * @wrong: 0 is not between the bounds
 */
struct evtlog_cpu_offset {
	uint32_t cpu;
	uint32_t other;
	int64_t low_ns;
	int64_t high_ns;
	bool wrong;
};

/**
 * evtlog_cpu_clocks_new() - start to compare the tick counters of CPUs
 * @file: the log, which must outlive the comparison
 * @clocksp: where the comparison is stored; free it with evtlog_cpu_clocks_free()
 *
 * Uses 72 bytes of memory for each of at most 262,144 tasks, and 48 bytes for each pair of CPUs
 * that share a task.  Only the first 2,048 CPUs are compared.
 *
 * Return: 0; -ENOMEM.
 */
int evtlog_cpu_clocks_new(struct evtlog_file *file, struct evtlog_cpu_clocks **clocksp);

/**
 * evtlog_cpu_clocks_free() - free a comparison
 * @clocks: NULL is allowed
 */
void evtlog_cpu_clocks_free(struct evtlog_cpu_clocks *clocks);

/**
 * evtlog_cpu_clocks_event() - add an event to a comparison
 * @clocks: the comparison
 * @event: the event; the caller passes all events of the log as evtlog_cpu_merge_next() stores them
 *
 * Return: 0; -ENOMEM.
 */
int evtlog_cpu_clocks_event(struct evtlog_cpu_clocks *clocks, const struct evtlog_event *event);

/**
 * evtlog_cpu_clocks_finish() - evaluate the events that were added
 * @clocks: the comparison
 *
 * If orders are violated, the file is read again, at most 32 times, to find the offsets.
 *
 * Return: 0; -ENOMEM; -errno of read().
 */
int evtlog_cpu_clocks_finish(struct evtlog_cpu_clocks *clocks);

/**
 * evtlog_cpu_clocks_read() - compare the counters by the first events of a log
 * @file: the log, which must outlive the comparison
 * @events_max: number of events to read
 * @clocksp: where the comparison is stored; free it with evtlog_cpu_clocks_free()
 *
 * Nothing is read twice: if orders are violated, the offsets stay unknown.
 *
 * Return: 0; -ENOMEM; -errno of read().
 */
int evtlog_cpu_clocks_read(struct evtlog_file *file, uint64_t events_max,
			   struct evtlog_cpu_clocks **clocksp);

/**
 * evtlog_cpu_clocks_summary() - get the result of a comparison
 * @clocks: the comparison, after evtlog_cpu_clocks_finish() or evtlog_cpu_clocks_read()
 *
 * Return: the result, valid as long as @clocks.
 */
const struct evtlog_cpu_clocks_summary *
evtlog_cpu_clocks_summary(const struct evtlog_cpu_clocks *clocks);

/**
 * evtlog_cpu_clocks_offset() - get the offset of a CPU's counter to the counter of the first CPU
 * @clocks: the comparison, after evtlog_cpu_clocks_finish()
 * @number: number of the CPU, from 0, without the first CPU of the log
 * @offset: filled in
 *
 * Return: true; false after the last CPU.
 */
bool evtlog_cpu_clocks_offset(const struct evtlog_cpu_clocks *clocks, unsigned int number,
			      struct evtlog_cpu_offset *offset);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_CPU_CLOCKS_H */
