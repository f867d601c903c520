// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does units of work.
 *
 * Stage: in the benchmark, of fixed work and fixed time.
 */
#include "units.h"

/* Some 100 ns */
#define UNIT_STEPS	64

uint64_t units_do(uint64_t seed, uint64_t units)
{
	for (uint64_t i = 0; i < units * UNIT_STEPS; i++) {
		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		/* Each step is done, and none is known before. */
		asm volatile("" : "+r" (seed));
	}
	return seed;
}
