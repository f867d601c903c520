/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whether the tick counters of a host's CPUs agree, by the order of what tasks did.
 *
 * Stage: beside whatever reads all events of one log (stream.h).  It compares CPUs of one
 * host; clocksync.h compares hosts.
 *
 * A task is on one CPU at a time; it is switched out before it migrates, and migrates, is
 * woken or forked before it runs.  Each such order of two events on two CPUs bounds how far
 * the counter of the one can be ahead of the other's.
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

/* Reading a counter is not ordered with what is around it: less than this is no error. */
#define EVTLOG_CPU_CLOCKS_SLACK_NS	1000

enum evtlog_cpu_clocks_verdict {
	EVTLOG_CPU_CLOCKS_UNKNOWN,	/* no task was seen on two CPUs, or there is one CPU */
	EVTLOG_CPU_CLOCKS_AGREE,	/* no order is wrong */
	EVTLOG_CPU_CLOCKS_DISAGREE,	/* tasks run on two CPUs at once, or before they can */
	EVTLOG_CPU_CLOCKS_UNTRUSTED,	/* the same, and the kernel does not trust its counters */
};

/**
 * struct evtlog_cpu_clocks_summary - what the orders say together
 * @orders: pairs of events on two CPUs whose order is known
 * @violations: of them, those that are logged the other way round
 * @worst_ns: by how much at most, at least
 * @worst_cpus: the two CPUs of it
 * @constant: with the offsets told no order is wrong; false: they changed during the run,
 *	or could not be found
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
 * struct evtlog_cpu_offset - how far a CPU's counter can be ahead of @other's, in ns
 * @low_ns, @high_ns: INT64_MIN and INT64_MAX where nothing bounds it
 * @wrong: 0 is not between the two
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
 * Memory: 72 bytes for each task, of 262,144 at most, and 48 for each pair of CPUs that
 * share a task; CPUs beyond 2,048 are not compared.
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
 * @event: all events of the log, as evtlog_cpu_merge_next() gives them
 *
 * Return: 0; -ENOMEM.
 */
int evtlog_cpu_clocks_event(struct evtlog_cpu_clocks *clocks, const struct evtlog_event *event);

/**
 * evtlog_cpu_clocks_finish() - judge the events that were added
 * @clocks: the comparison
 *
 * Only if orders are violated the file is read again, 32 times at most, to find the offsets.
 *
 * Return: 0; -ENOMEM; -errno of read().
 */
int evtlog_cpu_clocks_finish(struct evtlog_cpu_clocks *clocks);

/**
 * evtlog_cpu_clocks_read() - compare the counters by the first events of a log
 * @file: the log, which must outlive the comparison
 * @events_max: number of events
 * @clocksp: where the comparison is stored; free it with evtlog_cpu_clocks_free()
 *
 * If orders are violated the offsets stay unknown: nothing is read twice.
 *
 * Return: 0; -ENOMEM; -errno of read().
 */
int evtlog_cpu_clocks_read(struct evtlog_file *file, uint64_t events_max,
			   struct evtlog_cpu_clocks **clocksp);

/**
 * evtlog_cpu_clocks_summary() - result of a comparison
 * @clocks: the comparison, after evtlog_cpu_clocks_finish() or evtlog_cpu_clocks_read()
 *
 * Return: the summary, which lives as long as @clocks.
 */
const struct evtlog_cpu_clocks_summary *
evtlog_cpu_clocks_summary(const struct evtlog_cpu_clocks *clocks);

/**
 * evtlog_cpu_clocks_offset() - offset of a CPU's counter to the first CPU's
 * @clocks: the comparison, after evtlog_cpu_clocks_finish()
 * @number: of the CPU, from 0; the first CPU of the log is not counted
 * @offset: filled in
 *
 * Return: true; false behind the last.
 */
bool evtlog_cpu_clocks_offset(const struct evtlog_cpu_clocks *clocks, unsigned int number,
			      struct evtlog_cpu_offset *offset);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_CPU_CLOCKS_H */
