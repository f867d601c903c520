// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog jitter diff reports differences between recordings of the same kind as rarely as its
 * level states, and finds what was changed.
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

#include "jitter/diff/compare.h"
#include "jitter/statistics/probability.h"

#define SECOND		1e9
#define LEVEL		0.95

/* In [0, 1). */
static double random_unit(struct random_state *random)
{
	return (random_next(random) >> 11) * 0x1p-53;
}

static double exponential(struct random_state *random, double mean)
{
	return -mean * log1p(-random_unit(random));
}

static double normal(struct random_state *random)
{
	return sqrt(-2 * log1p(-random_unit(random))) * cos(2 * M_PI * random_unit(random));
}

/*
 * @every_ns:	from stay to stay, or from burst to burst
 * @periodic:	false: at random distances
 * @burst:	about this number of stays in each burst; 0: one stay
 * @spread:	of the logarithm of a stay's length
 */
struct stream {
	const char *name;
	double every_ns;
	bool periodic;
	unsigned int burst;
	double mean_ns;
	double spread;
};

static void play(struct compared *compared, unsigned int side, const struct stream *stream,
		 struct random_state *random)
{
	struct evtlog_jitter_source row = { .family = EVTLOG_FAMILY_INTERRUPT };
	struct compared_source *source;
	double at_ns = random_unit(random) * stream->every_ns;

	snprintf(row.name, sizeof(row.name), "%s", stream->name);
	source = compared_source(compared, &row);
	assert_non_null(source);
	if (!stream->periodic)
		at_ns = exponential(random, stream->every_ns);
	while (at_ns < compared->window_ns[side]) {
		unsigned int intervals =
			stream->burst
				? 1 + random_below(random, 2 * stream->burst)
				: 1;

		for (unsigned int i = 0; i < intervals; i++)
			/* A burst is short, like a task that each tick preempts. */
			compared_add(source, side, at_ns + i * 1e6, stream->mean_ns *
				     exp(stream->spread * normal(random) -
					 stream->spread * stream->spread / 2));
		at_ns += stream->periodic ? stream->every_ns * (1 + 0.001 * normal(random)) :
			 exponential(random, stream->every_ns);
	}
}

static void open_rows(struct compared *compared, const struct stream *streams, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct evtlog_jitter_source row = { .family = EVTLOG_FAMILY_INTERRUPT };
		struct compared_source *source;

		snprintf(row.name, sizeof(row.name), "%s", streams[i].name);
		source = compared_source(compared, &row);
		assert_non_null(source);
		if (streams[i].periodic)
			source->side[0].period_ns = streams[i].every_ns;
	}
}

static void prepare(struct compared *compared, double a_s, double b_s, uint64_t seed)
{
	*compared = (struct compared){
		.window_ns = { a_s * SECOND, b_s * SECOND },
		.cpu_s = { a_s, b_s }, .cpus = { 1, 1 },
		.level = LEVEL, .least_change = 0.1, .seed = seed,
	};
	compared_cut(compared, 32);
}

static const struct stream plain[] = {
	{ "tick", 4e6, true, 0, 3000, 0.3 },
	{ "softirq", 16e6, false, 0, 5000, 0.8 },
	{ "worker", 130e6, false, 3, 20000, 1.2 },
	{ "daemon", 500e6, true, 0, 800000, 0.1 },
	{ "slow daemon", 4e9, true, 0, 2300000, 0.1 },
	{ "rare", 3e9, false, 0, 9000, 1 },
	{ "rare bursts", 8e9, false, 20, 4000, 1 },
	{ "once", 20e9, false, 0, 50000, 1 },
};

#define PLAIN (sizeof(plain) / sizeof(plain[0]))

/* Returns the number of rows whose verdict is not "same". */
static unsigned int alarms(const struct compared *compared)
{
	unsigned int count = 0;

	for (size_t i = 0; i < compared->count; i++)
		count += compared->sources[i].verdict != COMPARED_SAME;
	return count;
}

static enum compared_verdict verdict_of(const struct compared *compared, const char *name)
{
	for (size_t i = 0; i < compared->count; i++)
		if (!strcmp(compared->sources[i].name, name))
			return compared->sources[i].verdict;
	return COMPARED_VERDICTS;
}

/* Fails if more than 1 - LEVEL of the trials had an alarm; by chance in 1 of 1,000. */
static void expect_level(unsigned int wrong, unsigned int trials)
{
	assert_true(1 - exact_binomial(trials, wrong ? wrong - 1 : 0, 1 - LEVEL) > 0.001 ||
		    !wrong);
}

static void same_is_seldom_told_apart(double a_s, double b_s, unsigned int trials)
{
	unsigned int wrong = 0;

	for (uint64_t seed = 1; seed <= trials; seed++) {
		struct random_state random;
		struct compared compared;

		prepare(&compared, a_s, b_s, seed);
		/* Count any difference, however small. */
		compared.least_change = 0;
		open_rows(&compared, plain, PLAIN);
		assert_int_equal(compared_open_blocks(&compared), 0);
		random_seed(&random, seed);
		for (unsigned int side = 0; side < 2; side++)
			for (size_t i = 0; i < PLAIN; i++)
				play(&compared, side, &plain[i], &random);
		assert_int_equal(compared_judge(&compared), 0);
		wrong += alarms(&compared) > 0;
		compared_free(&compared);
	}
	printf("%.0f s and %.0f s, seeds 1-%u: %u with a false alarm\n", a_s, b_s, trials, wrong);
	expect_level(wrong, trials);
}

static void same_length_and_same(void **state)
{
	(void)state;
	same_is_seldom_told_apart(20, 20, 200);
}

static void other_length_and_same(void **state)
{
	(void)state;
	same_is_seldom_told_apart(10, 40, 200);
}

/* B is A with @changed, in place of A's stream of this name, if any.  @swap: A is B with it. */
static void expect_found(const struct stream *changed, enum compared_verdict verdict, bool swap)
{
	enum { TRIALS = 40 };
	unsigned int found = 0, others = 0;

	for (uint64_t seed = 1; seed <= TRIALS; seed++) {
		struct random_state random;
		struct compared compared;
		unsigned int all, this;

		prepare(&compared, 20, 20, seed);
		open_rows(&compared, plain, PLAIN);
		open_rows(&compared, changed, 1);
		assert_int_equal(compared_open_blocks(&compared), 0);
		random_seed(&random, seed);
		for (unsigned int side = 0; side < 2; side++) {
			for (size_t i = 0; i < PLAIN; i++)
				if (side == swap || strcmp(plain[i].name, changed->name))
					play(&compared, side, &plain[i], &random);
			if (side != swap)
				play(&compared, side, changed, &random);
		}
		assert_int_equal(compared_judge(&compared), 0);
		this = verdict_of(&compared, changed->name) == verdict;
		all = alarms(&compared);
		found += this;
		others += all > (verdict_of(&compared, changed->name) != COMPARED_SAME);
		compared_free(&compared);
	}
	printf("%s %s: in %u of %u; another one in %u\n", changed->name,
	       compared_verdict_name(verdict), found, TRIALS, others);
	assert_true(found >= 0.95 * TRIALS);
	expect_level(others, TRIALS);
}

static void what_was_changed_is_found(void **state)
{
	static const struct stream daemon = { "new daemon", 1e9, true, 0, 500000, 0.1 };
	static const struct stream worker = { "new worker", 1e9, false, 0, 30000, 1 };
	static const struct stream tick = { "tick", 10e6, true, 0, 3000, 0.3 };
	static const struct stream softirq = { "softirq", 16e6, false, 0, 6500, 0.8 };
	static const struct stream often = { "worker", 50e6, false, 3, 20000, 1.2 };
	static const struct stream both = { "daemon", 250e6, true, 0, 400000, 0.1 };

	(void)state;
	expect_found(&daemon, COMPARED_NEW, false);
	expect_found(&daemon, COMPARED_GONE, true);
	expect_found(&worker, COMPARED_NEW, false);
	expect_found(&tick, COMPARED_SMALLER, false);
	expect_found(&tick, COMPARED_LARGER, true);
	expect_found(&softirq, COMPARED_LARGER, false);
	expect_found(&often, COMPARED_LARGER, false);
	expect_found(&both, COMPARED_CHANGED, false);
}

/* The intervals contain the true ratio often enough. */
static void intervals_hold_the_truth(void **state)
{
	enum { TRIALS = 300 };
	static const struct stream kinds[] = {
		{ "chance", 20e6, false, 0, 5000, 0.8 },
		{ "period", 50e6, true, 0, 5000, 0.3 },
		{ "bursts", 200e6, false, 4, 5000, 0.8 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		unsigned int held[BLOCKS_MEASURES] = { 0 };

		for (uint64_t seed = 1; seed <= TRIALS; seed++) {
			struct stream longer = kinds[i];
			struct compared compared;
			struct random_state random;

			longer.mean_ns *= 1.5;
			prepare(&compared, 20, 30, seed);
			open_rows(&compared, &kinds[i], 1);
			assert_int_equal(compared_open_blocks(&compared), 0);
			random_seed(&random, seed);
			play(&compared, 0, &kinds[i], &random);
			play(&compared, 1, &longer, &random);
			for (unsigned int j = 0; j < BLOCKS_MEASURES; j++) {
				double truth = j == BLOCKS_RATE ? 1 : 1.5;
				struct compared_source *source = compared.sources;
				struct blocks_interval intervals[BLOCKS_MEASURES];

				assert_int_equal(blocks_intervals(&source->side[0].blocks,
						&source->side[1].blocks, LEVEL, 400, &random,
						intervals), 0);
				held[j] += intervals[j].low <= truth * (1 + 1e-3) &&
					   truth * (1 - 1e-3) <= intervals[j].high;
			}
			compared_free(&compared);
		}
		printf("%s: rate in %.1f %%, mean in %.1f %%, total in %.1f %% of intervals\n",
		       kinds[i].name, held[0] * 100.0 / TRIALS, held[1] * 100.0 / TRIALS,
		       held[2] * 100.0 / TRIALS);
		for (unsigned int j = 0; j < BLOCKS_MEASURES; j++)
			assert_true(held[j] >= 0.91 * TRIALS);
	}
}

static void expect_near(double value, double expected, double error)
{
	if (fabs(value - expected) > error)
		fail_msg("%.9f, not %.9f", value, expected);
}

/* The expected values are those of printed tables. */
static void distributions_are_those_of_the_tables(void **state)
{
	double low, high;

	(void)state;
	expect_near(exact_student(19, 0.95), 2.093024, 1e-5);
	expect_near(exact_student(1, 0.95), 12.706205, 1e-3);
	expect_near(exact_student(4, 0.99), 4.604095, 1e-5);
	/* The lady tasting tea: 3 of 4 cups right; 17 of 70 choices are as good. */
	expect_near(exact_fisher(8, 4, 4, 3), 2 * 17 / 70.0, 1e-12);
	expect_near(exact_fisher(64, 10, 32, 0), 2 * exp(lgamma(33) - lgamma(23) - lgamma(65) +
		    lgamma(55)), 1e-12);
	expect_near(exact_binomial(10, 0, 0.5), 1 / 1024.0, 1e-12);
	expect_near(exact_binomial(10, 5, 0.5), 638 / 1024.0, 1e-12);
	exact_binomial_interval(10, 0, 0.95, &low, &high);
	expect_near(low, 0, 0);
	expect_near(high, 1 - pow(0.025, 0.1), 1e-9);
	exact_binomial_interval(20, 5, 0.95, &low, &high);
	expect_near(low, 0.086571, 1e-5);
	expect_near(high, 0.491046, 1e-5);
}

static void steps_are_holms(void **state)
{
	struct holm some[] = { { 0.03, 0, 0 }, { 0.01, 0, 0 }, { 0.04, 0, 0 } };
	struct holm rare[] = {
		{ 0.02, 0, 0 }, { 0.5, 0.5, 0 }, { 0.6, 0.2, 0 }, { 1, 1, 0 }, { 0.3, 0.03, 0 },
	};

	(void)state;
	assert_int_equal(holm_adjust(some, 3, 0.95), 3);
	expect_near(some[1].adjusted, 0.03, 1e-12);
	expect_near(some[0].adjusted, 0.06, 1e-12);
	expect_near(some[2].adjusted, 0.06, 1e-12);
	/* With a factor of 2, only one can be significant.  The others do not raise the factor. */
	assert_int_equal(holm_adjust(rare, 5, 0.95), 2);
	expect_near(rare[0].adjusted, 0.04, 1e-12);
	expect_near(rare[4].adjusted, 1, 0);
	assert_int_equal(holm_adjust(rare, 0, 0.95), 1);
}

/* A block is a whole number of periods.  A window that is a whole number of blocks loses none. */
static void blocks_fit_the_period(void **state)
{
	double block_ns = 312e6;

	(void)state;
	assert_int_equal(blocks_fit(10e9, 10e9, 0, &block_ns), 32);
	assert_int_equal(blocks_fit(10e9, 10e9, 100e6, &block_ns), 33);
	expect_near(block_ns, 300e6, 1);
	assert_int_equal(blocks_fit(10e9, 10e9, 1e9, &block_ns), 10);
	expect_near(block_ns, 1e9, 1);
	block_ns = 312.5e6;
	assert_int_equal(blocks_fit(10e9, 10e9, 2e9, &block_ns), 32);
	expect_near(block_ns, 312.5e6, 1);
}

/* With an argument, only the exact tests run, which are fast. */
int main(int argc, char **argv)
{
	const struct CMUnitTest exact[] = {
		cmocka_unit_test(distributions_are_those_of_the_tables),
		cmocka_unit_test(steps_are_holms),
		cmocka_unit_test(blocks_fit_the_period),
	};
	const struct CMUnitTest simulated[] = {
		cmocka_unit_test(intervals_hold_the_truth),
		cmocka_unit_test(same_length_and_same),
		cmocka_unit_test(other_length_and_same),
		cmocka_unit_test(what_was_changed_is_found),
	};
	int failed = cmocka_run_group_tests(exact, NULL, NULL);

	(void)argv;
	return argc > 1 ? failed : failed + cmocka_run_group_tests(simulated, NULL, NULL);
}
