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

#endif /* EVTLOG_JITTER_STATISTICS_EXACT_TESTS_H */
