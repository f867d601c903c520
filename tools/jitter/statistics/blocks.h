/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a source did in a recording, cut into blocks of time, and whether two such
 * are alike.
 *
 * Stage: between the joined interruptions and `evtlog jitter diff`.  Knows neither
 * files nor tasks.
 *
 * What a source does now depends on what it did a moment ago: it is periodic, or
 * comes in bursts.  Blocks longer than that can change places without anybody being
 * able to tell, which is all that both the bootstrap and the permutation test ask
 * for.  A block is all CPUs in the same time, as they depend on each other.  For a
 * periodic source it is a whole number of periods: else the joints of a resampled
 * recording make stays that were never there, or lose some.
 */
#ifndef EVTLOG_JITTER_STATISTICS_BLOCKS_H
#define EVTLOG_JITTER_STATISTICS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "random.h"

/*
 * @block_ns:	a block's length
 * @cpu_s:	CPU time in a block of which the log knows
 * @stays, @totals: of each block: how often, and ns in all
 */
struct blocks {
	size_t count;
	double block_ns;
	double cpu_s;
	double *intervals;
	double *totals;
};

enum blocks_measure {
	BLOCKS_RATE,		/* stays per second of a CPU */
	BLOCKS_MEAN,		/* ns of a stay */
	BLOCKS_TOTAL,		/* ns per second of a CPU */
	BLOCKS_MEASURES
};

/* Of B to A, as a factor; HUGE_VAL if B has what A has not. */
struct blocks_interval {
	double low;
	double high;
};

/*
 * The number of blocks of @block_ns in @window_ns; for a source with a period
 * @block_ns becomes a multiple of it.  @least_ns: the shorter window of both.
 */
size_t blocks_fit(double window_ns, double least_ns, double period_ns, double *block_ns);

/* 0 or -ENOMEM; blocks_free() what it gives. */
int blocks_new(struct blocks *blocks, size_t count, double block_ns, double cpu_s);
void blocks_free(struct blocks *blocks);
/* What comes behind the last whole block is not taken. */
void blocks_add(struct blocks *blocks, double at_ns, double length_ns);

/* Blocks that have a stay. */
size_t blocks_occupied(const struct blocks *blocks);

/*
 * blocks_intervals() - what B is to A, in each measure
 * @level:	0.95, say
 *
 * By bootstrap over blocks; a source that is in few blocks, by Clopper and Pearson's
 * exact interval for the rate, and [0, HUGE_VAL] for what can't be known.
 * Returns 0 or -ENOMEM.
 */
int blocks_intervals(const struct blocks *a, const struct blocks *b, double level,
		     unsigned int replicates, struct random_state *random,
		     struct blocks_interval intervals[BLOCKS_MEASURES]);

/*
 * blocks_attainable() - the least p that blocks_rate_p() can give with as many
 * occupied blocks as there are; it does not depend on which they are
 */
double blocks_attainable(const struct blocks *a, const struct blocks *b);

/* Whether both come in enough blocks that their means can be compared. */
bool blocks_has_means(const struct blocks *a, const struct blocks *b);

/*
 * blocks_p() - how likely it is, both being alike, that they differ so in their rate
 * and mean, to either side
 * @p:		by BLOCKS_RATE and BLOCKS_MEAN; the mean's is 1 if one has too few
 *
 * By exchanging blocks between A and B at random, and exactly for a source that is in
 * few of them (Fisher's test on blocks: of rare ones, that is the conditional Poisson
 * test, but it is not led astray by bursts).  Returns 0 or -ENOMEM.
 */
int blocks_p(const struct blocks *a, const struct blocks *b, unsigned int permutations,
	     struct random_state *random, double p[2]);

#endif /* EVTLOG_JITTER_STATISTICS_BLOCKS_H */
