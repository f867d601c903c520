// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * daemon - a synthetic daemon: wakes at fixed times, burns CPU time, and prints its own figures.
 *
 * Runs in the guest together with the benchmark whose interruptions are attributed.  A judge on the
 * host compares the figures with the log.  The daemon reads nothing of evtlog.
 *
 * daemon NAME CPU BEGIN_NS PERIOD_US BURN_US ROUNDS - BEGIN_NS is by CLOCK_MONOTONIC; 0: now
 *
 * Burns by the tick counter.  Does not count the time between two readings that are more than a
 * microsecond apart: then another task had the CPU.  After SIGTERM, it prints "pid N", and for each
 * wake-up "round FIRST LAST OWN": the first and last reading, and the daemon's own ticks between;
 * "cputime NS" is the time that the kernel charged for all rounds.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "pinned.h"

#define ROUNDS_MAX	100000

static struct round {
	uint64_t first, last, own;
} rounds[ROUNDS_MAX];

/* Over 20 ms.  A preemption between the two readings of a pair is rare. */
static double ticks_per_us(void)
{
	uint64_t begin = now_ns(), from = ticks(), end, to;

	do {
		end = now_ns();
		to = ticks();
	} while (end - begin < 20000000);
	return (double)(to - from) / (end - begin) * 1000;
}

static void burn(struct round *round, uint64_t own, uint64_t gap)
{
	uint64_t last = ticks(), now;

	round->first = last;
	while (round->own < own) {
		now = ticks();
		if (now - last <= gap)
			round->own += now - last;
		last = now;
	}
	round->last = last;
}

int main(int argc, char **argv)
{
	uint64_t at, own, gap, charged;
	struct timespec wake;
	long count, i;
	sigset_t end;

	if (argc != 7) {
		fprintf(stderr, "Usage: daemon NAME CPU BEGIN_NS PERIOD_US BURN_US ROUNDS\n");
		return 2;
	}
	sigemptyset(&end);
	sigaddset(&end, SIGTERM);
	sigprocmask(SIG_BLOCK, &end, NULL);
	pin(argv[2]);
	if (prctl(PR_SET_NAME, argv[1]))
		die("prctl");
	memset(rounds, 0, sizeof(rounds));
	at = strtoull(argv[3], NULL, 10);
	gap = ticks_per_us();
	own = strtoull(argv[5], NULL, 10) * ticks_per_us();
	count = atol(argv[6]);
	if (count < 1 || count > ROUNDS_MAX)
		die("rounds");
	if (!at)
		at = ns_of(CLOCK_MONOTONIC);
	else if (ns_of(CLOCK_MONOTONIC) >= at)
		die("too late to begin");
	charged = ns_of(CLOCK_THREAD_CPUTIME_ID);
	for (i = 0; i < count; i++) {
		wake.tv_sec = at / 1000000000;
		wake.tv_nsec = at % 1000000000;
		while ((errno = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, NULL)))
			if (errno != EINTR)
				die("clock_nanosleep");
		burn(&rounds[i], own, gap);
		at += strtoull(argv[4], NULL, 10) * 1000;
	}
	charged = ns_of(CLOCK_THREAD_CPUTIME_ID) - charged;
	/* Printing would be noise, too: wait for the end of the measurement. */
	sigwaitinfo(&end, NULL);
	printf("pid %d\n", getpid());
	for (i = 0; i < count; i++)
		printf("round %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", rounds[i].first,
		       rounds[i].last, rounds[i].own);
	printf("cputime %" PRIu64 "\n", charged);
	return 0;
}
