/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long after a message each CPU ran the task group it asked for.
 *
 * Stage: `evtlog stat --requests`: requests.c reads a file, print.c prints.
 */
#ifndef EVTLOG_ANALYSIS_LATENCY_REQUESTS_H
#define EVTLOG_ANALYSIS_LATENCY_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

enum request_run {
	REQUEST_NEVER,		/* no task of the group ran there in time */
	REQUEST_RAN,
	REQUEST_RUNNING,	/* one ran there already: after 0 ns */
	REQUEST_UNKNOWN,	/* events were lost before one was seen */
};

struct request_cpu {
	enum request_run run;
	uint64_t ns;
};

/*
 * A message that was right.
 * @cpu:	that received it
 * @name:	the end of the cgroup's path, from the log; others have none
 * @receipt_ns:	when the network stack first saw it
 * @deadline_ns: when its time is over
 * @tasks:	that it boosted; 0: it was refused, as there was no such group, or
 *		another's time was not over
 * @cpus:	by slot, as of evtlog_cpu_number()
 * @last:	slot of the CPU that came last; -1 if fewer than two ran one, or @tied
 * @tied:	several were the last at the same ns, as those that ran one already
 */
struct request {
	uint32_t number;
	uint32_t sender;
	uint32_t cpu;
	uint8_t group_kind;
	bool broadcast;
	uint64_t group;
	char name[17];
	uint64_t duration_ns;
	uint64_t receipt_ns;
	uint64_t deadline_ns;
	uint32_t tasks;
	struct request_cpu *cpus;
	int last;
	bool tied;
};

/* A task that a request boosted; sorted by both. */
struct request_task {
	uint32_t number;
	uint32_t pid;
};

/*
 * @requests:	in order of receipt
 * @refused:	how many of them boosted no task
 * @received_last: times that the CPU which came last was that which received it
 */
struct requests {
	struct evtlog_file *file;
	const char *path;
	unsigned int cpu_count;
	struct request *requests;
	size_t count;
	size_t capacity;
	size_t refused;
	struct request_task *tasks;
	size_t task_count;
	size_t task_capacity;
	uint64_t received_last;
};

/* Reads the whole file, twice.  0 or -errno; requests_free() it in any case. */
int requests_read(struct requests *requests, struct evtlog_file *file,
		  const char *path);
void requests_free(struct requests *requests);

/* What of some times can be told; all 0 if there are none. */
struct request_times {
	uint64_t count;
	uint64_t min;
	uint64_t median;
	uint64_t p99;
	uint64_t max;
};

/*
 * Until CPUs that did not run a task already ran one: of the CPU at @slot, of all CPUs if -1, or
 * of each request's last CPU if -2.
 * 0 or -ENOMEM.
 */
int requests_times(const struct requests *requests, int slot,
		   struct request_times *times);

/* @top: at most so many requests are listed; 0: all.  0 or -ENOMEM. */
int requests_show(const struct requests *requests, unsigned int top);
int requests_json(const struct requests *requests);

#endif /* EVTLOG_ANALYSIS_LATENCY_REQUESTS_H */
