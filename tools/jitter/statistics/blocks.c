// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a source did in a recording, block by block.
 *
 * Stage: between the joined interruptions and `evtlog jitter diff`.  It compares
 * nothing by itself: intervals and tests, below, do.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "exact-tests.h"

/* With fewer blocks, a source that is periodic by as much is a rare one. */
#define BLOCKS_PERIODS_LEAST	8

size_t blocks_fit(double window_ns, double least_ns, double period_ns, double *block_ns)
{
	if (period_ns > 0 && period_ns * BLOCKS_PERIODS_LEAST <= least_ns) {
		double periods = round(*block_ns / period_ns);

		*block_ns = (periods < 1 ? 1 : periods) * period_ns;
	}
	/* A window that is a whole number of blocks must not lose one by rounding. */
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

/* ---- Confidence intervals of what a source is in B to what it was in A ---- */

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

/* ---- How likely two recordings of the same thing differ as much as these do ---- */

/*
 * Were A and B alike, no block could tell which of them it came from, so all ways of
 * dealing the blocks out are as likely as the one that is there.  That needs no
 * distribution of lengths and holds for few blocks as for many.
 */

/* So many occupied blocks, and fewer: all ways are counted rather than tried. */
#define EXACT_MOST	12
/*
 * When so many were as far to the side that is the rarer, it is no matter of chance how
 * likely that is: so many by how many it took (Besag and Clifford).
 */
#define ENOUGH		200
/* Each side must have that many for its mean to be compared. */
#define MEAN_LEAST	3

/* Of one block: how much, of how much. */
struct dealt {
	double part;
	double of;
};

/*
 * Deals @dealt out anew, @first to A, @permutations times at most; @as_low, @as_high: how often A's
 * share comes out as low, or as high, as it is now.
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
	/* A's part over A's whole, less B's part over B's whole. */
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
		/* The same blocks in another order sum up to another last digit. */
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

/* @dealt: room for the blocks of both. */
static double deal_out(struct dealt *dealt, const struct blocks *a, const struct blocks *b,
		       enum blocks_measure measure, unsigned int permutations,
		       struct random_state *random)
{
	size_t count = 0, first;

	/* Fewer are drawn faster; to either side it is the same question. */
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
	/* By how often they have it, many can differ by as much as chance can tell. */
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
	/* With none on one side, which blocks have it is all there is to know. */
	if (!in_a || !in_b || in_a + in_b <= EXACT_MOST)
		p[BLOCKS_RATE] = exact_fisher(a->count + b->count, in_a + in_b, a->count, in_a);
	else
		p[BLOCKS_RATE] = deal_out(dealt, a, b, BLOCKS_RATE, permutations, random);
	if (blocks_has_means(a, b))
		p[BLOCKS_MEAN] = deal_out(dealt, a, b, BLOCKS_MEAN, permutations, random);
	free(dealt);
	return 0;
}
