/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples: which hits of an event are recorded, and how many hits each record stands for.
 *
 *	sample 1/N		by count: one of each N hits of a CPU, any of the N alike
 *	sample p=0.01		by probability: each hit by itself
 *	sample 10ms		by time: at most one each 10 ms on each CPU
 *	sample 1/N by ARG	by key: all hits with one value of ARG or none, on all CPUs and hosts
 *	sample 1/N by ARG seed NUMBER	others of them
 *
 * By count, probability and key a hit is recorded with a probability that is known before, and the
 * record's weight is 1 / that (Horvitz and Thompson 1952): sums of weight x value are unbiased.
 * By time the weight is the number of hits since the last record of the CPU: sums of weights are
 * exact up to the last record.  Which hit is recorded is a random one of those after the interval:
 * the first one would be one after a pause more often than one in a burst.
 *
 * Probes call this, which knows no probe and no record.  parse.c and draw.c are compiled
 * unmodified in user space by tests/unit.
 */
#ifndef EVTLOG_SAMPLE_SAMPLE_H
#define EVTLOG_SAMPLE_SAMPLE_H

#include <linux/types.h>

#define EVTLOG_SAMPLE_EVERY_MAX		1000000000U
#define EVTLOG_SAMPLE_NS_MAX		(3600ULL * 1000000000)
#define EVTLOG_SAMPLE_DIGITS_MAX	40
/* In units of it probabilities are read. */
#define EVTLOG_SAMPLE_P_ONE		1000000000U

/* All hosts choose the same keys unless they are told otherwise. */
#define EVTLOG_SAMPLE_SEED		0x9e3779b97f4a7c15ULL

/* Of the hash, of which stubs have a copy: two odd numbers without a pattern */
#define EVTLOG_SAMPLE_FACTOR_1		0xff51afd7ed558ccdULL
#define EVTLOG_SAMPLE_FACTOR_2		0xc4ceb9fe1a85ec53ULL

/*
 * Of the generator that COUNT uses, of which stubs have a copy: x * A + C, of which the upper 32
 * bits count.  A: Steele and Vigna, "Computationally easy, spectrally good multipliers", 2021.
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
 * struct evtlog_sample - how is sampled
 * @kind:	by what
 * @every:	of COUNT, KEY: N, 1 to EVTLOG_SAMPLE_EVERY_MAX
 * @nano:	of PROBABILITY: p in 1 / EVTLOG_SAMPLE_P_ONE, 1 to that
 * @weight:	of all records, or what it is at least; of TIME nothing
 * @more:	of PROBABILITY: 2^64 times the probability that a weight is one more
 * @digits, @nr_digits: of PROBABILITY: 2^64 times the probability of each binary digit of the
 *		number of hits between two that are recorded
 * @interval_ns: of TIME
 * @ticks:	of TIME: the same in units of the caller's clock; the caller fills it in
 * @seed:	of KEY
 * @limit:	of KEY: up to which hash a key's hits are recorded
 * @by, @by_len: of KEY: the argument's name, within the text
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
 * struct evtlog_sample_state - where a CPU is; only that CPU changes it
 * @left:	the hit that makes it 0 is recorded; of TIME those count that come from @due on
 * @due:	of TIME: the interval's end
 * @late:	of TIME: from when on @left is chosen anew; @due: it is not chosen yet
 * @last:	of TIME: what @passed was at the last record
 * @random:	of the generator
 * @span:	of TIME: of so many hits one is chosen
 * @place:	of COUNT: that hit's among its N, 0 to N - 1
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

/* Is the weight the same for all records, so that evtlog_sample_weight() need not be asked? */
static inline bool evtlog_sample_weight_is_fixed(const struct evtlog_sample *s)
{
	return s->kind != EVTLOG_SAMPLE_TIME && !s->more;
}

/* Is every hit recorded? */
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
