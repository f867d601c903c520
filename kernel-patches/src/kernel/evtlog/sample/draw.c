// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples: which hit is next, and what its record weighs.
 *
 * Called from a probe, interrupts off, so that nothing here may be traced or call what may.
 */
#include <linux/string.h>

#include "sample/sample.h"

static u64 mix(u64 z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014 */
static u64 next_random(struct evtlog_sample_state *state)
{
	state->random += 0x9e3779b97f4a7c15ULL;
	return mix(state->random);
}

/* 1 to @n; more probable than another by 2^-32 at most. */
static u32 place_below(struct evtlog_sample_state *state, u32 n)
{
	return ((next_random(state) >> 32) * n >> 32) + 1;
}

/*
 * Hits that pass before one that is recorded with probability p: a geometric number, whose binary
 * digits are independent of each other; digit k is 1 with q^(2^k) / (1 + q^(2^k)), q = 1 - p
 * (Marsaglia, "Random variables with independent binary digits", 1971).
 */
static u64 geometric(const struct evtlog_sample *s, struct evtlog_sample_state *state)
{
	u64 number = 0;
	unsigned int k;

	for (k = 0; k < s->nr_digits; k++)
		number |= (u64)(next_random(state) < s->digits[k]) << k;
	return number;
}

/**
 * evtlog_sample_begin() - before a CPU's first hit
 * @s:		how
 * @state:	of the CPU
 * @random:	where its random numbers begin: each CPU's should be another
 */
void evtlog_sample_begin(const struct evtlog_sample *s, struct evtlog_sample_state *state,
			 u64 random)
{
	*state = (struct evtlog_sample_state){ .random = random };
	state->place = s->every;
	evtlog_sample_draw(s, state);
}

/**
 * evtlog_sample_draw() - a hit is recorded: which one is the next
 * @s:		how; of COUNT or PROBABILITY, of others nothing is done
 * @state:	of this CPU
 *
 * By count each N hits are a stratum, of which any one is taken: of hits that come in a pattern
 * that is as long as N not always the same part is.
 */
void evtlog_sample_draw(const struct evtlog_sample *s, struct evtlog_sample_state *state)
{
	if (s->kind == EVTLOG_SAMPLE_COUNT) {
		u32 place = place_below(state, s->every);

		state->left = (u64)s->every - state->place + place;
		state->place = place;
	} else if (s->kind == EVTLOG_SAMPLE_PROBABILITY) {
		state->left = geometric(s, state) + 1;
	}
}

/**
 * evtlog_sample_weight() - how many hits the record that is written now stands for
 * @s:		how
 * @state:	of this CPU
 * @passed:	of TIME: hits of this CPU that were not recorded, ever
 * @now:	of TIME: the clock
 *
 * With a probability such as 0.3 it is 3 or 4, 3 1/3 on average.
 */
u64 evtlog_sample_weight(const struct evtlog_sample *s, struct evtlog_sample_state *state,
			 u64 passed, u64 now)
{
	u64 weight = s->weight;

	if (s->kind == EVTLOG_SAMPLE_TIME) {
		weight = passed - state->last + 1;
		state->last = passed;
		state->due = now + s->ticks;
	} else if (s->more) {
		weight += next_random(state) < s->more;
	}
	return weight;
}

/**
 * evtlog_sample_hash() - the hash that decides by key: recorded is up to @limit
 * @seed:	the same wherever the same is to be decided
 * @key:	bytes
 * @bytes:	of it; the last word is filled up with zeros
 *
 * MurmurHash3's finaliser up to its last step, which is for the lower bits; here the upper ones
 * decide.  A stub has the same code for eight bytes.  Whoever knows the seed can make keys that are
 * recorded, or that are not: where that matters the seed is to be one that nobody knows.
 */
u64 evtlog_sample_hash(u64 seed, const void *key, size_t bytes)
{
	const char *at = key;
	u64 hash = seed;

	for (;;) {
		u64 word = 0;

		memcpy(&word, at, bytes < sizeof(word) ? bytes : sizeof(word));
		hash ^= word;
		hash = (hash ^ (hash >> 32)) * EVTLOG_SAMPLE_FACTOR_1;
		hash = (hash ^ (hash >> 32)) * EVTLOG_SAMPLE_FACTOR_2;
		if (bytes <= sizeof(word))
			return hash;
		at += sizeof(word);
		bytes -= sizeof(word);
	}
}
