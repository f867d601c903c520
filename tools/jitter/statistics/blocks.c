// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a source did in a recording, block by block.
 *
 * Stage: between the joined interruptions and `evtlog jitter diff`.  It compares
 * nothing: bootstrap.c and permutation.c do.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "blocks.h"

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
