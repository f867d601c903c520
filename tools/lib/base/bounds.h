/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bounds of the difference of two clocks over time, from readings that bound it from one side.
 *
 * Stage: arithmetic. It does not know where the points come from: a packet between two hosts
 * bounds the difference of their clocks, and a clock set bounds a host's clock against its counter.
 *
 * The rate of the difference stays within rho of its mean over a segment. Each point bounds the
 * difference at one instant, from above or from below. From there the bound widens, as fast as
 * the rate can go:
 *
 *	upper  \   /\     /	the mean rate is only known to lie within
 *	        \_/  \___/	[rate_low, rate_high], so the ways to the left and
 *	 truth  ----------	to the right are of different slopes
 *	         _    __
 *	lower  _/ \__/  \_
 *
 * Rates are in units of 2^-40: of value per x, which are both ns unless the caller chooses others.
 */
#ifndef EVTLOG_LIB_BASE_BOUNDS_H
#define EVTLOG_LIB_BASE_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RATE_SHIFT	40
#define RATE_ONE	((__int128)1 << RATE_SHIFT)
#define RATE_PPB(ppb)	((int64_t)((ppb) * RATE_ONE / 1000000000))

/* No two clocks are further apart, in rate; crystals are within 100 ppm. */
#define RATE_MAX	RATE_PPB(500000)
/* No clock wanders further; one that does steps. */
#define RHO_MAX		RATE_PPB(100000)

/* Sorted by @x, and at the same @x upper ones first. */
struct point {
	int64_t x;
	int64_t value;
	bool upper;
};

struct points {
	struct point *at;
	size_t count;
};

/* The steepest way from one point up (or down) to a later one that is needed. */
struct steep {
	int64_t rate;
	size_t from;
	size_t to;
	bool found;
};

/*
 * @rise, @fall: the mean rate is at least rise less rho, at most fall plus rho
 * @rho:	the smallest that the points allow
 */
struct extremes {
	struct steep rise;
	struct steep fall;
	int64_t rho;
	int64_t limit;
	bool possible;		/* with a rho and a rate within the limits */
};

/* The rates at any time lie within [slow, fast], their mean within the others. */
struct rates {
	int64_t low;
	int64_t high;
	int64_t slow;
	int64_t fast;
};

/* @limit: the mean rate is within plus or minus this; RATE_MAX between two clocks. */
void bounds_extremes(const struct points *points, int64_t limit,
		     struct extremes *extremes);

/*
 * The mean rate over [begin, end], which holds all points, given @rho.  Returns
 * false if there is none.
 */
bool bounds_rates(const struct points *points, const struct extremes *extremes,
		  int64_t begin, int64_t end, int64_t rho, struct rates *rates);

/* Both bounds at @count rising times; INT64_MAX and INT64_MIN where there are none. */
void bounds_at(const struct points *points, const struct rates *rates,
	       const int64_t *times, size_t count, int64_t *upper,
	       int64_t *lower);

/* @span at @rate, rounded up; both may be negative. */
int64_t bounds_product(int64_t span, int64_t rate);

#endif /* EVTLOG_LIB_BASE_BOUNDS_H */
