// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loops that measure interruptions with the tick counter, and the rate of the counter.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "common/error.h"

/* ---- The rate of the tick counter ---- */

#define NS_PER_S	1000000000ULL
#define READ_ATTEMPTS	20
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

	for (int i = 0; i < READ_ATTEMPTS; i++) {
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

/* @ticks in ns, rounded. */
static uint64_t ticks_to_ns(uint64_t ticks, uint64_t hz)
{
	return ((unsigned __int128)ticks * NS_PER_S + hz / 2) / hz;
}

/* ---- Detour: a sample is two readings of the counter that are too far apart ---- */

/* Calibration uses stretches of this many ns; those with an interrupt are above the median. */
#define STRETCHES	501
#define STRETCH_NS	20000
/* Checks of @stop per second. */
#define STOP_PER_S	200

/*
 * State of the loop, which is in registers while run_until() runs.
 * @limit:	a round that takes longer is a sample
 */
struct loop {
	uint64_t last;
	uint64_t base;
	uint64_t limit;
	uint64_t rounds;
	uint64_t below;
	uint64_t dropped;
	struct evtlog_sample *to;
	struct evtlog_sample *capacity;
};

/* Not inlined: calibration and measurement run the same instructions. */
static void __attribute__((noinline)) run_until(struct loop *state, uint64_t until)
{
	struct loop loop = *state;
	uint64_t now;

	do {
		uint64_t delta;
		int64_t more;

		now = ticks_now();
		delta = now - loop.last;
		loop.rounds++;
		if (__builtin_expect(delta > loop.limit, 0)) {
			if (loop.to < loop.capacity)
				*loop.to++ = (struct evtlog_sample){ loop.last, now, 0 };
			else
				loop.dropped++;
		} else {
			more = delta - loop.base;
			/* No branch, which could be mispredicted. */
			loop.below += more & ~(more >> 63);
		}
		loop.last = now;
	} while (now < until);
	*state = loop;
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* The median of the stretches' mean rounds, in ticks; at least 1. */
static uint64_t measure_round(const struct bench *bench)
{
	uint64_t stretch = ticks_of_ns(STRETCH_NS, bench->hz);
	double means[STRETCHES];

	for (int i = 0; i < STRETCHES; i++) {
		struct loop loop = { .limit = INT64_MAX };
		uint64_t begin = loop.last = ticks_now();

		run_until(&loop, begin + stretch);
		means[i] = (double)(loop.last - begin) / loop.rounds;
	}
	qsort(means, STRETCHES, sizeof(*means), compare);
	return means[STRETCHES / 2] < 1 ? 1 : means[STRETCHES / 2] + 0.5;
}

static int prepare_detour(struct bench_thread *thread)
{
	struct bench *bench = thread->bench;
	struct evtlog_samples_thread *result = &thread->result;

	result->base_ticks = measure_round(bench);
	if (result->threshold_ticks >= BENCH_PERIODS * result->base_ticks)
		return 0;
	if (atomic_exchange(&bench->was_reported, true))
		return -ERANGE;
	pr_err("--threshold %" PRIu64 "ns: too low for CPU %" PRIu32
	       ": there the loop itself takes %" PRIu64
	       " ns per iteration; use at least %" PRIu64 "ns",
	       bench->options->threshold_ns, result->cpu,
	       ticks_to_ns(result->base_ticks, bench->hz),
	       1 + ticks_to_ns(BENCH_PERIODS * result->base_ticks, bench->hz));
	return -ERANGE;
}

static void run_detour(struct bench_thread *thread)
{
	struct evtlog_samples_thread *result = &thread->result;
	const volatile bool *stop = &thread->bench->stop;
	const uint64_t chunk = thread->bench->hz / STOP_PER_S;
	struct loop loop = {
		.base = result->base_ticks,
		.limit = result->base_ticks + result->threshold_ticks,
		.to = thread->samples,
		.capacity = thread->samples + thread->capacity,
	};
	uint64_t begin = loop.last = ticks_now(), end = begin + thread->span_ticks;

	while (loop.last < end && !*stop)
		run_until(&loop, end - loop.last < chunk ? end : loop.last + chunk);
	result->begin_ticks = begin;
	result->end_ticks = loop.last;
	result->rounds = loop.rounds;
	result->samples = loop.to - thread->samples;
	result->dropped = loop.dropped;
	result->below_ticks = loop.below;
}

const struct bench_method bench_detour = { .prepare = prepare_detour, .run = run_detour };

/*
 * ---- Fixed time (FTQ): counts the work done in each quantum ----
 *
 * Quanta end on a grid, so that periodic noise is periodic in the samples.
 */

#define UNIT_ATTEMPTS	1000
/* A quantum needs this many units, so that the count is precise enough. */
#define UNITS_LEAST	20

static int prepare_quanta(struct bench_thread *thread)
{
	struct bench *bench = thread->bench;
	uint64_t least = UINT64_MAX, seed = 1;

	for (int i = 0; i < UNIT_ATTEMPTS; i++) {
		uint64_t begin = ticks_now(), took;

		seed = units_do(seed, 1);
		took = ticks_now() - begin;
		if (took < least)
			least = took;
	}
	if (least && thread->length_ticks / least >= UNITS_LEAST)
		return 0;
	if (atomic_exchange(&bench->was_reported, true))
		return -ERANGE;
	pr_err("--quantum %" PRIu64 "ns: too short for CPU %" PRIu32 ": a unit of work takes %" PRIu64 " ns there, and a quantum needs %d units",
	       bench->options->length_ns, thread->result.cpu, ticks_to_ns(least, bench->hz), UNITS_LEAST);
	return -ERANGE;
}

static void run_quanta(struct bench_thread *thread)
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

const struct bench_method bench_ftq = {
	.prepare = prepare_quanta, .run = run_quanta, .finish = find_base,
};

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

const struct bench_method bench_fwq = {
	.prepare = prepare_work, .run = run_work, .finish = find_work_base,
};
