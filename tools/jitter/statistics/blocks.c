// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The intervals of one source in a recording, counted in blocks of time.
 *
 * Stage: between the joined interruptions and `evtlog jitter diff`. The first part only counts;
 * the confidence intervals and tests follow.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "lib/base/array.h"

/* A period that fits into the window fewer times than this is ignored: the source is rare. */
#define BLOCKS_PERIODS_LEAST	8

size_t blocks_fit(double window_ns, double least_ns, double period_ns, double *block_ns)
{
	if (period_ns > 0 && period_ns * BLOCKS_PERIODS_LEAST <= least_ns) {
		double periods = round(*block_ns / period_ns);

		*block_ns = (periods < 1 ? 1 : periods) * period_ns;
	}
	/* Rounding must not drop a block if the window is a whole number of blocks. */
	return floor(window_ns / *block_ns * (1 + 1e-12));
}

int blocks_new(struct blocks *blocks, size_t count, double block_ns, double cpu_s)
{
	*blocks = (struct blocks){ .count = count, .block_ns = block_ns, .cpu_s = cpu_s };
	blocks->intervals = calloc(count, sizeof(*blocks->intervals));
	blocks->totals = calloc(count, sizeof(*blocks->totals));
	if (!blocks->intervals || !blocks->totals) {
		blocks_free(blocks);
		return -ENOMEM;
	}
	return 0;
}

void blocks_free(struct blocks *blocks)
{
	free(blocks->intervals);
	free(blocks->totals);
	*blocks = (struct blocks){ 0 };
}

void blocks_add(struct blocks *blocks, double at_ns, double length_ns)
{
	double block = floor(at_ns / blocks->block_ns);

	if (!(block >= 0 && block < blocks->count))
		return;
	blocks->intervals[(size_t)block]++;
	blocks->totals[(size_t)block] += length_ns;
}

size_t blocks_occupied(const struct blocks *blocks)
{
	size_t occupied = 0;

	for (size_t i = 0; i < blocks->count; i++)
		occupied += blocks->intervals[i] > 0;
	return occupied;
}

/* ---- Confidence intervals of the ratio of B to A ---- */

/* With fewer occupied blocks, the intervals of the bootstrap are too narrow. */
#define OCCUPIED_LEAST	6

struct sums {
	double intervals;
	double total;
	double cpu_s;
};

/*
 * Draws one block less than the recording has: with n blocks, the variance would be too small by
 * the factor (n - 1) / n (the rescaled bootstrap of Rao and Wu).
 */
static struct sums resample(const struct blocks *blocks, struct random_state *random)
{
	struct sums sums = { .cpu_s = (blocks->count - 1) * blocks->cpu_s };

	for (size_t i = 1; i < blocks->count; i++) {
		size_t block = random_below(random, blocks->count);

		sums.intervals += blocks->intervals[block];
		sums.total += blocks->totals[block];
	}
	return sums;
}

static double ratio(double b, double a)
{
	return a > 0 ? b / a : b > 0 ? HUGE_VAL : NAN;
}

static void between(double *values, size_t count, double level,
		    struct blocks_interval *interval)
{
	size_t outside = floor(count * (1 - level) / 2);

	qsort(values, count, sizeof(*values), array_by_double);
	if (count && outside < count) {
		interval->low = values[outside];
		interval->high = values[count - 1 - outside];
	}
}

static int bootstrap(const struct blocks *a, const struct blocks *b, double level,
		     unsigned int replicates, struct random_state *random,
		     struct blocks_interval intervals[BLOCKS_MEASURES])
{
	double *values[BLOCKS_MEASURES];
	size_t known[BLOCKS_MEASURES] = { 0 };

	values[0] = malloc(BLOCKS_MEASURES * (size_t)replicates * sizeof(*values[0]));
	if (!values[0])
		return -ENOMEM;
	for (unsigned int i = 1; i < BLOCKS_MEASURES; i++)
		values[i] = values[0] + (size_t)i * replicates;
	for (unsigned int i = 0; i < replicates; i++) {
		struct sums x = resample(a, random), y = resample(b, random);
		double ratios[] = {
			[BLOCKS_RATE] = ratio(y.intervals / y.cpu_s, x.intervals / x.cpu_s),
			[BLOCKS_MEAN] = x.intervals && y.intervals ?
				ratio(y.total / y.intervals, x.total / x.intervals) : NAN,
			[BLOCKS_TOTAL] = ratio(y.total / y.cpu_s, x.total / x.cpu_s),
		};

		for (unsigned int j = 0; j < BLOCKS_MEASURES; j++)
			if (!isnan(ratios[j]))
				values[j][known[j]++] = ratios[j];
	}
	for (unsigned int j = 0; j < BLOCKS_MEASURES; j++)
		between(values[j], known[j], level, &intervals[j]);
	free(values[0]);
	return 0;
}

/* The ratio of the rates follows from B's share of all blocks in which the source occurs. */
static void exact_rate(const struct blocks *a, const struct blocks *b, double level,
		       struct blocks_interval *interval)
{
	size_t in_a = blocks_occupied(a), in_b = blocks_occupied(b);
	double odds = a->cpu_s * a->count / (b->cpu_s * b->count), low, high;

	if (!in_a && !in_b)
		return;
	exact_binomial_interval(in_a + in_b, in_b, level, &low, &high);
	interval->low = low / (1 - low) * odds;
	interval->high = high < 1 ? high / (1 - high) * odds : HUGE_VAL;
}

int blocks_intervals(const struct blocks *a, const struct blocks *b, double level,
		     unsigned int replicates, struct random_state *random,
		     struct blocks_interval intervals[BLOCKS_MEASURES])
{
	for (unsigned int i = 0; i < BLOCKS_MEASURES; i++)
		intervals[i] = (struct blocks_interval){ 0, HUGE_VAL };
	if (!a->count || !b->count)
		return 0;
	if (blocks_occupied(a) < OCCUPIED_LEAST || blocks_occupied(b) < OCCUPIED_LEAST) {
		exact_rate(a, b, level, &intervals[BLOCKS_RATE]);
		return 0;
	}
	return bootstrap(a, b, level, replicates, random, intervals);
}

/* ---- Permutation tests: the probability of such a difference between equal recordings ---- */

/*
 * If A and B are alike, each assignment of the blocks to A and B is as likely as the observed
 * one. This needs no assumption about the distribution of lengths, and holds for any number of
 * blocks.
 */

/* Up to this number of occupied blocks, the test is exact. */
#define EXACT_MOST	12
/*
 * The test ends when both tails have this many hits: more permutations would not make p more
 * precise (Besag and Clifford).
 */
#define ENOUGH		200
/* The means are compared only if A and B each have this many occupied blocks. */
#define MEAN_LEAST	3

/* A block's share of a ratio: numerator and denominator. */
struct dealt {
	double part;
	double of;
};

/*
 * Assigns the blocks anew, @first of them to A, at most @permutations times. Returns the
 * two-sided p-value of the observed difference between A and B.
 */
static double deal(struct dealt *dealt, size_t count, size_t first, unsigned int permutations,
		   struct random_state *random)
{
	double part = 0, of = 0, there = 0, there_of = 0, now;
	uint64_t as_low = 1, as_high = 1, tried = 1;

	for (size_t i = 0; i < count; i++) {
		part += dealt[i].part;
		of += dealt[i].of;
		if (i < first) {
			there += dealt[i].part;
			there_of += dealt[i].of;
		}
	}
	/* The ratio in A minus the ratio in B. */
	now = there / there_of - (part - there) / (of - there_of);
	while (tried <= permutations && (as_low < ENOUGH || as_high < ENOUGH)) {
		double a = 0, a_of = 0, drawn, slack;

		for (size_t j = 0; j < first; j++) {
			size_t other = j + random_below(random, count - j);
			struct dealt swap = dealt[other];

			dealt[other] = dealt[j];
			dealt[j] = swap;
			a += swap.part;
			a_of += swap.of;
		}
		drawn = a / a_of - (part - a) / (of - a_of);
		/* The sum of the same blocks in another order can differ in the last digit. */
		slack = 1e-9 * (fabs(now) + part / of);
		as_low += drawn <= now + slack;
		as_high += drawn >= now - slack;
		tried++;
	}
	return fmin(1, 2.0 * (as_low < as_high ? as_low : as_high) / tried);
}

static void take(struct dealt *dealt, size_t *count, const struct blocks *blocks,
		 enum blocks_measure measure)
{
	for (size_t i = 0; i < blocks->count; i++) {
		if (measure == BLOCKS_RATE)
			dealt[(*count)++] = (struct dealt){ blocks->intervals[i], blocks->cpu_s };
		else if (blocks->intervals[i] > 0)
			dealt[(*count)++] =
				(struct dealt){ blocks->totals[i], blocks->intervals[i] };
	}
}

/* @dealt: has room for the blocks of A and B. */
static double deal_out(struct dealt *dealt, const struct blocks *a, const struct blocks *b,
		       enum blocks_measure measure, unsigned int permutations,
		       struct random_state *random)
{
	size_t count = 0, first;

	/* Draw the smaller side, which is faster; the two-sided p-value is the same. */
	if (b->count < a->count) {
		const struct blocks *swap = a;

		a = b;
		b = swap;
	}
	take(dealt, &count, a, measure);
	first = count;
	take(dealt, &count, b, measure);
	return deal(dealt, count, first, permutations, random);
}

double blocks_attainable(const struct blocks *a, const struct blocks *b)
{
	size_t all = a->count + b->count;
	size_t occupied = blocks_occupied(a) + blocks_occupied(b);
	size_t most = occupied < a->count ? occupied : a->count;
	size_t least = occupied < b->count ? 0 : occupied - b->count;

	if (!occupied)
		return 1;
	/* With so many blocks, the test counts intervals per block and can reach any p. */
	if (occupied > EXACT_MOST)
		return 0;
	return fmin(exact_fisher(all, occupied, a->count, most),
		    exact_fisher(all, occupied, a->count, least));
}

bool blocks_has_means(const struct blocks *a, const struct blocks *b)
{
	return blocks_occupied(a) >= MEAN_LEAST && blocks_occupied(b) >= MEAN_LEAST;
}

int blocks_p(const struct blocks *a, const struct blocks *b, unsigned int permutations,
	     struct random_state *random, double p[2])
{
	size_t in_a = blocks_occupied(a), in_b = blocks_occupied(b);
	struct dealt *dealt;

	p[BLOCKS_RATE] = p[BLOCKS_MEAN] = 1;
	if (!a->count || !b->count)
		return 0;
	dealt = malloc((a->count + b->count) * sizeof(*dealt));
	if (!dealt)
		return -ENOMEM;
	/* If one side has no interval, only the number of occupied blocks matters. */
	if (!in_a || !in_b || in_a + in_b <= EXACT_MOST)
		p[BLOCKS_RATE] = exact_fisher(a->count + b->count, in_a + in_b, a->count, in_a);
	else
		p[BLOCKS_RATE] = deal_out(dealt, a, b, BLOCKS_RATE, permutations, random);
	if (blocks_has_means(a, b))
		p[BLOCKS_MEAN] = deal_out(dealt, a, b, BLOCKS_MEAN, permutations, random);
	free(dealt);
	return 0;
}
