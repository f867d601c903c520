// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Noise delays a program as much as a walk through it instant by instant, and the largest of N has
 * the distribution of one to the power of N.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "jitter/scale/scale.h"
#include "jitter/statistics/probability.h"

#define WINDOW		2000

/* For each instant of the window: is there noise? */
struct walk {
	bool noise[WINDOW];
};

static uint64_t walk_work(const struct walk *walk, uint64_t at, uint64_t work)
{
	uint64_t took = 0;

	for (; work; took++)
		work -= !walk->noise[(at + took) % WINDOW];
	return took;
}

/* Makes noise in @pieces of up to @longest; some touch, some are cut by the window. */
static void random_trace(struct noise_trace *trace, struct walk *walk,
			 struct random_state *random, unsigned int pieces, unsigned int longest)
{
	uint64_t at = random_below(random, 3);

	memset(walk, 0, sizeof(*walk));
	assert_int_equal(noise_new(trace, WINDOW, pieces), 0);
	for (unsigned int i = 0; i < pieces && at < WINDOW; i++) {
		uint64_t length = random_below(random, longest + 1);

		noise_add(trace, at, length, i);
		for (uint64_t j = at; j < at + length && j < WINDOW; j++)
			walk->noise[j] = true;
		at += length + random_below(random, 2 * WINDOW / pieces);
	}
	assert_true(noise_close(trace) > 0);
}

static void sum_up(void *arg, size_t i, uint64_t ns)
{
	*(uint64_t *)arg += ns;
}

static void work_takes_what_a_walk_takes(void **state)
{
	uint64_t seed = 1;
	struct random_state random;

	(void)state;
	random_seed(&random, seed);
	for (unsigned int i = 0; i < 300; i++) {
		struct noise_trace trace;
		struct walk walk;

		random_trace(&trace, &walk, &random, 1 + random_below(&random, 60), 25);
		for (unsigned int j = 0; j < 200; j++) {
			uint64_t at = random_below(&random, WINDOW), met = 0, took;
			uint64_t work = 1 + random_below(&random, j % 2 ? 40 : 3 * WINDOW);
			struct noise_place context = noise_at(&trace, at), later = context;

			took = noise_work(&trace, &context, work);
			assert_int_equal(took, walk_work(&walk, at, work));
			noise_met(&trace, &context, took, sum_up, &met);
			assert_int_equal(met, took - work);
			noise_advance(&trace, &later, took);
			context = noise_at(&trace, (at + took) % WINDOW);
			assert_int_equal(later.at_ns, context.at_ns);
			assert_int_equal(later.next, context.next);
		}
		noise_free(&trace);
	}
}

/* The mean of the largest of N, and its deviation */
struct expected {
	double mean;
	double deviation;
};

/* From all starts in the window: the largest is at most t with probability F(t)^N. */
static struct expected largest_of(const struct walk *walk, uint64_t work, uint64_t n)
{
	static unsigned int having[100 * WINDOW];
	double mean = 0, squares = 0, below = 0, before = 0;

	memset(having, 0, sizeof(having));
	for (uint64_t at = 0; at < WINDOW; at++)
		having[walk_work(walk, at, work)]++;
	for (uint64_t t = 0; below < WINDOW; t++) {
		double until = pow((below += having[t]) / WINDOW, n);

		mean += t * (until - before);
		squares += (double)t * t * (until - before);
		before = until;
	}
	return (struct expected){ mean, sqrt(fmax(0, squares - mean * mean)) };
}

/* A value that is expected once in all phases may occur three times, but not more. */
static void expect_mean(const char *what, const struct program *program,
			const struct program_result *result, struct expected expected)
{
	double most = result->times_ns[result->phases - 1] - (double)program->work_ns;
	double error = 4.5 * expected.deviation / sqrt(result->phases) +
		       3 * (most + 1) / result->phases;

	printf("%s %5u nodes: %.3f, exactly %.3f\n", what, (unsigned int)program->nodes,
	       result->mean_ns, expected.mean);
	assert_true(fabs(result->mean_ns - expected.mean) <= error);
}

static void largest_is_that_of_the_distribution(void **state)
{
	static const uint64_t nodes[] = { 1, 2, 7, 50, 400, 3000 };
	struct random_state random;

	(void)state;
	random_seed(&random, 2);
	for (unsigned int i = 0; i < 4; i++) {
		struct noise_trace trace;
		struct program_node node = { &trace, 1 };
		struct walk walk;

		random_trace(&trace, &walk, &random, 3 + 10 * i, 4 + 20 * i);
		for (unsigned int j = 0; j < sizeof(nodes) / sizeof(nodes[0]); j++) {
			/* A run has one phase: each phase draws again, as F^N requires. */
			struct program program = {
				.kinds = &node, .kind_count = 1, .nodes = nodes[j],
				.work_ns = 30 + 20 * i, .phases = 3000, .runs = 3000,
				.seed = 3 + i, .level = 0.95,
			};
			struct program_result result;

			assert_int_equal(program_run(&program, &result), 0);
			assert_int_equal(result.ranks, nodes[j]);
			expect_mean("walked", &program, &result,
				    largest_of(&walk, program.work_ns, nodes[j]));
			program_free(&result);
		}
		noise_free(&trace);
	}
}

/*
 * One interruption in a window: N ranks meet it with probability 1 - (1 - p)^N (Hoefler and
 * others, 2010).  A phase that begins before it meets all of it; one that begins in it, a part.
 */
static void rare_noise_is_met_as_the_formula_says(void **state)
{
	static const uint64_t nodes[] = { 1, 100, 1000, 10000 };
	const uint64_t window = 100000000, begin = 40000000, length = 5000, work = 100000;
	struct noise_trace trace;
	struct program_node node = { &trace, 1 };

	(void)state;
	assert_int_equal(noise_new(&trace, window, 1), 0);
	noise_add(&trace, begin, length, 0);
	assert_int_equal(noise_close(&trace), window - length);
	for (unsigned int i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
		struct program program = {
			.kinds = &node, .kind_count = 1, .nodes = nodes[i], .work_ns = work,
			.phases = 2000, .runs = 2000, .seed = 5, .level = 0.95,
		};
		struct program_result result;
		double mean = 0, squares = 0;

		for (uint64_t j = 1; j <= length; j++) {
			double reached = 1 - pow(1 - (double)(work + length - j) / window,
						 nodes[i]);

			mean += reached;
			squares += (2 * j - 1) * reached;
		}
		assert_int_equal(program_run(&program, &result), 0);
		expect_mean("formula", &program, &result,
			    (struct expected){ work + mean, sqrt(squares - mean * mean) });
		program_free(&result);
	}
	noise_free(&trace);
}

/* The interval contains the mean of F^N as often as its level states. */
static void interval_holds_the_truth(void **state)
{
	enum { TRIALS = 300 };
	struct random_state random;
	struct noise_trace trace;
	struct program_node node = { &trace, 1 };
	struct program program = {
		.kinds = &node, .kind_count = 1, .nodes = 5, .work_ns = 60, .phases = 20,
		.runs = 20, .level = 0.95,
	};
	unsigned int held = 0;
	struct walk walk;
	double truth;

	(void)state;
	random_seed(&random, 11);
	random_trace(&trace, &walk, &random, 60, 10);
	truth = largest_of(&walk, program.work_ns, program.nodes).mean;
	for (program.seed = 1; program.seed <= TRIALS; program.seed++) {
		struct program_result result;

		assert_int_equal(program_run(&program, &result), 0);
		held += result.low_ns <= truth && truth <= result.high_ns;
		program_free(&result);
	}
	printf("the interval holds the mean in %u of %u\n", held, TRIALS);
	assert_true(held >= 0.91 * TRIALS && held <= 0.99 * TRIALS);
	noise_free(&trace);
}

/* Where the first critical rank began, and thus the other ranks of its node */
struct first {
	bool seen;
	uint64_t at_ns;
};

static void note_first(void *arg, const struct noise_trace *trace,
		       const struct noise_place *context, uint64_t elapsed_ns)
{
	struct first *first = arg;

	if (!first->seen)
		*first = (struct first){ true, context->at_ns };
}

static int by_length(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Ranks of a node begin together, wait for the last, and continue at that time. */
static void phases_follow_each_other(void **state)
{
	enum { RANKS = 3, PHASES = 150 };
	struct random_state random;

	(void)state;
	random_seed(&random, 7);
	for (unsigned int i = 0; i < 40; i++) {
		struct noise_trace traces[RANKS];
		struct program_node node = { traces, RANKS };
		struct walk walks[RANKS];
		struct first first = { 0 };
		struct program program = {
			.kinds = &node, .kind_count = 1, .nodes = 1, .phases = PHASES, .runs = 1,
			.seed = i, .level = 0.95, .critical = note_first, .arg = &first,
		};
		struct program_result result;
		uint64_t times[PHASES], at;

		for (unsigned int j = 0; j < RANKS; j++)
			random_trace(&traces[j], &walks[j], &random, 40, 20);
		/* So long that the first phase meets noise, wherever it begins */
		program.work_ns = WINDOW / 2 + i;
		assert_int_equal(program_run(&program, &result), 0);
		assert_true(first.seen && isnan(result.low_ns));
		at = first.at_ns;
		for (unsigned int j = 0; j < PHASES; j++) {
			times[j] = 0;
			for (unsigned int k = 0; k < RANKS; k++) {
				uint64_t took = walk_work(&walks[k], at, program.work_ns);

				if (took > times[j])
					times[j] = took;
			}
			at = (at + times[j]) % WINDOW;
		}
		qsort(times, PHASES, sizeof(times[0]), by_length);
		assert_memory_equal(times, result.times_ns, sizeof(times));
		assert_int_equal(program_percentile(&result, 0.5), times[PHASES / 2 - 1]);
		assert_int_equal(program_percentile(&result, 1), times[PHASES - 1]);
		program_free(&result);
		for (unsigned int j = 0; j < RANKS; j++)
			noise_free(&traces[j]);
	}
}

static void noise_that_overlaps_is_put_behind(void **state)
{
	struct noise_trace trace;

	(void)state;
	assert_int_equal(noise_new(&trace, 100, 4), 0);
	noise_add(&trace, 10, 10, 0);
	noise_add(&trace, 15, 10, 1);
	noise_add(&trace, 50, 0, 2);
	noise_add(&trace, 95, 50, 3);
	noise_add(&trace, 99, 1, 4);
	assert_int_equal(noise_close(&trace), 75);
	assert_int_equal(trace.count, 3);
	assert_int_equal(trace.points[1].begin_ns, 20);
	assert_int_equal(noise_length(&trace, 2), 5);
	noise_free(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_that_overlaps_is_put_behind),
		cmocka_unit_test(work_takes_what_a_walk_takes),
		cmocka_unit_test(largest_is_that_of_the_distribution),
		cmocka_unit_test(rare_noise_is_met_as_the_formula_says),
		cmocka_unit_test(interval_holds_the_truth),
		cmocka_unit_test(phases_follow_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
