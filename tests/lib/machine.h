/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated machine that logs its events and keeps the truth separately.
 *
 * Stage: replaces a kernel's CPUs and tasks in tests and benchmarks of the reader. loggen.h writes
 * the file.
 */
#ifndef TESTS_LIB_MACHINE_H
#define TESTS_LIB_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "../support/loggen.h"

#define MACHINE_TASKS_MAX	4096
#define MACHINE_CPUS_MAX	1024

/**
 * struct machine_options - the simulated machine
 * @log: options of the log; @log.cpus is also the number of CPUs
 * @tasks: at least 1
 * @miscount: excess of the kernel's count of switches over the recorded switches
 * @count_icmp: record counters of received ICMP messages, too
 * @miscount_icmp: excess of these counters over the recorded messages
 * @lose: number of records lost once
 * @nested: number of records lost in the writer's own slow path
 * @children: number of tasks that are created and exit
 * @execs: programs executed by tasks in each 100 steps
 * @spread: children run on other CPUs, and every other child is a thread
 * @comm: name of one of the tasks, or NULL
 * @ahead: ticks by which each CPU's counter is ahead of the previous CPU's counter; so is its
 *	MONOTONIC_RAW, unless @log.skew_ticks is the same
 * @nameless: record no snapshot of tasks
 * @stopped: as kernels before 0.5.0: all CPUs start, stop and read counters at the same time;
 *	else each CPU joins the run at its own first event
 * @wild: children begin on, and move between, CPUs with impossible numbers
 */
struct machine_options {
	struct loggen_options log;
	unsigned int tasks;
	uint64_t seed;
	uint64_t miscount;
	uint64_t miscount_icmp;
	bool count_icmp;
	uint64_t lose;
	uint64_t nested;
	uint64_t children;
	uint64_t execs;
	bool spread;
	uint64_t ahead;
	const char *comm;
	bool nameless;
	bool stopped;
	bool wild;
};

/**
 * machine_run() - simulate about @events records; there is one machine per program
 *
 * Return: the closed log; free with loggen_free().
 */
struct loggen *machine_run(const struct machine_options *options, uint64_t events);

/**
 * machine_tell() - write the truth as JSON
 *
 * Return: 0, or -1 and errno.
 */
int machine_tell(const char *path);

/** machine_free() - forget what it did */
void machine_free(void);

#endif /* TESTS_LIB_MACHINE_H */
