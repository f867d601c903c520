/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times on the common timeline: as dates, and whether the order of two events is certain.
 */
#ifndef EVTLOG_MERGE_TIMELINE_H
#define EVTLOG_MERGE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/log-set.h"

/*
 * ---- timeline.c: dates ----
 *
 * The points are written into merged files, so that reading these gives the same dates.  Between
 * two points, the conversion is linear.
 */

#define REAL_POINTS_MAX	64
#define REAL_STEPS_MAX	32

struct real_point {
	int64_t time_ns;
	int64_t real_ns;
};

struct real_points {
	size_t count;
	struct real_point at[REAL_POINTS_MAX + 2 * REAL_STEPS_MAX];
};

/* Makes points of the reference's clock: evenly over the run, and on both sides of its steps. */
void real_points_make(struct real_points *points, const struct logs *logs);

/* Reads the points of a merged file. */
void real_points_read(struct real_points *points,
		      const struct evtlog_merged *merged);

/* Returns CLOCK_REALTIME of the reference at @time_ns. */
int64_t real_at(const struct real_points *points, int64_t time_ns);

/*
 * ---- Events whose order relative to earlier events of other hosts is uncertain ----
 *
 * An event at t with clock error b may have come before an earlier one at t' with clock error
 * b', if t - b < t' + b'.  Among the earlier events, only the greatest t' + b' of another clock
 * matters.  So the two greatest values, of different clocks, are kept.
 */

struct order_latest {
	size_t clock;
	int64_t until_ns;
	bool any;
};

struct order {
	struct order_latest first;
	struct order_latest second;
};

static inline int64_t order_add(int64_t time_ns, uint64_t bound_ns)
{
	int64_t sum;

	if (bound_ns > INT64_MAX ||
	    __builtin_add_overflow(time_ns, (int64_t)bound_ns, &sum))
		return INT64_MAX;
	return sum;
}

static inline int64_t order_subtract(int64_t time_ns, uint64_t bound_ns)
{
	int64_t difference;

	if (bound_ns > INT64_MAX ||
	    __builtin_sub_overflow(time_ns, (int64_t)bound_ns, &difference))
		return INT64_MIN;
	return difference;
}

/* Adds an event.  Returns true if its order is uncertain. */
static inline bool order_take(struct order *order, size_t clock, int64_t time_ns,
			      uint64_t bound_ns)
{
	const struct order_latest *other = &order->first;
	int64_t until_ns = order_add(time_ns, bound_ns);
	bool doubtful;

	if (other->any && other->clock == clock)
		other = &order->second;
	doubtful = other->any && order_subtract(time_ns, bound_ns) < other->until_ns;

	if (order->first.any && order->first.clock == clock) {
		if (until_ns > order->first.until_ns)
			order->first.until_ns = until_ns;
	} else if (!order->first.any || until_ns > order->first.until_ns) {
		order->second = order->first;
		order->first = (struct order_latest) { clock, until_ns, true };
	} else if (!order->second.any || until_ns > order->second.until_ns) {
		order->second = (struct order_latest) { clock, until_ns, true };
	}
	return doubtful;
}

#endif /* EVTLOG_MERGE_TIMELINE_H */
