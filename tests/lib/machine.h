/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated machine, which logs what it does and knows it apart from the log.
 *
 * Stage: stands where a kernel's CPUs and tasks stand, for tests and benchmarks of the
 * reader.  It does not know the file: loggen.h does.
 */
#ifndef TESTS_LIB_MACHINE_H
#define TESTS_LIB_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "../support/loggen.h"

#define MACHINE_TASKS_MAX	4096
#define MACHINE_CPUS_MAX	1024

/**
 * struct machine_options - what is to be simulated
 * @log: how it is logged; its cpus are those of the machine
 * @tasks: at least 1
 * @miscount: the kernel counts so many switches more than are recorded
 * @count_icmp: counters of received ICMP messages are told, too
 * @miscount_icmp: and so many more than are recorded
 * @lose: so many records are lost, once
 * @nested: so many are lost in the writer's own slow path
 * @children: so many tasks are made and exit
 * @execs: tasks execute programs, so many in each 100 steps
 * @spread: they run on other CPUs, and every other one is a thread
 * @comm: name of one of the tasks; may be NULL
 * @ahead: ticks by which each CPU's counter is ahead of that of the CPU before; its
 *	MONOTONIC_RAW is as well, unless @log.skew_ticks is the same
 * @nameless: no snapshot of tasks is recorded
 * @stopped: as by kernels before 0.5.0: all CPUs start, stop and read counters at one
 *	instant; else each joins the run at its own first event
 * @wild: children begin on, and move between, CPUs of numbers that no machine has
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
 * machine_run() - simulate about @events records; there is one machine in a program
 *
 * Return: its log, which is closed; loggen_free() it.
 */
struct loggen *machine_run(const struct machine_options *options, uint64_t events);

/**
 * machine_tell() - write what really happened, as JSON
 *
 * Return: 0, or -1 and errno.
 */
int machine_tell(const char *path);

/** machine_free() - forget what it did */
void machine_free(void);

#endif /* TESTS_LIB_MACHINE_H */
