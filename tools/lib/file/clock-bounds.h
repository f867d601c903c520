/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bounds of CLOCK_MONOTONIC_RAW at equal steps of a counter, from a file's clock sets.
 *
 * Stage: between the clock sets in buffers' headers and the clock that is made from these bounds.
 */
#ifndef EVTLOG_LIB_FILE_CLOCK_BOUNDS_H
#define EVTLOG_LIB_FILE_CLOCK_BOUNDS_H

#include "lib/base/bounds.h"
#include "tick-clock.h"

struct instant {
	uint64_t ticks;
	int64_t x;
	int64_t upper;
	int64_t lower;
};

/*
 * How far CLOCK_MONOTONIC_RAW is ahead of a clock of constant rate.  In terms of lib/base/bounds.h,
 * x is the time of the constant clock, a value is the difference, both in ns.
 * @ticks, @ns:	origin of the constant clock
 * @mult, @shift: its rate
 * @limit:	the rate of the difference is within plus or minus @limit
 * @rho:	the least rho that is used
 * @points:	two for each set, sorted by x
 * @instants:	instants to be bounded, in equal steps; parts share only the instants at borders
 * @bend_ns:	limit of how far the clock departs from a straight line between two instants
 * @first, @last: rates of the first and the last part
 */
struct frame {
	uint64_t ticks;
	uint64_t ns;
	uint64_t mult;
	unsigned int shift;
	int64_t limit;
	int64_t rho;
	struct point *points;
	size_t point_count;
	struct instant *instants;
	size_t instant_count;
	int64_t *memory;
	uint64_t bend_ns;
	struct rates first;
	struct rates last;
};

/*
 * Bounds CLOCK_MONOTONIC_RAW until @end, by @count sets, at least one, sorted by ticks.  Returns 0
 * or -ENOMEM; call frame_free() in both cases.
 */
int frame_make(struct frame *f, const struct evtlog_clock_set *sets, size_t count, uint64_t end,
	       const struct tick_counter *counter);
void frame_free(struct frame *f);

/* Returns ns from the frame's origin to @ticks, at the constant rate; negative before the origin */
int64_t frame_x(const struct frame *f, uint64_t ticks);

/* Returns the set with the smallest width of sets[@from .. @to) */
const struct evtlog_clock_set *narrowest_set(const struct evtlog_clock_set *sets, size_t from, size_t to);

#endif /* EVTLOG_LIB_FILE_CLOCK_BOUNDS_H */
