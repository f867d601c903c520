/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The intervals of a source in a recording, counted in blocks of time, and tests whether two
 * recordings of it differ.
 *
 * Stage: between the joined interruptions and `evtlog jitter diff`. It uses no files or tasks.
 *
 * The intervals of a source depend on each other: a source is periodic or comes in bursts. The
 * bootstrap and the permutation test need blocks that can be exchanged, so a block must be longer
 * than these dependences. A block contains all CPUs at the same time, since CPUs depend on each
 * other. The block of a periodic source is a whole number of periods; otherwise the joints of a
 * resampled recording would add or remove intervals.
 */
#ifndef EVTLOG_JITTER_STATISTICS_BLOCKS_H
#define EVTLOG_JITTER_STATISTICS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probability.h"

/*
 * @block_ns:	length of a block
 * @cpu_s:	CPU time in a block, without gaps
 * @intervals, @totals: of each block: number of intervals, and their sum in ns
 */
struct blocks {
	size_t count;
	double block_ns;
	double cpu_s;
	double *intervals;
	double *totals;
};

enum blocks_measure {
	BLOCKS_RATE,		/* intervals per second of CPU time */
	BLOCKS_MEAN,		/* ns per interval */
	BLOCKS_TOTAL,		/* ns per second of CPU time */
	BLOCKS_MEASURES
};

/* The ratio of B to A; HUGE_VAL if the source is in B only. */
struct blocks_interval {
	double low;
	double high;
};

/*
 * Returns the number of blocks in @window_ns. If the source has a period, @block_ns is rounded to
 * a multiple of it. @least_ns: the shorter of both recordings' windows.
 */
size_t blocks_fit(double window_ns, double least_ns, double period_ns, double *block_ns);

/* Returns 0 or -ENOMEM; free with blocks_free(). */
int blocks_new(struct blocks *blocks, size_t count, double block_ns, double cpu_s);
void blocks_free(struct blocks *blocks);
/* Intervals after the last whole block are ignored. */
void blocks_add(struct blocks *blocks, double at_ns, double length_ns);

/* The number of blocks that have an interval. */
size_t blocks_occupied(const struct blocks *blocks);

/*
 * blocks_intervals() - confidence intervals of the ratio of B to A, for each measure
 * @level:	such as 0.95
 *
 * Uses the bootstrap over blocks. If the source is in few blocks, the rate has the exact interval
 * of Clopper and Pearson, and the other measures have [0, HUGE_VAL]. Returns 0 or -ENOMEM.
 */
int blocks_intervals(const struct blocks *a, const struct blocks *b, double level,
		     unsigned int replicates, struct random_state *random,
		     struct blocks_interval intervals[BLOCKS_MEASURES]);

/*
 * blocks_attainable() - least p-value of the rate that blocks_p() can return for this number of
 * occupied blocks, whichever blocks they are
 */
double blocks_attainable(const struct blocks *a, const struct blocks *b);

/* Returns true if A and B each occupy enough blocks to compare their means. */
bool blocks_has_means(const struct blocks *a, const struct blocks *b);

/*
 * blocks_p() - two-sided p-values of the differences in rate and mean
 * @p:		by BLOCKS_RATE and BLOCKS_MEAN; 1 for the mean if A or B has too few blocks
 *
 * Exchanges blocks between A and B at random. A source in few blocks has Fisher's exact test on
 * blocks: for rare sources this is the conditional Poisson test, but bursts do not mislead it.
 * Returns 0 or -ENOMEM.
 */
int blocks_p(const struct blocks *a, const struct blocks *b, unsigned int permutations,
	     struct random_state *random, double p[2]);

#endif /* EVTLOG_JITTER_STATISTICS_BLOCKS_H */
