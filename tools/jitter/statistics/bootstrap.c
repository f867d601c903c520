// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Confidence intervals of what a source is in B to what it was in A.
 *
 * Stage: between a source's blocks and `evtlog jitter diff`.  It decides nothing:
 * permutation.c's tests do, whose level is exact.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "exact-tests.h"

/* In fewer blocks than that of a recording, what resampling can tell is too sure. */
#define OCCUPIED_LEAST	6

struct sums {
	double intervals;
	double total;
	double cpu_s;
};

/*
 * One block less than there are: as many would vary by less than the recording does,
 * by the factor (n - 1) / n (the rescaled bootstrap of Rao and Wu).
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

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void between(double *values, size_t count, double level,
		    struct blocks_interval *interval)
{
	size_t outside = floor(count * (1 - level) / 2);

	qsort(values, count, sizeof(*values), by_value);
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

/* Of as many blocks as there are with it, B's share tells the ratio of the rates. */
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
