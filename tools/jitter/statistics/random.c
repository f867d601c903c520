// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random numbers that depend only on a seed, on any machine.
 *
 * Not for secrets.
 */
#include "random.h"

static uint64_t rotate(uint64_t x, unsigned int by)
{
	return x << by | x >> (64 - by);
}

/* splitmix64: similar seeds give very different states. */
void random_seed(struct random_state *random, uint64_t seed)
{
	for (unsigned int i = 0; i < 4; i++) {
		uint64_t z = seed += 0x9e3779b97f4a7c15ULL;

		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
		z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
		random->s[i] = z ^ z >> 31;
	}
}

uint64_t random_next(struct random_state *random)
{
	uint64_t *s = random->s;
	uint64_t result = rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate(s[3], 45);
	return result;
}

uint64_t random_below(struct random_state *random, uint64_t bound)
{
	unsigned __int128 product = (unsigned __int128)random_next(random) * bound;

	/* Lemire: reject the low halves that would make some values more likely. */
	if ((uint64_t)product < bound) {
		uint64_t least = -bound % bound;

		while ((uint64_t)product < least)
			product = (unsigned __int128)random_next(random) * bound;
	}
	return product >> 64;
}

double random_unit(struct random_state *random)
{
	return (random_next(random) >> 11) * 0x1p-53;
}
