// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures the rate of the tick counter.
 *
 * Stage: the lowest layer of the benchmark.
 */
#include <time.h>

#include "bench.h"

#define NS_PER_S	1000000000ULL
#define ATTEMPTS	20
#define SPAN_NS		50000000

static uint64_t raw_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

struct ticks_at ticks_at_now(void)
{
	uint64_t least = UINT64_MAX;
	struct ticks_at at = { 0 };

	for (int i = 0; i < ATTEMPTS; i++) {
		uint64_t before = ticks_now(), ns = raw_now_ns(), after = ticks_now();

		if (after - before >= least)
			continue;
		least = after - before;
		at.ticks = before + least / 2;
		at.raw_ns = ns;
	}
	return at;
}

uint64_t ticks_hz(const struct ticks_at *from, const struct ticks_at *to)
{
	uint64_t ns = to->raw_ns - from->raw_ns;
	unsigned __int128 ticks = to->ticks - from->ticks;

	return ns ? (ticks * NS_PER_S + ns / 2) / ns : 0;
}

uint64_t ticks_hz_now(void)
{
	const struct timespec nap = { .tv_nsec = SPAN_NS };
	struct ticks_at from = ticks_at_now(), to;

	nanosleep(&nap, NULL);
	to = ticks_at_now();
	return ticks_hz(&from, &to);
}

uint64_t ticks_of_ns(uint64_t ns, uint64_t hz)
{
	return ((unsigned __int128)ns * hz + NS_PER_S / 2) / NS_PER_S;
}

uint64_t ticks_to_ns(uint64_t ticks, uint64_t hz)
{
	return ((unsigned __int128)ticks * NS_PER_S + hz / 2) / hz;
}
