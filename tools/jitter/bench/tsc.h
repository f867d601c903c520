/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counter that both the benchmark and the kernel's log read.
 *
 * Stage: at the bottom of the benchmark.
 */
#ifndef EVTLOG_JITTER_BENCH_TSC_H
#define EVTLOG_JITTER_BENCH_TSC_H

#include <stdint.h>

/*
 * Without a fence, which would take longer than the reading itself.  None is needed:
 * an interrupt comes between two instructions, all before it done and none behind it
 * begun, and IRET lets none begin early.  So a reading before an interruption is less than
 * the kernel's at its begin, and one behind it greater than that at its end.
 */
static inline uint64_t ticks_now(void)
{
	uint32_t low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* A counter's reading and CLOCK_MONOTONIC_RAW, of one instant. */
struct ticks_at {
	uint64_t ticks;
	uint64_t raw_ns;
};

/* The closest of some attempts. */
struct ticks_at ticks_at_now(void);

/* From two of them; 0 if they are too close to tell. */
uint64_t ticks_hz(const struct ticks_at *from, const struct ticks_at *to);

/* The same, of the next 50 ms: good to some 10 ppm, for lengths that must be known. */
uint64_t ticks_hz_now(void);

/* @ns in ticks, rounded. */
uint64_t ticks_of_ns(uint64_t ns, uint64_t hz);
/* And back. */
uint64_t ticks_to_ns(uint64_t ticks, uint64_t hz);

#endif /* EVTLOG_JITTER_BENCH_TSC_H */
