// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Periods of sources, on logs in which a daemon comes at times that are known.
 *
 * One tick is one ns. "bench" is in user mode unless "daemon" or "other" runs for it.
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

#include "../lib/loggen.h"

#define BASE	5000000000
#define BENCH	100
#define SECOND	1e9

static uint64_t seed, random_state;

static double uniform(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 11) * 0x1p-53;
}

/* When who comes; each stays for a µs. */
struct coming {
	double at;
	uint32_t pid;
};

static struct coming comings[20000];
static size_t count;

static void comes(double at, uint32_t pid)
{
	comings[count++] = (struct coming) { at, pid };
}

static int compare_comings(const void *a, const void *b)
{
	const struct coming *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static void record(struct loggen *gen, uint64_t at, unsigned int type, uint32_t data)
{
	loggen_record(gen, 0, BASE + at, type, data, 1, NULL);
}

static void name(struct loggen *gen, uint32_t pid, const char *comm)
{
	uint64_t words[6] = { pid };

	loggen_comm(words + 4, comm);
	loggen_record(gen, 0, BASE, EVTLOG_TASK, pid, 7, words);
}

/* What the library says of task 200, or of 201. */
static void look(struct evtlog_jitter_source found[2])
{
	struct loggen_options options = loggen_defaults();
	const uint32_t pid = BENCH;
	const struct evtlog_jitter_options of = { .pids = &pid, .pid_count = 1 };
	const struct evtlog_jitter_source *sources;
	struct evtlog_jitter *jitter;
	struct evtlog_file *file;
	const uint8_t *bytes;
	struct loggen *gen;
	uint64_t last = 1000;
	size_t length, all;

	options.cpus = 1;
	gen = loggen_new(&options);
	loggen_begin(gen, 0, BASE, BENCH, "bench");
	name(gen, 200, "daemon");
	name(gen, 201, "other");
	record(gen, 1, EVTLOG_USER_ENTER, BENCH);
	qsort(comings, count, sizeof(*comings), compare_comings);
	for (size_t i = 0; i < count; i++) {
		uint64_t at = comings[i].at > last ? comings[i].at : last;

		record(gen, at, EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_OTHER);
		record(gen, at + 1, EVTLOG_RESCHEDULE_ENTRY, 253);
		record(gen, at + 2, EVTLOG_RESCHEDULE_EXIT, 253);
		record(gen, at + 10, EVTLOG_SCHED_SWITCH, comings[i].pid |
		       EVTLOG_STATE_PREEMPTED << EVTLOG_PID_BITS);
		record(gen, at + 1010, EVTLOG_SCHED_SWITCH, BENCH | 1 << EVTLOG_PID_BITS);
		record(gen, at + 1020, EVTLOG_USER_ENTER, BENCH);
		last = at + 2000;
	}
	count = 0;
	loggen_end(gen, 0, BASE + last + 1000);
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

/* The paper's: one daemon each 10 s, another each 10.5 s; 8 times are enough. */
static void daemons_of_10_and_10_5_s(void **state)
{
	struct evtlog_jitter_source found[2];

	for (int times = 8; times <= 60; times += 13) {
		for (int i = 0; i < times; i++) {
			/* CFS lets others go first. */
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

/* It sleeps for 50 ms after its work, which takes up to 2 ms. */
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

/* What comes by chance has none: at most one in 100 runs may seem to. */
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
		cmocka_unit_test(few_have_none),
	};
	const char *given = getenv("SEED");

	seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 2654435761u | 1;
	random_state = seed;
	print_message("SEED=%llu\n", (unsigned long long)seed);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
