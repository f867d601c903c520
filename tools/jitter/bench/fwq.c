// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fixed work (FWQ): how long the same piece of work takes, each time.
 */
#include <errno.h>

#include "bench.h"
#include "units.h"

#define ATTEMPTS	20
#define ATTEMPT_UNITS	512

/* Of some short attempts the fastest, which nothing disturbed */
static int prepare(struct bench_thread *thread)
{
	uint64_t least = UINT64_MAX, seed = 1;

	for (int i = 0; i < ATTEMPTS; i++) {
		uint64_t begin = ticks_now(), took;

		seed = units_do(seed, ATTEMPT_UNITS);
		took = ticks_now() - begin;
		if (took < least)
			least = took;
	}
	thread->units = thread->length_ticks * ATTEMPT_UNITS / least;
	if (!thread->units)
		thread->units = 1;
	return 0;
}

static void run(struct bench_thread *thread)
{
	struct evtlog_samples_thread *result = &thread->result;
	const volatile bool *stop = &thread->bench->stop;
	struct evtlog_sample *to = thread->samples, *capacity = to + thread->capacity;
	uint64_t begin = ticks_now(), end = begin + thread->span_ticks;
	uint64_t last = begin, now, seed = 1, units = thread->units;

	do {
		seed = units_do(seed, units);
		now = ticks_now();
		if (to < capacity)
			*to++ = (struct evtlog_sample){ last, now, 0 };
		else
			result->dropped++;
		last = now;
		result->rounds++;
	} while (now < end && !*stop);
	result->begin_ticks = begin;
	result->end_ticks = last;
	result->samples = to - thread->samples;
}

static void find_base(struct bench_thread *thread)
{
	uint64_t least = UINT64_MAX;

	for (uint64_t i = 0; i < thread->result.samples; i++) {
		const struct evtlog_sample *sample = &thread->samples[i];

		if (sample->end_ticks - sample->begin_ticks < least)
			least = sample->end_ticks - sample->begin_ticks;
	}
	thread->result.base_ticks = least;
}

const struct bench_method bench_fwq = { .prepare = prepare, .run = run, .finish = find_base };
