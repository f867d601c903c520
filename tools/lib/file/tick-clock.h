/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns ticks into ns of CLOCK_MONOTONIC_RAW, and those into CLOCK_REALTIME.
 *
 * Stage: between the clock sets in buffers' headers and the events.  It does
 * not compare clocks of several hosts.
 */
#ifndef EVTLOG_LIB_FILE_TICK_CLOCK_H
#define EVTLOG_LIB_FILE_TICK_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/abi.h>

/* A straight piece: ns = ns + ((t - ticks) * mult >> shift), valid up to the next node's ticks. */
struct clock_node {
	uint64_t ticks;
	uint64_t ns;
	uint64_t mult;
	unsigned int shift;
};

/*
 * CLOCK_REALTIME less CLOCK_MONOTONIC_RAW at @ns of the latter.
 * @step_ns:	not 0: CLOCK_REALTIME was set by so much between the last reading before, at @before_ns, and
 *		@ns: the offset before holds until then
 */
struct clock_offset {
	uint64_t ns;
	int64_t offset_ns;
	int64_t step_ns;
	uint64_t before_ns;
};

/*
 * @before_mult, @before_shift: the rate ahead of the first node, where a CPU had no event
 * @error_ns: no time of an event is further from CLOCK_MONOTONIC_RAW
 */
struct clock {
	struct clock_node *nodes;
	size_t count;
	struct clock_offset *offsets;
	size_t offset_count;
	uint64_t before_mult;
	unsigned int before_shift;
	uint64_t error_ns;
	int32_t tai_offset_s;
};

/*
 * What is known of a counter besides its clock sets.
 * @ticks_hz:	the rate that the kernel takes it to have, or 0
 * @is_raw:	CLOCK_MONOTONIC_RAW counts it, at that rate
 * @is_early:	the same, but the kernel may give it another rate when it has calibrated it
 * @first, @last: ticks of the first and last event
 */
struct counter {
	uint64_t ticks_hz;
	bool is_raw;
	bool is_early;
	uint64_t first;
	uint64_t last;
};

/*
 * Makes the clock that @sets, which it sorts, bound. With no usable set, ticks are taken for ns, or
 * divided by the counter's rate.  Returns 0 or -ENOMEM.
 */
int clock_build(struct clock *clock, struct evtlog_clock_set *sets, size_t count,
		const struct counter *counter);
void clock_free(struct clock *clock);

/* *@multp / 2^*@shiftp = ns / ticks, as exact as 63 bits are, never rounded up. */
void clock_rate(uint64_t ns, uint64_t ticks, uint64_t *multp,
		unsigned int *shiftp);

int64_t clock_real_ns(const struct clock *clock, uint64_t ns);

/* The same by a clock that was never set, and is at the end where CLOCK_REALTIME is: it never runs backward. */
int64_t clock_steady_ns(const struct clock *clock, uint64_t ns);

/* By how much CLOCK_REALTIME was set in all, either way. */
uint64_t clock_steps_ns(const struct clock *clock);

/* For a node with @ticks not before it; never more than the next node's ns. */
static inline uint64_t clock_node_ns(const struct clock_node *node,
				     uint64_t ticks)
{
	unsigned __int128 ns = (unsigned __int128)(ticks - node->ticks) *
			       node->mult >> node->shift;

	ns += node->ns;
	return ns > INT64_MAX ? INT64_MAX : (uint64_t)ns;
}

/* The node whose piece holds @ticks, searched from scratch. */
static inline const struct clock_node *clock_find(const struct clock *clock, uint64_t ticks)
{
	size_t low = 0, high = clock->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (clock->nodes[middle].ticks <= ticks)
			low = middle;
		else
			high = middle;
	}
	return &clock->nodes[low];
}

/* Here, as the shared library does not export it. */
static inline uint64_t clock_ns(const struct clock *clock, uint64_t ticks)
{
	const struct clock_node *node = clock_find(clock, ticks);
	unsigned __int128 before, one = 1;

	if (ticks >= node->ticks)
		return clock_node_ns(node, ticks);
	/* Only ahead of the first node; rounded away from it, as behind. */
	before = (unsigned __int128)(node->ticks - ticks) * clock->before_mult;
	before = (before + (one << clock->before_shift) - 1) >> clock->before_shift;
	return before > node->ns ? 0 : node->ns - (uint64_t)before;
}

#endif /* EVTLOG_LIB_FILE_TICK_CLOCK_H */
