/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probability: random numbers that depend only on a seed, exact distributions of small counts, and
 * Student's t.
 */
#ifndef EVTLOG_JITTER_STATISTICS_PROBABILITY_H
#define EVTLOG_JITTER_STATISTICS_PROBABILITY_H

#include <stddef.h>
#include <stdint.h>

/* ---- Random numbers, the same on any machine; not for secrets ---- */

/* Blackman and Vigna's xoshiro256**. */
struct random_state {
	uint64_t s[4];
};

void random_seed(struct random_state *random, uint64_t seed);
uint64_t random_next(struct random_state *random);
/* A uniform number below @bound; @bound > 0. */
uint64_t random_below(struct random_state *random, uint64_t bound);

/* ---- Distributions ---- */

/*
 * exact_fisher() - two-sided p-value of Fisher's exact test
 * @marked of @all items are marked. @draws items are drawn; @hits of the drawn items are marked.
 */
double exact_fisher(size_t all, size_t marked, size_t draws, size_t hits);

/* P(X <= @hits), where X is binomial. */
double exact_binomial(size_t draws, size_t hits, double p);

/* Clopper and Pearson's confidence interval for p, after @hits in @draws. */
void exact_binomial_interval(size_t draws, size_t hits, double level, double *low,
			     double *high);

/* The t such that P(|T| < t) is @level. */
double exact_student(unsigned int freedom, double level);

/* ---- Multiple tests ---- */

/*
 * @p:		p-value of this test alone
 * @attainable:	least possible value of @p
 * @adjusted:	p-value that is valid for all tests together
 */
struct holm {
	double p;
	double attainable;
	double adjusted;
};

/*
 * Fills in @adjusted by Holm's method, counting only tests that can be significant (Tarone). If
 * all tests with @adjusted up to 1 - @level are reported, the probability of any false alarm is
 * at most 1 - @level. Returns the number of tests that were counted.
 */
size_t holm_adjust(struct holm *questions, size_t count, double level);

#endif /* EVTLOG_JITTER_STATISTICS_PROBABILITY_H */
