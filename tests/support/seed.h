/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the initial state of a test's random numbers from SEED, and prints SEED.
 *
 * Test programs in C call it once, before the first xorshift().
 */
#ifndef EVTLOG_TESTS_SUPPORT_SEED_H
#define EVTLOG_TESTS_SUPPORT_SEED_H

#include <stdio.h>
#include <stdlib.h>

#include "xorshift.h"

static inline uint64_t seed_state(void)
{
	const char *given = getenv("SEED");
	uint64_t seed = given ? strtoull(given, NULL, 0) : 1;
	uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;

	printf("SEED=%llu\n", (unsigned long long)seed);
	fflush(stdout);
	/* Small seeds have few bits. */
	for (int i = 0; i < 16; i++)
		xorshift(&state);
	return state;
}

#endif /* EVTLOG_TESTS_SUPPORT_SEED_H */
