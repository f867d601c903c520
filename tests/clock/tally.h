/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts errors of times, and compares them with their bounds. Prints nothing.
 */
#ifndef TALLY_H
#define TALLY_H

#include <stdbool.h>
#include <stdint.h>

/* Over all checks, in ns */
struct tally {
	uint64_t checks;
	uint64_t outside;
	double error_sum;
	uint64_t error_max;
	double bound_sum;
	uint64_t bound_max;
};

/* Returns true if this is the first error beyond its bound. */
static inline bool tally_add(struct tally *tally, uint64_t error, uint64_t bound)
{
	tally->checks++;
	tally->error_sum += error;
	tally->bound_sum += bound;
	if (error > tally->error_max)
		tally->error_max = error;
	if (bound > tally->bound_max)
		tally->bound_max = bound;
	return error > bound && !tally->outside++;
}

#endif /* TALLY_H */
