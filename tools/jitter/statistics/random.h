/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers that depend only on a seed, on any machine.
 *
 * Not for secrets.
 */
#ifndef EVTLOG_JITTER_STATISTICS_RANDOM_H
#define EVTLOG_JITTER_STATISTICS_RANDOM_H

#include <stdint.h>

/* Blackman and Vigna's xoshiro256**. */
struct random_state {
	uint64_t s[4];
};

void random_seed(struct random_state *random, uint64_t seed);
uint64_t random_next(struct random_state *random);
/* A uniform number below @bound; @bound > 0. */
uint64_t random_below(struct random_state *random, uint64_t bound);
/* In [0, 1). */
double random_unit(struct random_state *random);

#endif /* EVTLOG_JITTER_STATISTICS_RANDOM_H */
