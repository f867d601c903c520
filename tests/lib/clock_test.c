// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Times of events are interpolated between clock sets, monotone, and within the error that
 * libevtlog states.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "lib/file/tick-clock.h"
#include "sample.h"

#define HZ	UINT64_C(2596123000)

static uint64_t seed;

/* The true time, rounded down as in the generator's clock sets */
static uint64_t true_ns(const struct loggen_options *o, uint32_t cpu,
			uint64_t ticks)
{
	uint64_t since = ticks - cpu * o->skew_ticks - o->boot_ticks;

	return o->boot_raw_ns + (uint64_t)((unsigned __int128)since *
					   1000000000 / o->ticks_hz);
}

/* @spread_ns: allowed disagreement of two neighbouring sets */
static void check_times(const struct loggen_options *options,
			struct evtlog_file *file, uint64_t spread_ns)
{
	const struct evtlog_event *event;
	struct evtlog_cpu_merge *merge;
	uint64_t last_ns = 0;

	assert_int_equal(evtlog_cpu_merge_new(file, &merge), 0);
	while (evtlog_cpu_merge_next(merge, &event) > 0) {
		int64_t off = event->time_ns -
			      true_ns(options, event->cpu, event->ticks);

		assert_in_range(off + spread_ns, 0, 2 * spread_ns);
		assert_true(event->time_ns >= last_ns);
		last_ns = event->time_ns;
	}
	evtlog_cpu_merge_free(merge);
}

static void times_are_right_within_a_nanosecond(void **state)
{
	uint64_t random = seed;

	for (int round = 0; round < 20; round++) {
		struct loggen_options options = loggen_defaults();
		uint64_t half_ns, span_ns;
		struct evtlog_file *file;
		struct loggen *gen;

		options.ticks_hz = HZ + xorshift(&random) % 1000000;
		options.width_ticks = 2 * (xorshift(&random) % 300);
		gen = loggen_new(&options);
		random_log(gen, 2, xorshift(&random) % 5000, &random);
		file = open_log(gen);
		check_times(&options, file, 2 + options.width_ticks / 64);
		/* Half a reading, and the counter's drift */
		half_ns = options.width_ticks / 2 * 1000 / 2596;
		span_ns = evtlog_end_ns(file) - evtlog_begin_ns(file);
		assert_in_range(evtlog_clock_error_ns(file), half_ns * 2596 / 2597,
				half_ns + half_ns / 3 + 8 + span_ns / 500000);
		evtlog_close(file);
		loggen_free(gen);
	}
}

static void wall_clock_and_tai_follow(void **state)
{
	struct loggen_options options = loggen_defaults();
	struct loggen *gen = loggen_new(&options);
	struct evtlog_file *file;
	uint64_t random = seed;

	random_log(gen, 2, 3000, &random);
	file = open_log(gen);
	assert_int_equal(evtlog_real_ns(file, evtlog_begin_ns(file)) -
			 evtlog_begin_ns(file),
			 options.boot_real_ns - options.boot_raw_ns);
	assert_int_equal(evtlog_real_ns(file, evtlog_end_ns(file)) -
			 evtlog_end_ns(file),
			 options.boot_real_ns - options.boot_raw_ns);
	assert_int_equal(evtlog_tai_offset_s(file), 37);
	evtlog_close(file);
	loggen_free(gen);
}

/* CPU 1's counter is far ahead; only its own clock sets correct it. */
static void counters_out_of_step_are_put_right_per_cpu(void **state)
{
	struct loggen_options options = loggen_defaults();
	const struct evtlog_event *event;
	struct evtlog_summary summary;
	struct evtlog_cpu_merge *merge;
	struct evtlog_file *file;
	unsigned int alternating = 0;
	struct loggen *gen;

	options.ticks_hz = HZ;
	options.tsc_bad = true;
	options.skew_ticks = 7 * HZ;
	options.buffer_bytes = 1000;
	gen = loggen_new(&options);
	for (unsigned int cpu = 0; cpu < 2; cpu++)
		loggen_begin(gen, cpu, options.boot_ticks + cpu * 7 * HZ, 0,
			     "swapper");
	for (uint64_t t = 10000; t < 10000000; t += 10000)
		loggen_record(gen, t / 10000 % 2,
			      options.boot_ticks + t / 10000 % 2 * 7 * HZ + t,
			      EVTLOG_SCHED_WAKING, 9, 1, NULL);
	for (unsigned int cpu = 0; cpu < 2; cpu++)
		loggen_end(gen, cpu, options.boot_ticks + cpu * 7 * HZ +
			   20000000);
	file = open_log(gen);
	check_times(&options, file, 2);
	evtlog_summarize(file, &summary);
	assert_true(summary.tsc_bad);
	assert_int_equal(evtlog_begin_ns(file), options.boot_raw_ns);
	/* In true time, the CPUs' events alternate. */
	assert_int_equal(evtlog_cpu_merge_new(file, &merge), 0);
	while (evtlog_cpu_merge_next(merge, &event) > 0)
		if (event->kind == EVTLOG_EVENT_RECORD)
			assert_int_equal(event->cpu, ++alternating % 2);
	assert_int_equal(alternating, 999);
	evtlog_cpu_merge_free(merge);
	evtlog_close(file);
	loggen_free(gen);
}

static void without_a_rate_the_clock_sets_alone_give_it(void **state)
{
	struct loggen_options options = loggen_defaults();
	uint64_t random = seed;
	struct evtlog_file *file;
	struct loggen *gen;
	char *format = loggen_format_text(0);

	options.ticks_hz = HZ;
	options.format = format;
	gen = loggen_new(&options);
	random_log(gen, 2, 3000, &random);
	file = open_log(gen);
	assert_int_equal(evtlog_ticks_hz(file), 0);
	check_times(&options, file, 2);
	evtlog_close(file);
	loggen_free(gen);
	free(format);
}

/* The ns of a counter with the rate @hz[0] up to @knee, then @hz[1] */
static uint64_t bent_ns(const uint64_t *hz, uint64_t knee, uint64_t ticks)
{
	uint64_t first = ticks < knee ? ticks : knee;

	return (uint64_t)((unsigned __int128)first * 1000000000 / hz[0] +
			  (unsigned __int128)(ticks - first) * 1000000000 / hz[1]);
}

/* Between two clock sets, the kernel calibrates its counter, by up to 0.1 %. */
static void a_rate_that_changed_is_within_the_bend(void **state)
{
	uint64_t random = seed;

	for (int round = 0; round < 200; round++) {
		uint64_t hz[2] = { HZ, HZ - HZ / 1000 + xorshift(&random) % (HZ / 500) };
		uint64_t span = HZ / 10 + xorshift(&random) % (3 * HZ);
		uint64_t knee = xorshift(&random) % span, worst = 0;
		struct evtlog_clock_set sets[2] = { { 0 } };
		struct tick_counter counter = { hz[round % 2], false, true, 0, span };
		struct clock clock;

		sets[1].ticks = span;
		sets[1].raw_ns = bent_ns(hz, knee, span);
		assert_int_equal(clock_build(&clock, sets, 2, &counter), 0);
		for (int i = 0; i < 100; i++) {
			uint64_t ticks = i ? xorshift(&random) % span : knee;
			int64_t off = clock_ns(&clock, ticks) - bent_ns(hz, knee, ticks);

			worst = (uint64_t)llabs(off) > worst ? (uint64_t)llabs(off) : worst;
		}
		assert_in_range(worst, 0, clock.error_ns + 2);
		/* The error is at most the possible difference of both rates. */
		assert_in_range(clock.error_ns, 0, 3 * span / (HZ / 1000000000) / 1000 + 2);
		clock_free(&clock);
	}
}

/*
 * Readings of 1 to 8 us. A quarter are interrupted for 0.1 to 100 ms, before or after the clock is
 * read.
 */
static void make_sets(struct evtlog_clock_set *sets, size_t count, const uint64_t *hz, uint64_t knee,
		      uint64_t step, uint64_t *random)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t width = HZ / 1000000 * (1 + xorshift(random) % 8);
		uint64_t late = xorshift(random) % 4 ? 0 :
				HZ / 10000 * (1 + xorshift(random) % 1000);
		uint64_t read = ticks + xorshift(random) % width +
				(xorshift(random) % 2 ? late : 0);

		sets[i] = (struct evtlog_clock_set){
			.ticks = ticks,
			.width_ticks = (uint32_t)(width + late),
			.raw_ns = bent_ns(hz, knee, read),
			.real_ns = bent_ns(hz, knee, read),
		};
		ticks += width + late + xorshift(random) % step;
	}
}

/* Runs of 0.1 ms to 30 s; up to a second after the last set, unless the kernel calibrates */
static void an_interrupted_reading_does_no_harm(void **state)
{
	uint64_t random = seed;

	for (int round = 0; round < 2000; round++) {
		uint64_t hz[2] = { HZ, HZ }, step = HZ >> xorshift(&random) % 14, last = 0;
		struct evtlog_clock_set sets[50];
		size_t count = 2 + xorshift(&random) % 38;
		uint64_t knee = xorshift(&random) % (2 * HZ);
		/* The kernel's rate is right, wrong, or being calibrated. */
		struct tick_counter counter = { HZ, round % 3 == 0, round % 3 == 2, 0, 0 };
		struct clock clock;

		/* Sets over a second show a rate that is wrong by a factor. */
		if (round % 3 == 1) {
			counter.ticks_hz = xorshift(&random) % 2 ? HZ / 12 + xorshift(&random) % (HZ / 3) :
					   2 * HZ + xorshift(&random) % HZ;
			count += 10;
			step = HZ / 4;
		}
		if (round % 3 == 2)
			hz[1] += HZ / 100000 * (xorshift(&random) % 100);
		make_sets(sets, count, hz, knee, step, &random);
		counter.last = sets[count - 1].ticks + sets[count - 1].width_ticks;
		if (!counter.is_early)
			counter.last += xorshift(&random) % HZ;
		assert_int_equal(clock_build(&clock, sets, count, &counter), 0);
		for (uint64_t i = 0; i <= 1000; i++) {
			uint64_t ticks = (unsigned __int128)counter.last * i / 1000;
			uint64_t ns = clock_ns(&clock, ticks);
			long long off = ns - bent_ns(hz, knee, ticks);

			assert_true(ns >= last);
			last = ns;
			assert_in_range(llabs(off), 0, clock.error_ns + 1);
		}
		clock_free(&clock);
	}
}

/*
 * CLOCK_REALTIME is set three times, by 0.2 to 100 s, between readings 0.1 s apart, and slewed by
 * 500 ppm. Outside these intervals the time is right; within them, the earlier time holds.
 */
static void a_set_clock_steps(void **state)
{
	uint64_t random = seed;

	for (int round = 0; round < 500; round++) {
		struct evtlog_clock_set sets[100] = { { 0 } };
		struct tick_counter counter = { 1000000000, true, false, 0, 0 };
		int64_t offset[100], steps[3], last = INT64_MIN, later = 0;
		size_t at[3], found = 0;
		struct clock clock;

		for (size_t i = 0; i < 3; i++) {
			at[i] = 1 + 33 * i + xorshift(&random) % 32;
			steps[i] = 200000000 + (int64_t)(xorshift(&random) % 100000000000);
			steps[i] = xorshift(&random) % 2 ? steps[i] : -steps[i];
		}
		for (size_t i = 0, k = 0; i < 100; i++) {
			offset[i] = i ? offset[i - 1] + (int64_t)(xorshift(&random) % 100000) - 50000 :
				    INT64_C(1700000000000000000);
			if (k < 3 && at[k] == i)
				offset[i] += steps[k++];
			sets[i].ticks = sets[i].raw_ns = 5000000000 + 100000000 * i;
			sets[i].width_ticks = 1000;
			sets[i].real_ns = sets[i].raw_ns + offset[i];
			counter.last = sets[i].ticks;
		}
		assert_int_equal(clock_build(&clock, sets, 100, &counter), 0);
		for (size_t i = 0; i < clock.offset_count; i++) {
			const struct clock_offset *o = &clock.offsets[i];

			if (!o->step_ns)
				continue;
			assert_in_range(found, 0, 2);
			assert_in_range(llabs(o->step_ns - steps[found]), 0, 50000);
			assert_int_equal(o->ns, sets[at[found]].raw_ns);
			assert_int_equal(o->before_ns, sets[at[found] - 1].raw_ns);
			found++;
		}
		assert_int_equal(found, 3);
		for (size_t i = 0; i < 3; i++)
			later += steps[i];
		for (size_t i = 0, k = 0; i < 99; i++) {
			uint64_t ns = sets[i].raw_ns + 1 + xorshift(&random) % 99999998;
			int64_t off = clock_real_ns(&clock, ns) - (int64_t)ns - offset[i];
			int64_t steady = clock_steady_ns(&clock, ns);

			if (k < 3 && at[k] == i)
				later -= steps[k++];
			/* A window contains some readings. */
			assert_in_range(llabs(off), 0, 5000000);
			assert_in_range(llabs(steady - later - clock_real_ns(&clock, ns)), 0, 3 * 50000);
			assert_true(steady > last);
			last = steady;
		}
		clock_free(&clock);
	}
}

/* A leap second within ten minutes without a full buffer is a step, as TAI shows. */
static void a_leap_second_is_a_step(void **state)
{
	struct evtlog_clock_set sets[3] = { { 0 } };
	struct tick_counter counter = { 1000000000, true, false, 0, 1300000000000 };
	struct clock clock;

	for (int i = 0; i < 3; i++) {
		sets[i].ticks = sets[i].raw_ns = 100000000000 + 600000000000 * i;
		sets[i].width_ticks = 1000;
		sets[i].real_ns = sets[i].raw_ns + 1700000000000000000 - (i == 2 ? 1000000000 : 0);
		sets[i].tai_offset_s = i == 2 ? 38 : 37;
	}
	assert_int_equal(clock_build(&clock, sets, 3, &counter), 0);
	assert_int_equal(clock_real_ns(&clock, 1000000000000), 1700001000000000000);
	assert_int_equal(clock_real_ns(&clock, 1300000000000), 1700001299000000000);
	assert_int_equal(clock_steps_ns(&clock), 1000000000);
	clock_free(&clock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_right_within_a_nanosecond),
		cmocka_unit_test(wall_clock_and_tai_follow),
		cmocka_unit_test(counters_out_of_step_are_put_right_per_cpu),
		cmocka_unit_test(without_a_rate_the_clock_sets_alone_give_it),
		cmocka_unit_test(a_rate_that_changed_is_within_the_bend),
		cmocka_unit_test(an_interrupted_reading_does_no_harm),
		cmocka_unit_test(a_set_clock_steps),
		cmocka_unit_test(a_leap_second_is_a_step),
	};

	seed = sample_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
