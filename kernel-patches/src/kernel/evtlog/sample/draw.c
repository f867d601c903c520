// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples: chooses the next hit to record, and computes the weight of its record.
 *
 * Called from a probe, interrupts off.  So this code must not be traced, or call code that may be.
 */
#include <linux/string.h>

#include "sample/sample.h"

/* Intervals after which the choice among many hits becomes a choice among half as many */
#define LATE_INTERVALS	4

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

/* Returns 0 to @n - 1; the probabilities differ by 2^-32 at most.  A stub has the same code. */
static u32 place_below(struct evtlog_sample_state *state, u32 n)
{
	state->random = state->random * EVTLOG_SAMPLE_LCG_A + EVTLOG_SAMPLE_LCG_C;
	return (state->random >> 32) * n >> 32;
}

/*
 * Returns the number of hits before the next one that is recorded with probability p: a geometric
 * number, whose binary digits are independent.  With q = 1 - p, digit k is 1 with the probability
 * q^(2^k) / (1 + q^(2^k)) (Marsaglia, "Random variables with independent binary digits", 1971).
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
 * evtlog_sample_begin() - prepare a CPU's state before its first hit
 * @s:		the sample
 * @state:	of the CPU
 * @random:	start of its random numbers, should be different on each CPU
 */
void evtlog_sample_begin(const struct evtlog_sample *s, struct evtlog_sample_state *state,
			 u64 random)
{
	*state = (struct evtlog_sample_state){ .random = random };
	state->place = s->every - 1;
	if (s->kind == EVTLOG_SAMPLE_TIME)
		evtlog_sample_restart(state);
	else
		evtlog_sample_draw(s, state, 0, 0);
}

/**
 * evtlog_sample_restart() - TIME: record the next hit
 * @state:	of a CPU
 */
void evtlog_sample_restart(struct evtlog_sample_state *state)
{
	WRITE_ONCE(state->left, 1);
	WRITE_ONCE(state->due, 0);
}

/* Chooses one of @span hits, beginning with this one.  Returns true if it is this one. */
static bool choose_hit(struct evtlog_sample_state *state, u64 span)
{
	state->span = span < 1 ? 1 : span < ~0U ? span : ~0U;
	state->left = place_below(state, state->span);
	return !state->left;
}

/*
 * Chooses a hit at the first hit after the interval; and again, from half as many hits, if hits
 * became rare and @left hits have not come for a long time.  The number of hits in an interval is
 * estimated from the last intervals, and is at least the number in this interval.  With this
 * interval alone, a few hits before a pause would make the hit after the pause too probable.
 */
static bool choose(const struct evtlog_sample *s, struct evtlog_sample_state *state, u64 passed,
		 u64 now)
{
	u64 hits = passed - state->last + 1, span = state->span / 2;

	if (state->late == state->due)
		span = hits > state->span ? hits : (7 * state->span + hits) / 8;
	state->late = now + LATE_INTERVALS * s->ticks;
	return choose_hit(state, span);
}

/**
 * evtlog_sample_draw() - choose the next hit that is recorded
 * @s:		the sample; nothing is done for KEY
 * @state:	of this CPU
 * @passed:	TIME: number of this CPU's hits so far that were not recorded
 * @now:	TIME: the clock
 *
 * COUNT: each N hits are a stratum, from which any hit is chosen.  So if hits come in a pattern of
 * length N, not always the same part of the pattern is recorded.
 *
 * COUNT and PROBABILITY call this when a hit is recorded; TIME, when a hit comes from @late on.
 *
 * Return: TIME: true if this hit is recorded.
 */
bool evtlog_sample_draw(const struct evtlog_sample *s, struct evtlog_sample_state *state,
			u64 passed, u64 now)
{
	if (s->kind == EVTLOG_SAMPLE_TIME)
		return choose(s, state, passed, now);
	if (s->kind == EVTLOG_SAMPLE_COUNT) {
		u32 place = place_below(state, s->every);

		state->left = (u64)s->every - state->place + place;
		state->place = place;
	} else if (s->kind == EVTLOG_SAMPLE_PROBABILITY) {
		state->left = geometric(s, state) + 1;
	}
	return true;
}

/**
 * evtlog_sample_is_due() - TIME: return true if this hit is recorded.  A stub has the same code
 * @s:		the sample
 * @state:	of this CPU
 * @passed:	number of this CPU's hits so far that were not recorded
 * @now:	the clock
 */
bool evtlog_sample_is_due(const struct evtlog_sample *s, struct evtlog_sample_state *state,
			  u64 passed, u64 now)
{
	if (now < state->due)
		return false;
	if (!--state->left)
		return true;
	return now >= state->late && evtlog_sample_draw(s, state, passed, now);
}

/**
 * evtlog_sample_weight() - return the number of hits that the present record represents
 * @s:		the sample
 * @state:	of this CPU
 * @passed:	TIME: number of this CPU's hits so far that were not recorded
 * @now:	TIME: the clock
 *
 * With probability 0.3, for example, it is 3 or 4, and 3 1/3 on average.
 */
u64 evtlog_sample_weight(const struct evtlog_sample *s, struct evtlog_sample_state *state,
			 u64 passed, u64 now)
{
	u64 weight = s->weight;

	if (s->kind == EVTLOG_SAMPLE_TIME) {
		weight = passed - state->last + 1;
		state->last = passed;
		state->due = now + s->ticks;
		state->late = state->due;
		state->left = ~0ULL;
	} else if (s->more) {
		weight += next_random(state) < s->more;
	}
	return weight;
}

/**
 * evtlog_sample_hash() - KEY: compute the hash of a key, which is recorded if at most @limit
 * @seed:	equal seeds make the same choice
 * @key:	bytes
 * @bytes:	length of @key; the last word is padded with zeros
 *
 * Combines both halves of a product, so that all bits of the key affect all of the word.  A second
 * product follows, whose upper bits decide.  A stub has the same code.  If the seed is known, it is
 * possible to make keys that are recorded, or keys that are not.  Where this matters, the seed must
 * be secret.
 */
u64 evtlog_sample_hash(u64 seed, const void *key, size_t bytes)
{
	const char *at = key;
	u64 hash = seed;

	for (;;) {
		unsigned __int128 product;
		u64 word = 0;

		memcpy(&word, at, bytes < sizeof(word) ? bytes : sizeof(word));
		product = (unsigned __int128)(hash ^ word) * EVTLOG_SAMPLE_FACTOR_1;
		hash = ((u64)product ^ (u64)(product >> 64)) * EVTLOG_SAMPLE_FACTOR_2;
		if (bytes <= sizeof(word))
			return hash;
		at += sizeof(word);
		bytes -= sizeof(word);
	}
}
