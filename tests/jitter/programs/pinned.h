/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the guest's measuring programs share: the tick counter, pinning to a CPU, and die().
 * Shares no code with the tools that these programs judge.
 */
#ifndef EVTLOG_TESTS_JITTER_PROGRAMS_PINNED_H
#define EVTLOG_TESTS_JITTER_PROGRAMS_PINNED_H

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static inline _Noreturn void die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(1);
}

static inline uint64_t ticks(void)
{
	uint32_t low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* Pins the process to @cpu, and locks all its memory. */
static inline void pin(const char *cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(atoi(cpu), &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		die("mlockall");
}

#endif /* EVTLOG_TESTS_JITTER_PROGRAMS_PINNED_H */
