/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers that a seed reproduces (splitmix64, Steele et al. 2014)
 */
#ifndef UNIT_RANDOM_H
#define UNIT_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state;
};

static inline uint64_t random_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static inline uint64_t random_next(struct random *r)
{
	return random_mix(r->state += 0x9e3779b97f4a7c15ULL);
}

/* From 0 to @n - 1; the bias of 2^-32 does not matter. */
static inline uint32_t random_below(struct random *r, uint32_t n)
{
	return (uint32_t)((random_next(r) >> 32) * n >> 32);
}

static inline int random_one_in(struct random *r, uint32_t n)
{
	return random_below(r, n) == 0;
}

#endif /* UNIT_RANDOM_H */
