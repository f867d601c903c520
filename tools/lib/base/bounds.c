// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Computes bounds of the difference of two clocks, in linear passes over sorted points.
 *
 * See bounds.h.  All results are rounded to the safe side.
 */
#include "bounds.h"

/* Larger than any real slope or difference; small enough that products fit into 128 bits. */
#define STEEP_MAX	(INT64_C(1) << 60)
#define VALUE_MAX	(INT64_C(1) << 62)
#define ROUNDS_MAX	64

typedef __int128 s128;

static int64_t clamp(s128 value, int64_t limit)
{
	if (value > limit)
		return limit;
	return value < -limit ? -limit : (int64_t)value;
}

static s128 floor_div(s128 a, s128 b)
{
	s128 quotient = a / b;

	return quotient - (a % b && (a < 0) != (b < 0));
}

int64_t bounds_product(int64_t span, int64_t rate)
{
	s128 product = (s128)span * rate;

	return clamp(-(-product >> RATE_SHIFT), VALUE_MAX);
}

/* ---- The steepest slopes ---- */

/* Returns true for a lower point.  @sign -1 inverts all values: upper points count as lower. */
static bool is_floor(const struct point *point, int sign)
{
	return point->upper == (sign < 0);
}

/*
 * Finds an upper point and a later lower one such that the lower point is furthest above a line
 * of slope @rate through the upper one.  Returns false if no lower point is above such a line.
 */
static bool furthest(const struct points *points, int sign, int64_t rate,
		     size_t *from, size_t *to)
{
	s128 lowest = 0, most = 0;
	bool any = false, found = false;
	size_t lowest_at = 0;

	for (size_t i = 0; i < points->count; i++) {
		const struct point *point = &points->at[i];
		s128 height = sign * point->value * RATE_ONE -
			      (s128)(point->x - points->at[0].x) * rate;

		if (!is_floor(point, sign)) {
			if (!any || height < lowest) {
				lowest = height;
				lowest_at = i;
			}
			any = true;
		} else if (any && height - lowest > most) {
			most = height - lowest;
			*from = lowest_at;
			*to = i;
			found = true;
		}
	}
	return found;
}

/* Dinkelbach's method: each round takes the slope of the worst pair; few rounds are needed. */
static struct steep steepest(const struct points *points, int sign,
			     int64_t limit)
{
	struct steep steep = { .rate = -limit };
	size_t from, to;

	for (int round = 0; round < ROUNDS_MAX; round++) {
		const struct point *a, *b;
		s128 rise;

		if (!furthest(points, sign, steep.rate, &from, &to))
			break;
		a = &points->at[from];
		b = &points->at[to];
		steep.from = from;
		steep.to = to;
		steep.found = true;
		if (a->x == b->x) {
			steep.rate = STEEP_MAX;
			break;
		}
		rise = ((s128)b->value - a->value) * sign;
		rise = -floor_div(-(rise * RATE_ONE), (s128)b->x - a->x);
		steep.rate = clamp(rise, STEEP_MAX);
		if (steep.rate == STEEP_MAX)
			break;
	}
	return steep;
}

void bounds_extremes(const struct points *points, int64_t limit,
		     struct extremes *extremes)
{
	extremes->limit = limit;
	extremes->rise = steepest(points, 1, limit);
	extremes->fall = steepest(points, -1, limit);
	extremes->fall.rate = -extremes->fall.rate;
	extremes->rho = 0;
	if (extremes->rise.rate > extremes->fall.rate)
		extremes->rho = (extremes->rise.rate - extremes->fall.rate +
				 1) / 2;
	extremes->possible = extremes->rho <= RHO_MAX &&
			     extremes->rise.rate <= limit &&
			     extremes->fall.rate >= -limit;
}

/* ---- Bounds over time ---- */

struct origin {
	int64_t x;
	int64_t value;
	bool known;
};

/* The upper bound at @x that follows from @origin. */
static int64_t upper_at(const struct origin *origin, int64_t x, int64_t rate)
{
	return clamp((s128)origin->value +
		     bounds_product(x - origin->x, rate), VALUE_MAX);
}

static int64_t lower_at(const struct origin *origin, int64_t x, int64_t rate)
{
	return clamp((s128)origin->value -
		     bounds_product(x - origin->x, -rate), VALUE_MAX);
}

/* Keeps the tightest point of each side: bounds widen at equal rates, so it is enough. */
static void take(struct origin *upper, struct origin *lower,
		 const struct point *point, int64_t upper_rate,
		 int64_t lower_rate)
{
	struct origin own = { point->x, point->value, true };

	if (point->upper) {
		if (!upper->known ||
		    own.value <= upper_at(upper, own.x, upper_rate))
			*upper = own;
	} else if (!lower->known ||
		   own.value >= lower_at(lower, own.x, lower_rate)) {
		*lower = own;
	}
}

static void narrow(const struct origin *upper, const struct origin *lower,
		   int64_t x, int64_t upper_rate, int64_t lower_rate,
		   int64_t *up, int64_t *low)
{
	int64_t value;

	if (upper->known) {
		value = upper_at(upper, x, upper_rate);
		if (value < *up)
			*up = value;
	}
	if (lower->known) {
		value = lower_at(lower, x, lower_rate);
		if (value > *low)
			*low = value;
	}
}

void bounds_at(const struct points *points, const struct rates *rates,
	       const int64_t *times, size_t count, int64_t *upper,
	       int64_t *lower)
{
	struct origin up = { 0 }, low = { 0 };
	size_t next = 0;

	for (size_t i = 0; i < count; i++) {
		upper[i] = INT64_MAX;
		lower[i] = INT64_MIN;
		while (next < points->count && points->at[next].x <= times[i])
			take(&up, &low, &points->at[next++], rates->fast,
			     rates->slow);
		narrow(&up, &low, times[i], rates->fast, rates->slow,
		       &upper[i], &lower[i]);
	}
	up.known = false;
	low.known = false;
	next = points->count;
	for (size_t i = count; i--;) {
		while (next && points->at[next - 1].x >= times[i])
			take(&up, &low, &points->at[--next], rates->slow,
			     rates->fast);
		narrow(&up, &low, times[i], rates->slow, rates->fast,
		       &upper[i], &lower[i]);
	}
}

/* ---- The mean rate ---- */

static void set_reach(struct rates *rates, int64_t rho)
{
	rates->slow = rates->low - rho;
	rates->fast = rates->high + rho;
}

bool bounds_rates(const struct points *points, const struct extremes *extremes,
		  int64_t begin, int64_t end, int64_t rho, struct rates *rates)
{
	int64_t times[2] = { begin, end }, upper[2], lower[2];

	rates->low = extremes->rise.rate - rho;
	rates->high = extremes->fall.rate + rho;
	if (rates->low < -extremes->limit)
		rates->low = -extremes->limit;
	if (rates->high > extremes->limit)
		rates->high = extremes->limit;
	set_reach(rates, rho);
	/* The bounds at both ends limit the mean, the mean limits them: each round narrows both. */
	for (int round = 0; round < 8 && end > begin; round++) {
		int64_t low = rates->low, high = rates->high;
		s128 most, least;

		bounds_at(points, rates, times, 2, upper, lower);
		if (upper[0] == INT64_MAX || lower[0] == INT64_MIN)
			break;
		most = ((s128)upper[1] - lower[0]) * RATE_ONE;
		most = -floor_div(-most, (s128)end - begin);
		least = ((s128)lower[1] - upper[0]) * RATE_ONE;
		least = floor_div(least, (s128)end - begin);
		if (most < rates->high)
			rates->high = clamp(most, STEEP_MAX);
		if (least > rates->low)
			rates->low = clamp(least, STEEP_MAX);
		if (rates->low > rates->high)
			return false;
		set_reach(rates, rho);
		if ((high - low) - (rates->high - rates->low) <=
		    (high - low) / 16)
			break;
	}
	return rates->low <= rates->high;
}
