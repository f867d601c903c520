// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples: which hit is next, and what its record weighs.
 *
 * Called from a probe, interrupts off, so that nothing here may be traced or call what may.
 */
#include <linux/compiler.h>
#include <linux/string.h>

#include "sample/sample.h"

/* So long after an interval the choice among many hits has become one among half as many. */
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

/* 0 to @n - 1; more probable than another by 2^-32 at most.  A stub has the same code. */
static u32 place_below(struct evtlog_sample_state *state, u32 n)
{
	state->random = state->random * EVTLOG_SAMPLE_LCG_A + EVTLOG_SAMPLE_LCG_C;
	return (state->random >> 32) * n >> 32;
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
	state->place = s->every - 1;
	if (s->kind == EVTLOG_SAMPLE_TIME)
		evtlog_sample_restart(state);
	else
		evtlog_sample_draw(s, state, 0, 0);
}

/**
 * evtlog_sample_restart() - of TIME: the next hit is recorded
 * @state:	of a CPU
 */
void evtlog_sample_restart(struct evtlog_sample_state *state)
{
	WRITE_ONCE(state->left, 1);
	WRITE_ONCE(state->due, 0);
}

/* One of @span hits from this one on; is it this one? */
static bool choose_hit(struct evtlog_sample_state *state, u64 span)
{
	state->span = span < 1 ? 1 : span < ~0U ? span : ~0U;
	state->left = place_below(state, state->span);
	return !state->left;
}

/*
 * The first hit behind the interval; or one that comes when @left hits have not come for long, as
 * hits have become rare: of half as many, again and again.  How many come in an interval is what the
 * last ones had, and what this one has had at least: were it its own alone, a few hits before a
 * pause would make the one behind it probable.
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
 * evtlog_sample_draw() - find out which hit is recorded next
 * @s:		how; of KEY nothing is done
 * @state:	of this CPU
 * @passed:	of TIME: hits of this CPU that were not recorded, ever
 * @now:	of TIME: the clock
 *
 * By count each N hits are a stratum, of which any one is taken: of hits that come in a pattern
 * that is as long as N not always the same part is.
 *
 * By count and probability it is called when a hit is recorded, by time when one comes from @late
 * on.
 *
 * Return: by time: is this hit recorded?
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
 * evtlog_sample_is_due() - by time: is this hit recorded?  A stub has the same code
 * @s:		how
 * @state:	of this CPU
 * @passed:	hits of this CPU that were not recorded, ever
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
		state->late = state->due;
		state->left = ~0ULL;
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
 * Both halves of a product, so that all bits of the key are in all of the word, and once more a
 * product, whose upper bits decide.  A stub has the same code.  With the seed known, keys can be made that are recorded, or that are not: where that matters the
 * seed is to be secret.
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
