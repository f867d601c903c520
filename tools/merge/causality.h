/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds events whose order relative to earlier events of other hosts is uncertain.
 *
 * An event at t with clock error b may have come before an earlier one at t' with clock error
 * b', if t - b < t' + b'.  Among the earlier events, only the greatest t' + b' of another clock
 * matters.  So the two greatest values, of different clocks, are kept.
 */
#ifndef EVTLOG_MERGE_CAUSALITY_H
#define EVTLOG_MERGE_CAUSALITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif /* EVTLOG_MERGE_CAUSALITY_H */
