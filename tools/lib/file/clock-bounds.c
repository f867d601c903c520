// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Clock sets as bounds of a clock.
 *
 * A set was read at some instant within its width, so it bounds CLOCK_MONOTONIC_RAW twice: at the
 * first tick of the reading, the clock was not later than the set's time, and at the last tick not
 * earlier.  The rate is nearly constant, so each bound also applies to other ticks, and the
 * tightest bounds of all sets are used.  A set whose reading was interrupted gives wide bounds,
 * which do no harm.
 *
 * The kernel can change the rate of CLOCK_MONOTONIC_RAW once, when it has calibrated its counter.
 * If the sets do not fit one rate, they are divided into halves until they do.
 */
#include <errno.h>
#include <stdlib.h>

#include "clock-bounds.h"

#define INSTANTS_MAX	1024

/*
 * Limit of how much the rates of two counters of a machine change against each other, and of the
 * difference between the rate that a kernel uses for a counter and the rate that it reports.
 */
#define WANDER		RATE_PPB(1000)

/* A kernel's calibration is this accurate, or so inaccurate that the sets show it. */
#define CALIBRATED	RATE_PPB(10000000)
#define UNCALIBRATED	((int64_t)16 << RATE_SHIFT)

/* Number of points of the smallest part that has its own rate */
#define PART_POINTS	4

typedef unsigned __int128 u128;
typedef __int128 s128;

static int compare_points(const void *a, const void *b)
{
	const struct point *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return q->upper - p->upper;
}

static int64_t clamped(s128 value)
{
	const int64_t most = INT64_C(1) << 62;

	if (value > most)
		return most;
	return value < -most ? -most : (int64_t)value;
}

/* ---- The sets as points ---- */

int64_t frame_x(const struct frame *f, uint64_t ticks)
{
	u128 x = (u128)(ticks > f->ticks ? ticks - f->ticks : f->ticks - ticks) * f->mult >> f->shift;
	int64_t near = x > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)x;

	return ticks > f->ticks ? near : -near;
}

const struct evtlog_clock_set *narrowest_set(const struct evtlog_clock_set *sets, size_t from, size_t to)
{
	const struct evtlog_clock_set *best = &sets[from];

	for (size_t i = from + 1; i < to; i++)
		if (sets[i].width_ticks < best->width_ticks)
			best = &sets[i];
	return best;
}

/* Chooses the constant rate: the kernel's, or the nearest rate that two narrow sets allow. */
static void choose_rate(struct frame *f, const struct evtlog_clock_set *sets, size_t count, uint64_t ticks_hz)
{
	const struct evtlog_clock_set *a = narrowest_set(sets, 0, (count + 2) / 3);
	const struct evtlog_clock_set *b = narrowest_set(sets, count - (count + 2) / 3, count);
	uint64_t ns = 1000000000, ticks = ticks_hz ? ticks_hz : ns;

	if (b->ticks > a->ticks && b->raw_ns > a->raw_ns + 1) {
		/* Times are rounded down. */
		uint64_t width = (uint64_t)a->width_ticks + b->width_ticks;
		uint64_t most = b->ticks - a->ticks + width, least = most > 2 * width ? most - 2 * width : 0;
		uint64_t least_ns = b->raw_ns - a->raw_ns - 1, most_ns = least_ns + 2;

		if ((u128)most * ns < (u128)least_ns * ticks) {
			ns = least_ns;
			ticks = most;
		} else if ((u128)least * ns > (u128)most_ns * ticks) {
			ns = most_ns;
			ticks = least;
		}
	}
	clock_rate(ns, ticks, &f->mult, &f->shift);
}

/* Leaves out sets that contradict the set before at any rate.  Returns false if out of memory. */
static bool make_points(struct frame *f, const struct evtlog_clock_set *sets, size_t count)
{
	const struct evtlog_clock_set *last = NULL;

	f->points = malloc(2 * count * sizeof(*f->points));
	if (!f->points)
		return false;
	for (size_t i = 0; i < count; i++) {
		int64_t raw = clamped((s128)sets[i].raw_ns - f->ns), x;

		if (last && sets[i].raw_ns < last->raw_ns && sets[i].ticks >= last->ticks + last->width_ticks)
			continue;
		last = &sets[i];
		/* Readings are rounded down. */
		x = frame_x(f, sets[i].ticks);
		f->points[f->point_count++] = (struct point){ x, clamped((s128)raw + 1 - x), true };
		x = frame_x(f, sets[i].ticks + sets[i].width_ticks);
		f->points[f->point_count++] = (struct point){ x, clamped((s128)raw - x), false };
	}
	qsort(f->points, f->point_count, sizeof(*f->points), compare_points);
	return true;
}

/* ---- Bounds ---- */

/* Over all sets: at least four steps of 1 s or less, or INSTANTS_MAX longer steps. */
static bool make_instants(struct frame *f, uint64_t begin, uint64_t end)
{
	u128 second = ((u128)1000000000 << f->shift) / f->mult;
	uint64_t span = end - begin, steps = 0;

	if (span) {
		steps = second && span / second < INSTANTS_MAX ? span / second + 1 : INSTANTS_MAX;
		if (steps < 4)
			steps = span < 4 ? 1 : 4;
		/* A damaged file can contain any rate: no two instants may have the same ticks. */
		if (steps > span)
			steps = span;
	}
	f->instant_count = steps + 1;
	f->instants = malloc(f->instant_count * sizeof(*f->instants));
	/* Times, upper and lower bounds of a part */
	f->memory = malloc(3 * f->instant_count * sizeof(*f->memory));
	if (!f->instants || !f->memory)
		return false;
	for (uint64_t i = 0; i <= steps; i++) {
		struct instant *at = &f->instants[i];

		at->ticks = steps ? begin + (uint64_t)((u128)span * i / steps) : begin;
		at->x = frame_x(f, at->ticks);
		at->upper = INT64_MAX;
		at->lower = INT64_MIN;
	}
	return true;
}

static void bound_part(struct frame *f, const struct points *points, const struct extremes *extremes,
		       size_t from, size_t to)
{
	size_t count = to - from + 1;
	int64_t *times = f->memory, *upper = times + count, *lower = upper + count;
	int64_t rho = extremes->rho > f->rho ? extremes->rho : f->rho;
	struct rates rates;
	uint64_t bend;

	if (!bounds_rates(points, extremes, f->instants[from].x, f->instants[to].x, rho, &rates))
		rates = (struct rates){ -f->limit, f->limit, -f->limit, f->limit };
	for (size_t i = 0; i < count; i++)
		times[i] = f->instants[from + i].x;
	bounds_at(points, &rates, times, count, upper, lower);
	for (size_t i = 0; i < count; i++) {
		struct instant *at = &f->instants[from + i];
		int64_t most, least;

		/* rho limits the bend between the ends, so their bounds apply in between. */
		if (i && i + 1 < count) {
			s128 span = times[count - 1] - times[0], since = times[i] - times[0];
			int64_t bent = bounds_product(since * (span - since) / span, 2 * rho) + 2;

			most = upper[0] + (s128)(upper[count - 1] - upper[0]) * since / span + bent;
			least = lower[0] + (s128)(lower[count - 1] - lower[0]) * since / span - bent;
			if (most < upper[i])
				upper[i] = most;
			if (least > lower[i])
				lower[i] = least;
		}
		/* At a border, the bounds of both parts apply. */
		if (upper[i] < at->upper)
			at->upper = upper[i];
		if (lower[i] > at->lower)
			at->lower = lower[i];
	}
	if (!from)
		f->first = rates;
	if (to + 1 == f->instant_count)
		f->last = rates;
	if (to > from) {
		bend = bounds_product(times[1] - times[0] + 1, rho) / 2 + 1;
		if (rho && bend > f->bend_ns)
			f->bend_ns = bend;
	}
}

/* Bounds instants[@from .. @to] by points[@first .. @end), in parts that each fit one rate */
static void bound(struct frame *f, size_t first, size_t end, size_t from, size_t to)
{
	struct points points = { f->points + first, end - first };
	struct extremes extremes;
	size_t middle = from + (to - from) / 2, border = first;

	bounds_extremes(&points, f->limit, &extremes);
	while (border < end && f->points[border].x < f->instants[middle].x)
		border++;
	if (extremes.rho <= WANDER || middle == from ||
	    border - first < PART_POINTS || end - border < PART_POINTS) {
		bound_part(f, &points, &extremes, from, to);
		return;
	}
	bound(f, first, border, from, middle);
	bound(f, border, end, middle, to);
}

/* Chooses how much rates may differ from the constant rate: the likely value, or more if needed */
static void choose_limits(struct frame *f, bool is_raw)
{
	const struct points points = { f->points, f->point_count };
	struct extremes extremes;
	int64_t least;

	bounds_extremes(&points, UNCALIBRATED, &extremes);
	least = extremes.rise.rate > -extremes.fall.rate ? extremes.rise.rate : -extremes.fall.rate;
	f->rho = is_raw && least <= WANDER && !extremes.rho ? 0 : WANDER;
	f->limit = !f->rho ? WANDER : least <= CALIBRATED ? CALIBRATED : UNCALIBRATED;
}

int frame_make(struct frame *f, const struct evtlog_clock_set *sets, size_t count, uint64_t end,
	       const struct tick_counter *counter)
{
	f->ticks = sets[0].ticks;
	f->ns = sets[0].raw_ns;
	choose_rate(f, sets, count, counter->ticks_hz);
	if (!make_points(f, sets, count) || !make_instants(f, f->ticks, end))
		return -ENOMEM;
	choose_limits(f, counter->is_raw);
	bound(f, 0, f->point_count, 0, f->instant_count - 1);
	return 0;
}

void frame_free(struct frame *f)
{
	free(f->points);
	free(f->instants);
	free(f->memory);
}
