/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions of small counts, exactly, and Student's t.
 */
#ifndef EVTLOG_JITTER_STATISTICS_EXACT_TESTS_H
#define EVTLOG_JITTER_STATISTICS_EXACT_TESTS_H

#include <stddef.h>

/*
 * exact_fisher() - @hits of @draws fall among @marked of @all: how likely is that, or what
 * is further from the middle, to either side
 */
double exact_fisher(size_t all, size_t marked, size_t draws, size_t hits);

/* P(X <= @hits), X binomial. */
double exact_binomial(size_t draws, size_t hits, double p);

/* Clopper and Pearson's interval for p, of @hits in @draws. */
void exact_binomial_interval(size_t draws, size_t hits, double level, double *low,
			     double *high);

/* Of Student's t: within so many deviations lies @level. */
double exact_student(unsigned int freedom, double level);

/* ---- Many questions at once: which answers hold together at a level ---- */

/*
 * @p:		of one question by itself
 * @attainable:	the least that @p could have been, whatever the answer
 * @adjusted:	the level at which it holds together with all others
 */
struct holm {
	double p;
	double attainable;
	double adjusted;
};

/*
 * Fills in @adjusted: the chance that any of those at most 1 - @level is a false alarm is
 * at most that.  By Holm's steps, over those only which could hold at all (Tarone).
 * Returns over how many.
 */
size_t holm_adjust(struct holm *questions, size_t count, double level);

#endif /* EVTLOG_JITTER_STATISTICS_EXACT_TESTS_H */
