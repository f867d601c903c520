// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Replaces LTTng-UST's trace clock with the CPU's tick counter, read as the ring reads it, so that
 * the clocks of both cost the same (LTTNG_UST_CLOCK_PLUGIN). The frequency is only measured
 * roughly: use the traces to count events, not for their times.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#include <lttng/ust-clock.h>

void lttng_ust_clock_plugin_init(void);

static uint64_t ticks(void)
{
	return __rdtsc();
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t ticks_hz(void)
{
	const struct timespec wait = { .tv_nsec = 10000000 };
	static uint64_t hz;
	uint64_t began_ns, began;

	if (hz)
		return hz;
	began_ns = now_ns();
	began = ticks();
	nanosleep(&wait, NULL);
	hz = (ticks() - began) * 1000000000 / (now_ns() - began_ns);
	return hz;
}

static int uuid(char *to)
{
	strcpy(to, "6576746c-6f67-4d75-8e61-746976657473");
	return 0;
}

static const char *name(void)
{
	return "tsc";
}

static const char *description(void)
{
	return "the CPU's tick counter";
}

void lttng_ust_clock_plugin_init(void)
{
	if (lttng_ust_trace_clock_set_read64_cb(ticks) ||
	    lttng_ust_trace_clock_set_freq_cb(ticks_hz) ||
	    lttng_ust_trace_clock_set_uuid_cb(uuid) ||
	    lttng_ust_trace_clock_set_name_cb(name) ||
	    lttng_ust_trace_clock_set_description_cb(description) ||
	    lttng_ust_enable_trace_clock_override()) {
		fprintf(stderr, "ust-clock: LTTng-UST does not take another clock\n");
		exit(1);
	}
}
