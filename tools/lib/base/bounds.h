/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bounds of the difference of two clocks over time, from readings that bound it from one side.
 *
 * Stage: arithmetic, independent of the source of the points.  A packet between two hosts bounds
 * the difference of their clocks; a clock set bounds a host's clock against its tick counter.
 *
 * The rate of the difference stays within rho of its mean over a segment.  Each point bounds the
 * difference at one instant, from above or from below.  Before and after this instant the bound
 * widens, as fast as the rate permits:
 *
 *	upper  \   /\     /	the mean rate is only known to be within
 *	        \_/  \___/	[low, high], so the slopes to the left
 *	 truth  ----------	and to the right differ
 *	         _    __
 *	lower  _/ \__/  \_
 *
 * Rates are values per x, in units of 2^-40.  Both are in ns unless the caller chooses other units.
 */
#ifndef EVTLOG_LIB_BASE_BOUNDS_H
#define EVTLOG_LIB_BASE_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RATE_SHIFT	40
#define RATE_ONE	((__int128)1 << RATE_SHIFT)
#define RATE_PPB(ppb)	((int64_t)((ppb) * RATE_ONE / 1000000000))

/* Limit of the difference of two clocks' rates; crystals are within 100 ppm. */
#define RATE_MAX	RATE_PPB(500000)
/* Limit of rho; a clock whose rate varies more must have stepped. */
#define RHO_MAX		RATE_PPB(100000)

/* Points are sorted by @x; those with the same @x have the upper ones first. */
struct point {
	int64_t x;
	int64_t value;
	bool upper;
};

struct points {
	struct point *at;
	size_t count;
};

/* The steepest slope, up or down, that two points require; @from, @to: their indices. */
struct steep {
	int64_t rate;
	size_t from;
	size_t to;
	bool found;
};

/*
 * @rise, @fall: the mean rate is at least rise - rho and at most fall + rho
 * @rho:	the smallest that the points allow
 */
struct extremes {
	struct steep rise;
	struct steep fall;
	int64_t rho;
	int64_t limit;
	bool possible;		/* true: @rho and the mean rate can be within their limits */
};

/* The rate at any time is within [slow, fast]; the mean rate is within [low, high]. */
struct rates {
	int64_t low;
	int64_t high;
	int64_t slow;
	int64_t fast;
};

/* @limit: the mean rate is within plus or minus @limit; RATE_MAX between two clocks. */
void bounds_extremes(const struct points *points, int64_t limit,
		     struct extremes *extremes);

/*
 * Computes the mean rate over [begin, end], which contains all points, for this @rho.
 * Returns false if no rate is possible.
 */
bool bounds_rates(const struct points *points, const struct extremes *extremes,
		  int64_t begin, int64_t end, int64_t rho, struct rates *rates);

/* Computes both bounds at @count ascending times; INT64_MAX and INT64_MIN if there is none. */
void bounds_at(const struct points *points, const struct rates *rates,
	       const int64_t *times, size_t count, int64_t *upper,
	       int64_t *lower);

/* Returns @span * @rate, rounded up; both may be negative. */
int64_t bounds_product(int64_t span, int64_t rate);

#endif /* EVTLOG_LIB_BASE_BOUNDS_H */
