// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the tick counter in a loop; a sample is two readings that are too far apart.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "bench.h"
#include "common/error.h"

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

static int prepare(struct bench_thread *thread)
{
	struct bench *bench = thread->bench;
	struct evtlog_samples_thread *result = &thread->result;

	result->base_ticks = measure_round(bench);
	if (result->threshold_ticks >= BENCH_PERIODS * result->base_ticks)
		return 0;
	if (atomic_exchange(&bench->told, true))
		return -ERANGE;
	pr_err("--threshold %" PRIu64 "ns: too low for CPU %" PRIu32
	       ": there the loop itself takes %" PRIu64
	       " ns per iteration; use at least %" PRIu64 "ns",
	       bench->options->threshold_ns, result->cpu,
	       ticks_to_ns(result->base_ticks, bench->hz),
	       1 + ticks_to_ns(BENCH_PERIODS * result->base_ticks, bench->hz));
	return -ERANGE;
}

static void run(struct bench_thread *thread)
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

const struct bench_method bench_detour = { .prepare = prepare, .run = run };
