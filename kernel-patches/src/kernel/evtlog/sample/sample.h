/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples: which hits of an event are recorded, and how many hits each record represents.
 *
 *	sample 1/N		by count: one of each N hits of a CPU, any with equal probability
 *	sample p=0.01		by probability: each hit independently
 *	sample 10ms		by time: at most one in 10 ms on each CPU
 *	sample 1/N by ARG	by key: all hits with one value of ARG or none, on all CPUs and hosts
 *	sample 1/N by ARG seed NUMBER	by key: other values
 *
 * By count, probability and key, the probability of a hit to be recorded is known, and the weight
 * of its record is 1 / probability (Horvitz and Thompson 1952): sums of weight x value are
 * unbiased.  By time, the weight is the number of hits since the last record of the CPU: sums of
 * weights are exact up to the last record.  A random hit after the interval is recorded: the first
 * one would too often be a hit after a pause, and too rarely a hit in a burst.
 *
 * Used by probes, but independent of probes and records.  tests/unit compiles parse.c and draw.c
 * unmodified in user space.
 */
#ifndef EVTLOG_SAMPLE_SAMPLE_H
#define EVTLOG_SAMPLE_SAMPLE_H

#include <linux/types.h>

#define EVTLOG_SAMPLE_EVERY_MAX		1000000000U
#define EVTLOG_SAMPLE_NS_MAX		(3600ULL * 1000000000)
#define EVTLOG_SAMPLE_DIGITS_MAX	40
/* Probabilities are parsed in units of 1 / EVTLOG_SAMPLE_P_ONE. */
#define EVTLOG_SAMPLE_P_ONE		1000000000U

/* All hosts choose the same keys, unless a seed is given. */
#define EVTLOG_SAMPLE_SEED		0x9e3779b97f4a7c15ULL

/* Factors of the hash: two odd numbers without a pattern.  Stubs have a copy of the hash. */
#define EVTLOG_SAMPLE_FACTOR_1		0xff51afd7ed558ccdULL
#define EVTLOG_SAMPLE_FACTOR_2		0xc4ceb9fe1a85ec53ULL

/*
 * Constants of the generator for COUNT, x * A + C; its upper 32 bits are used.  Stubs have a copy
 * of it.  A: Steele and Vigna, "Computationally easy, spectrally good multipliers", 2021.
 */
#define EVTLOG_SAMPLE_LCG_A		0xd1342543de82ef95ULL
#define EVTLOG_SAMPLE_LCG_C		0x2545f491U

enum evtlog_sample_kind {
	EVTLOG_SAMPLE_NONE,
	EVTLOG_SAMPLE_COUNT,
	EVTLOG_SAMPLE_PROBABILITY,
	EVTLOG_SAMPLE_TIME,
	EVTLOG_SAMPLE_KEY,
};

/**
 * struct evtlog_sample - the parameters of a sample
 * @kind:	by count, probability, time or key
 * @every:	COUNT, KEY: N, 1 to EVTLOG_SAMPLE_EVERY_MAX
 * @nano:	PROBABILITY: p in units of 1 / EVTLOG_SAMPLE_P_ONE, 1 to EVTLOG_SAMPLE_P_ONE
 * @weight:	of all records, or its minimum; not for TIME
 * @more:	PROBABILITY: 2^64 times the probability that a weight is one more
 * @digits, @nr_digits: PROBABILITY: 2^64 times the probability of each binary digit of the number
 *		of hits between two that are recorded
 * @interval_ns: TIME
 * @ticks:	TIME: the interval in units of the caller's clock; filled in by the caller
 * @seed:	KEY
 * @limit:	KEY: hits of a key are recorded if its hash is at most this
 * @by, @by_len: KEY: the argument's name, within the text
 */
struct evtlog_sample {
	enum evtlog_sample_kind kind;
	u32 every;
	u32 nano;
	u32 weight;
	u64 more;
	u64 digits[EVTLOG_SAMPLE_DIGITS_MAX];
	unsigned int nr_digits;
	u64 interval_ns;
	u64 ticks;
	u64 seed;
	u64 limit;
	const char *by;
	unsigned int by_len;
};

/**
 * struct evtlog_sample_state - state of a CPU; only that CPU changes it
 * @left:	hits until the next one that is recorded; TIME: only hits from @due on count
 * @due:	TIME: end of the interval
 * @late:	TIME: time from which @left is chosen again; @due: it is not chosen yet
 * @last:	TIME: value of @passed at the last record
 * @random:	of the generator
 * @span:	TIME: number of hits from which one is chosen
 * @place:	COUNT: the chosen hit's place among its N, 0 to N - 1
 */
struct evtlog_sample_state {
	u64 left;
	u64 due;
	u64 late;
	u64 last;
	u64 random;
	u64 span;
	u32 place;
};

/* Returns true if all weights are equal; evtlog_sample_weight() need not be called then. */
static inline bool evtlog_sample_weight_is_fixed(const struct evtlog_sample *s)
{
	return s->kind != EVTLOG_SAMPLE_TIME && !s->more;
}

/* Returns true if every hit is recorded. */
static inline bool evtlog_sample_takes_all(const struct evtlog_sample *s)
{
	return s->kind != EVTLOG_SAMPLE_TIME && s->weight == 1 && !s->more;
}

/* parse.c */
const char *evtlog_sample_parse(const char *text, struct evtlog_sample *s);

/* draw.c */
void evtlog_sample_begin(const struct evtlog_sample *s, struct evtlog_sample_state *state,
			 u64 random);
bool evtlog_sample_draw(const struct evtlog_sample *s, struct evtlog_sample_state *state,
			u64 passed, u64 now);
void evtlog_sample_restart(struct evtlog_sample_state *state);
bool evtlog_sample_is_due(const struct evtlog_sample *s, struct evtlog_sample_state *state,
			  u64 passed, u64 now);
u64 evtlog_sample_weight(const struct evtlog_sample *s, struct evtlog_sample_state *state,
			 u64 passed, u64 now);
u64 evtlog_sample_hash(u64 seed, const void *key, size_t bytes);

#endif /* EVTLOG_SAMPLE_SAMPLE_H */
