/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bounds of CLOCK_MONOTONIC_RAW at equal steps of a counter, from a file's clock sets.
 *
 * Stage: between the clock sets in buffers' headers and the clock that goes through these bounds.
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
 * How far CLOCK_MONOTONIC_RAW is ahead of a clock of constant rate: x of lib/base/bounds.h is the
 * latter's ns, a value the difference in ns.
 * @ticks, @ns:	where the clock of constant rate begins
 * @mult, @shift: its rate
 * @limit:	the difference's rate is within plus or minus this
 * @rho:	and changes by so much at least
 * @points:	two of each set, by x
 * @instants:	those whose bounds are asked for, in equal steps; parts have none but the borders
 *		in common
 * @bend_ns:	between two instants the clock is at most so far from a straight way
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
 * Bounds RAW by @count sets, one at least, which are sorted by their ticks, until @end. Returns 0 or
 * -ENOMEM; frame_free() is to be called in both cases.
 */
int frame_make(struct frame *f, const struct evtlog_clock_set *sets, size_t count, uint64_t end,
	       const struct counter *counter);
void frame_free(struct frame *f);

/* ns from the frame's begin to @ticks, by the constant rate; negative ahead of it */
int64_t frame_x(const struct frame *f, uint64_t ticks);

/* The narrowest of sets[@from .. @to) */
const struct evtlog_clock_set *narrowest_set(const struct evtlog_clock_set *sets, size_t from, size_t to);

#endif /* EVTLOG_LIB_FILE_CLOCK_BOUNDS_H */
