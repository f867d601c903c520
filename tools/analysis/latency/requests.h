/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times from a message until each CPU ran the task group that the message requested.
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
	REQUEST_RUNNING,	/* a task already ran there: 0 ns */
	REQUEST_UNKNOWN,	/* events were lost before a task was seen */
};

struct request_cpu {
	enum request_run run;
	uint64_t ns;
};

/*
 * A valid message.
 * @cpu:	CPU that received it
 * @name:	end of the cgroup's path, from the log; "" for other groups
 * @receipt_ns:	when the network stack first saw it
 * @deadline_ns: when its duration is over
 * @tasks:	number of tasks that it boosted; 0: refused, no such group or another request active
 * @cpus:	by slot, as for evtlog_cpu_number()
 * @last:	slot of the CPU that was the last to run a task; -1 if fewer than two did, or @tied
 * @tied:	several CPUs were the last at the same ns, such as CPUs that already ran a task
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

/* A task that a request boosted; sorted by both members */
struct request_task {
	uint32_t number;
	uint32_t pid;
};

/*
 * @requests:	in order of receipt
 * @refused:	number of requests that boosted no task
 * @received_last: number of requests with a last CPU that also received the message
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

/* Reads the whole file, twice. 0 or -errno; call requests_free() in all cases. */
int requests_read(struct requests *requests, struct evtlog_file *file,
		  const char *path);
void requests_free(struct requests *requests);

/* Statistics of times; all 0 if there are none */
struct request_times {
	uint64_t count;
	uint64_t min;
	uint64_t median;
	uint64_t p99;
	uint64_t max;
};

/*
 * Times until a CPU ran a task, without CPUs that already ran one: for the CPU at @slot, for all
 * CPUs if -1, or for the last CPU of each request if -2. 0 or -ENOMEM.
 */
int requests_times(const struct requests *requests, int slot,
		   struct request_times *times);

/* @top: limit of listed requests; 0: all. 0 or -ENOMEM. */
int requests_show(const struct requests *requests, unsigned int top);
int requests_json(const struct requests *requests);

#endif /* EVTLOG_ANALYSIS_LATENCY_REQUESTS_H */
