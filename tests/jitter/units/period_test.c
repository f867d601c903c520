// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Periods of sources, in logs in which a daemon runs at known times.
 *
 * One tick is one ns.  "bench" is in user mode unless "daemon" or "other" interrupts it.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include <evtlog/jitter.h>

#include "../../support/loggen.h"

#define BASE	5000000000
#define BENCH	100
#define CPUS_MAX	8
#define SECOND	1e9

static uint64_t seed, random_state;

static double uniform(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 11) * 0x1p-53;
}

/* A task that runs for 1 us from @at on */
struct coming {
	double at;
	uint32_t pid;
	unsigned int cpu;
};

static struct coming comings[20000];
static size_t count;

static void comes_to(unsigned int cpu, double at, uint32_t pid)
{
	comings[count++] = (struct coming) { at, pid, cpu };
}

static void comes(double at, uint32_t pid)
{
	comes_to(0, at, pid);
}

static int compare_comings(const void *a, const void *b)
{
	const struct coming *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static void record(struct loggen *gen, unsigned int cpu, uint64_t at, unsigned int type,
		   uint32_t data)
{
	loggen_record(gen, cpu, BASE + at, type, data, 1, NULL);
}

static void name(struct loggen *gen, unsigned int cpu, uint32_t pid, const char *comm)
{
	uint64_t words[6] = { pid };

	loggen_comm(words + 4, comm);
	loggen_record(gen, cpu, BASE, EVTLOG_TASK, pid, 7, words);
}

/* Each CPU has its own tasks, with the same names. */
static void log_cpu(struct loggen *gen, unsigned int cpu)
{
	uint32_t bench = BENCH + cpu;
	uint64_t last = 1000;

	loggen_begin(gen, cpu, BASE, bench, "bench");
	name(gen, cpu, 200 + 10 * cpu, "daemon");
	name(gen, cpu, 201 + 10 * cpu, "other");
	record(gen, cpu, 1, EVTLOG_USER_ENTER, bench);
	for (size_t i = 0; i < count; i++) {
		uint64_t at = comings[i].at > last ? comings[i].at : last;

		if (comings[i].cpu != cpu)
			continue;
		record(gen, cpu, at, EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_OTHER);
		record(gen, cpu, at + 1, EVTLOG_RESCHEDULE_ENTRY, 253);
		record(gen, cpu, at + 2, EVTLOG_RESCHEDULE_EXIT, 253);
		record(gen, cpu, at + 10, EVTLOG_SCHED_SWITCH, (comings[i].pid + 10 * cpu) |
		       EVTLOG_STATE_PREEMPTED << EVTLOG_PID_BITS);
		record(gen, cpu, at + 1010, EVTLOG_SCHED_SWITCH,
		       bench | 1 << EVTLOG_PID_BITS);
		record(gen, cpu, at + 1020, EVTLOG_USER_ENTER, bench);
		last = at + 2000;
	}
	loggen_end(gen, cpu, BASE + last + 1000);
}

/* Returns the sources "daemon" (on CPU 0: task 200) and "other" (task 201). */
static void look_at(unsigned int cpus, struct evtlog_jitter_source found[2])
{
	struct loggen_options options = loggen_defaults();
	uint32_t pids[CPUS_MAX];
	const struct evtlog_jitter_options of = { .pids = pids, .pid_count = cpus };
	const struct evtlog_jitter_source *sources;
	struct evtlog_jitter *jitter;
	struct evtlog_file *file;
	const uint8_t *bytes;
	struct loggen *gen;
	size_t length, all;

	options.cpus = cpus;
	gen = loggen_new(&options);
	qsort(comings, count, sizeof(*comings), compare_comings);
	for (unsigned int cpu = 0; cpu < cpus; cpu++) {
		pids[cpu] = BENCH + cpu;
		log_cpu(gen, cpu);
	}
	count = 0;
	loggen_close(gen);
	bytes = loggen_bytes(gen, &length);
	assert_int_equal(evtlog_open_bytes(bytes, length, &file, NULL), 0);
	assert_int_equal(evtlog_jitter_new(file, NULL, &of, &jitter, NULL), 0);
	memset(found, 0, 2 * sizeof(*found));
	sources = evtlog_jitter_sources(jitter, &all);
	for (size_t i = 0; i < all; i++) {
		if (!strcmp(sources[i].name, "daemon"))
			found[0] = sources[i];
		if (!strcmp(sources[i].name, "other"))
			found[1] = sources[i];
	}
	evtlog_jitter_free(jitter);
	evtlog_close(file);
	loggen_free(gen);
}

static void look(struct evtlog_jitter_source found[2])
{
	look_at(1, found);
}

static void expect_period(const struct evtlog_jitter_source *source, double period,
			  double within, double share)
{
	if (fabs(source->period_ticks - period) > within * period ||
	    source->period_share < share)
		fail_msg("period %.0f of %.0f, share %.3f, spread %.0f, of %u; seed %llu",
			 source->period_ticks, period, source->period_share,
			 source->period_spread, (unsigned int)source->activations,
			 (unsigned long long)seed);
}

/* As in the paper: one daemon every 10 s, another every 10.5 s; 8 times are enough. */
static void daemons_of_10_and_10_5_s(void **state)
{
	struct evtlog_jitter_source found[2];

	for (int times = 8; times <= 60; times += 13) {
		for (int i = 0; i < times; i++) {
			/* CFS may let other tasks run first. */
			comes(2 * SECOND + 10 * SECOND * i + 4e6 * uniform(), 200);
			comes(2 * SECOND + 10.5 * SECOND * i + 4e6 * uniform(), 201);
		}
		look(found);
		expect_period(&found[0], 10 * SECOND, 0.001, 1);
		expect_period(&found[1], 10.5 * SECOND, 0.001, 1);
		assert_true(fabs(found[0].phase_ticks - 2 * SECOND) < 5e6);
		assert_true(found[0].period_spread < 2e6);
	}
}

static void missing_and_extra_ones_do_not_matter(void **state)
{
	struct evtlog_jitter_source found[2];

	for (int round = 0; round < 50; round++) {
		for (int i = 0; i < 60; i++) {
			if (uniform() > 0.15)
				comes(SECOND + 0.1 * SECOND * i + 1e6 * uniform(), 200);
			if (uniform() < 0.3)
				comes(SECOND + 6 * SECOND * uniform(), 200);
		}
		look(found);
		expect_period(&found[0], 0.1 * SECOND, 0.005, 0.5);
	}
}

/* The task sleeps for 50 ms after its work, which takes up to 2 ms. */
static void who_drifts_has_a_period(void **state)
{
	struct evtlog_jitter_source found[2];
	double at = SECOND, first = at;

	for (int i = 0; i < 300; i++) {
		comes(at, 200);
		at += 5e7 + 2e6 * uniform();
	}
	look(found);
	expect_period(&found[0], (at - first) / 300, 0.01, 1);
}

static void long_runs_keep_their_digits(void **state)
{
	struct evtlog_jitter_source found[2];

	for (int i = 0; i < 15000; i++)
		comes(1e6 + 4e6 * i + 2e4 * uniform(), 200);
	look(found);
	expect_period(&found[0], 4e6, 1e-6, 1);
	assert_true(found[0].period_spread < 1e4);
}

/* Random times have no period: at most one run in 100 may seem to have one. */
static void chance_has_none(void **state)
{
	struct evtlog_jitter_source found[2];
	int seeming = 0;

	for (int round = 0; round < 600; round++) {
		int times = 8 + 192 * uniform() * uniform();
		double at = 0;

		for (int i = 0; i < times; i++) {
			at -= 1e8 * log(1 - uniform());
			comes(at, 200);
			comes(1e8 * times * uniform(), 201);
		}
		look(found);
		seeming += found[0].period_ticks != 0;
		seeming += found[1].period_ticks != 0;
	}
	print_message("of 1200 runs by chance %d seem to have a period\n", seeming);
	assert_true(seeming <= 12);
}

/* The task runs twice, and again much later: the short distance is not the period. */
static void pairs_have_that_of_pairs_or_none(void **state)
{
	struct evtlog_jitter_source found[2];

	for (int i = 0; i < 12; i++) {
		double at = SECOND * (1 + 0.71 * i) + 1e5 * uniform();

		comes(at, 200);
		comes(at + 1.234e6, 200);
		/* At random times, twice each time */
		at = SECOND * 8 * uniform();
		comes(at, 201);
		comes(at + 1.234e6, 201);
	}
	look(found);
	if (found[0].period_ticks)
		expect_period(&found[0], 0.71 * SECOND, 0.01, 0.4);
	assert_true(!found[1].period_ticks || found[1].period_ticks > 1e8);
}

/* Like the timer, which each CPU has */
static void each_cpu_keeps_its_own(void **state)
{
	struct evtlog_jitter_source found[2];

	for (unsigned int cpus = 2; cpus <= CPUS_MAX; cpus += 3) {
		for (unsigned int cpu = 0; cpu < cpus; cpu++)
			for (int i = 0; i < 100; i++) {
				comes_to(cpu, 1e6 + 4e6 * i + 5e5 * cpu + 1e4 * uniform(), 200);
				if (!cpu)
					comes_to(cpu, 1e6 + 1e7 * i + 2e6, 201);
			}
		look_at(cpus, found);
		expect_period(&found[0], 4e6, 1e-3, 0.99);
		expect_period(&found[1], 1e7, 1e-3, 0.99);
	}
}

/* One task for all CPUs, which moves from one to the next */
static void one_that_moves_keeps_it(void **state)
{
	struct evtlog_jitter_source found[2];

	for (int i = 0; i < 100; i++)
		comes_to(4 * uniform(), 1e6 + 4e6 * i + 1e4 * uniform(), 200);
	for (unsigned int cpu = 0; cpu < 4; cpu++)
		comes_to(cpu, 5e8, 201);
	look_at(4, found);
	expect_period(&found[0], 4e6, 1e-3, 0.99);
}

static void few_have_none(void **state)
{
	struct evtlog_jitter_source found[2];

	for (int i = 0; i < 7; i++)
		comes(SECOND + 0.1 * SECOND * i, 200);
	look(found);
	assert_true(found[0].activations == 7 && !found[0].period_ticks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(daemons_of_10_and_10_5_s),
		cmocka_unit_test(missing_and_extra_ones_do_not_matter),
		cmocka_unit_test(who_drifts_has_a_period),
		cmocka_unit_test(long_runs_keep_their_digits),
		cmocka_unit_test(chance_has_none),
		cmocka_unit_test(pairs_have_that_of_pairs_or_none),
		cmocka_unit_test(each_cpu_keeps_its_own),
		cmocka_unit_test(one_that_moves_keeps_it),
		cmocka_unit_test(few_have_none),
	};
	const char *given = getenv("SEED");

	seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 2654435761u | 1;
	random_state = seed;
	print_message("SEED=%llu\n", (unsigned long long)seed);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
