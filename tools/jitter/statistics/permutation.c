// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How likely two recordings of the same thing differ as much as these do.
 *
 * Stage: between a source's blocks and `evtlog jitter diff`.
 *
 * Were A and B alike, no block could tell which of them it came from, so all ways of
 * dealing the blocks out are as likely as the one that is there.  That needs no
 * distribution of lengths and holds for few blocks as for many.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "blocks.h"
#include "exact-tests.h"

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
