/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the guest's measuring programs share: the tick counter, and pinning to a CPU.
 */
#ifndef EVTLOG_TESTS_JITTER_PROGRAMS_PINNED_H
#define EVTLOG_TESTS_JITTER_PROGRAMS_PINNED_H

#include <sys/mman.h>

#include "program.h"

static inline uint64_t ticks(void)
{
	uint32_t low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* Pins the process to @cpu, and locks all its memory. */
static inline void pin(const char *cpu)
{
	must(stay_on(atoi(cpu)), "sched_setaffinity");
	must(!mlockall(MCL_CURRENT | MCL_FUTURE), "mlockall");
}

#endif /* EVTLOG_TESTS_JITTER_PROGRAMS_PINNED_H */
