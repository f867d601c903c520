/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests' small programs share: how they fail, the time, their CPU, and a CPU's events.
 * Shares no code with the tools that these programs judge.
 */
#ifndef EVTLOG_TESTS_SUPPORT_PROGRAM_H
#define EVTLOG_TESTS_SUPPORT_PROGRAM_H

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline _Noreturn void die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(1);
}

static inline void must(bool holds, const char *what)
{
	if (!holds)
		die(what);
}

static inline uint64_t ns_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

static inline uint64_t now_ns(void)
{
	return ns_of(CLOCK_MONOTONIC_RAW);
}

/* Returns false if @cpu is offline; the thread stays on its CPU then. */
static inline bool stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return !sched_setaffinity(0, sizeof(set), &set);
}

/* Opens the events of @cpu. */
static inline int open_cpu(int cpu)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/evtlog/cpu%d", cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	must(fd >= 0, path);
	return fd;
}

#endif /* EVTLOG_TESTS_SUPPORT_PROGRAM_H */
