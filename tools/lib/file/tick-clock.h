/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Converts ticks to ns of CLOCK_MONOTONIC_RAW, and these to CLOCK_REALTIME.
 *
 * Stage: between the clock sets in buffers' headers and the events.  It does not compare clocks
 * of several hosts.
 */
#ifndef EVTLOG_LIB_FILE_TICK_CLOCK_H
#define EVTLOG_LIB_FILE_TICK_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/abi.h>

/* A linear piece: ns + ((t - ticks) * mult >> shift), valid up to the next node's ticks. */
struct clock_node {
	uint64_t ticks;
	uint64_t ns;
	uint64_t mult;
	unsigned int shift;
};

/*
 * CLOCK_REALTIME - CLOCK_MONOTONIC_RAW at @ns of the latter.
 * @step_ns:	if not 0, CLOCK_REALTIME was set by this amount between the last reading, at
 *		@before_ns, and @ns; the offset before is valid until @ns
 */
struct clock_offset {
	uint64_t ns;
	int64_t offset_ns;
	int64_t step_ns;
	uint64_t before_ns;
};

/*
 * @before_mult, @before_shift: the rate before the first node, when a CPU had no event yet
 * @error_ns:	largest difference between the time of an event and CLOCK_MONOTONIC_RAW
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
 * Properties of a counter in addition to its clock sets.
 * @ticks_hz:	its rate according to the kernel, or 0
 * @is_raw:	CLOCK_MONOTONIC_RAW counts it, at that rate
 * @is_early:	the same, but the kernel may change the rate when it has calibrated the counter
 * @first, @last: ticks of the first and last event
 */
struct tick_counter {
	uint64_t ticks_hz;
	bool is_raw;
	bool is_early;
	uint64_t first;
	uint64_t last;
};

/*
 * Makes the clock from the bounds that @sets give; sorts @sets.  Without a usable set, ticks are
 * converted by @ticks_hz, or are ns if it is 0.  Returns 0 or -ENOMEM.
 */
int clock_build(struct clock *clock, struct evtlog_clock_set *sets, size_t count,
		const struct tick_counter *counter);
void clock_free(struct clock *clock);

/* *@multp / 2^*@shiftp = ns / ticks, as exact as 63 bits permit, never rounded up. */
void clock_rate(uint64_t ns, uint64_t ticks, uint64_t *multp,
		unsigned int *shiftp);

int64_t clock_real_ns(const struct clock *clock, uint64_t ns);

/* The same, as if CLOCK_REALTIME was never set and is right at the end: never runs backward. */
int64_t clock_steady_ns(const struct clock *clock, uint64_t ns);

/* Returns the sum of all amounts by which CLOCK_REALTIME was set, in either direction. */
uint64_t clock_steps_ns(const struct clock *clock);

/* @ticks is not before the node; the result is at most the next node's ns. */
static inline uint64_t clock_node_ns(const struct clock_node *node,
				     uint64_t ticks)
{
	unsigned __int128 ns = (unsigned __int128)(ticks - node->ticks) *
			       node->mult >> node->shift;

	ns += node->ns;
	return ns > INT64_MAX ? INT64_MAX : (uint64_t)ns;
}

/* Returns the node whose piece contains @ticks, by binary search. */
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

/* Inline, as the shared library does not export it. */
static inline uint64_t clock_ns(const struct clock *clock, uint64_t ticks)
{
	const struct clock_node *node = clock_find(clock, ticks);
	unsigned __int128 before, one = 1;

	if (ticks >= node->ticks)
		return clock_node_ns(node, ticks);
	/* Before the first node; rounded down, as after it. */
	before = (unsigned __int128)(node->ticks - ticks) * clock->before_mult;
	before = (before + (one << clock->before_shift) - 1) >> clock->before_shift;
	return before > node->ns ? 0 : node->ns - (uint64_t)before;
}

#endif /* EVTLOG_LIB_FILE_TICK_CLOCK_H */
