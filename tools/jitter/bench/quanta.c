// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loops of fixed time and of fixed work.
 *
 * Fixed time (FTQ): counts the work done in each quantum. Quanta end on a grid, so that periodic
 * noise is periodic in the samples.
 */
#include <errno.h>
#include <inttypes.h>

#include "bench.h"
#include "common/error.h"

#define ATTEMPTS	1000
/* A quantum needs this many units, so that the count is precise enough. */
#define UNITS_LEAST	20

static int prepare(struct bench_thread *thread)
{
	struct bench *bench = thread->bench;
	uint64_t least = UINT64_MAX, seed = 1;

	for (int i = 0; i < ATTEMPTS; i++) {
		uint64_t begin = ticks_now(), took;

		seed = units_do(seed, 1);
		took = ticks_now() - begin;
		if (took < least)
			least = took;
	}
	if (least && thread->length_ticks / least >= UNITS_LEAST)
		return 0;
	if (atomic_exchange(&bench->told, true))
		return -ERANGE;
	pr_err("--quantum %" PRIu64 "ns: too short for CPU %" PRIu32 ": a unit of work takes %" PRIu64
	       " ns there, and it needs %d of them", bench->options->length_ns, thread->result.cpu,
	       ticks_to_ns(least, bench->hz), UNITS_LEAST);
	return -ERANGE;
}

static void run(struct bench_thread *thread)
{
	struct evtlog_samples_thread *result = &thread->result;
	const volatile bool *stop = &thread->bench->stop;
	struct evtlog_sample *to = thread->samples, *capacity = to + thread->capacity;
	const uint64_t length = thread->length_ticks;
	uint64_t begin = ticks_now(), end = begin + thread->span_ticks;
	uint64_t last = begin, now, grid = begin + length, work = 0, seed = 1;

	do {
		seed = units_do(seed, 1);
		work++;
		now = ticks_now();
		if (now < grid)
			continue;
		if (to < capacity)
			*to++ = (struct evtlog_sample){ last, now, work };
		else
			result->dropped++;
		last = now;
		work = 0;
		result->rounds++;
		/* An interruption can span several quanta. */
		grid += ((now - grid) / length + 1) * length;
	} while (last < end && !*stop);
	result->begin_ticks = begin;
	result->end_ticks = last;
	result->samples = to - thread->samples;
}

/* Finds the sample with the most work per time; a/b > c/d is compared exactly. */
static void find_base(struct bench_thread *thread)
{
	struct evtlog_samples_thread *result = &thread->result;

	result->base_work = 0;
	result->base_ticks = 1;
	for (uint64_t i = 0; i < result->samples; i++) {
		const struct evtlog_sample *sample = &thread->samples[i];
		uint64_t took = sample->end_ticks - sample->begin_ticks;

		if ((unsigned __int128)sample->work * result->base_ticks >
		    (unsigned __int128)result->base_work * took) {
			result->base_work = sample->work;
			result->base_ticks = took;
		}
	}
}

const struct bench_method bench_ftq = { .prepare = prepare, .run = run, .finish = find_base };

/* ---- Fixed work (FWQ): measures the time of equal pieces of work ---- */

#define WORK_ATTEMPTS	20
#define ATTEMPT_UNITS	512

/* Calibrates the units by the fastest of several short attempts, which nothing disturbed. */
static int prepare_work(struct bench_thread *thread)
{
	uint64_t least = UINT64_MAX, seed = 1;

	for (int i = 0; i < WORK_ATTEMPTS; i++) {
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

static void run_work(struct bench_thread *thread)
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

static void find_work_base(struct bench_thread *thread)
{
	uint64_t least = UINT64_MAX;

	for (uint64_t i = 0; i < thread->result.samples; i++) {
		const struct evtlog_sample *sample = &thread->samples[i];

		if (sample->end_ticks - sample->begin_ticks < least)
			least = sample->end_ticks - sample->begin_ticks;
	}
	thread->result.base_ticks = least;
}

const struct bench_method bench_fwq = { .prepare = prepare_work, .run = run_work, .finish = find_work_base };
