// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Piecewise-linear clocks in exact integers.
 *
 * Stage: between the clock sets in buffers' headers and the events.
 *
 * A set belongs to some instant within its width; the middle is taken, and half
 * the width is the error.  Two sets close to each other would make that error a
 * wrong rate, so nodes are kept apart, each the narrowest set of its window.
 * Every piece ends exactly where the next begins: times never step back.
 *
 * A run begins before the first set: that is read where a CPU joins it.  The rate of the
 * first piece may be that of microseconds, and is not carried to seconds before.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tick-clock.h"

#define WINDOWS_MAX	1024

/* The kernel takes a second to calibrate its counter, and has begun before the run. */
#define BEND_S		2

typedef unsigned __int128 u128;
typedef __int128 s128;

static int compare_sets(const void *a, const void *b)
{
	const struct evtlog_clock_set *x = a, *y = b;

	return (x->ticks > y->ticks) - (x->ticks < y->ticks);
}

void clock_rate(uint64_t ns, uint64_t ticks, uint64_t *multp,
		unsigned int *shiftp)
{
	unsigned int shift = 64;
	u128 mult = ((u128)ns << shift) / ticks;

	while (mult >> 63) {
		mult >>= 1;
		shift--;
	}
	*multp = mult;
	*shiftp = shift;
}

static void set_rate(struct clock_node *node, uint64_t ns, uint64_t ticks)
{
	clock_rate(ns, ticks, &node->mult, &node->shift);
}

static bool usable(const struct evtlog_clock_set *set)
{
	return set->raw_ns <= INT64_MAX && set->real_ns <= INT64_MAX &&
	       set->ticks <= UINT64_MAX - set->width_ticks;
}

static void add_node(struct clock *clock, const struct evtlog_clock_set *set)
{
	struct clock_node node = {
		.ticks = set->ticks + set->width_ticks / 2,
		.ns = set->raw_ns,
		.width_ticks = set->width_ticks,
		.real_offset_ns = (int64_t)(set->real_ns - set->raw_ns),
	};

	if (clock->count) {
		struct clock_node *last = &clock->nodes[clock->count - 1];

		/* What contradicts its predecessor can't be told from wrong. */
		if (node.ticks <= last->ticks || node.ns < last->ns)
			return;
		set_rate(last, node.ns - last->ns, node.ticks - last->ticks);
	}
	clock->nodes[clock->count++] = node;
	clock->tai_offset_s = set->tai_offset_s;
}

static uint64_t window_ticks(uint64_t span, uint64_t ticks_hz)
{
	uint64_t window = span / 4;

	if (ticks_hz && window > ticks_hz)
		window = ticks_hz;
	if (window < span / (WINDOWS_MAX - 2))
		window = span / (WINDOWS_MAX - 2);
	return window ? window : 1;
}

static void choose_nodes(struct clock *clock,
			 const struct evtlog_clock_set *sets, size_t count,
			 uint64_t ticks_hz)
{
	const struct evtlog_clock_set *best = &sets[0];
	uint64_t window = window_ticks(sets[count - 1].ticks - sets[0].ticks,
				       ticks_hz);
	uint64_t number = 0;

	for (size_t i = 1; i < count; i++) {
		uint64_t own = (sets[i].ticks - sets[0].ticks) / window;

		if (own != number) {
			add_node(clock, best);
			best = &sets[i];
			number = own;
		} else if (sets[i].width_ticks < best->width_ticks) {
			best = &sets[i];
		}
	}
	add_node(clock, best);
}

/* By the sets of a whole second, else by the named rate. */
static void set_rate_before(struct clock *clock, uint64_t ticks_hz)
{
	const struct clock_node *first = &clock->nodes[0];
	const struct clock_node *last = &clock->nodes[clock->count - 1];
	uint64_t ticks = last->ticks - first->ticks;

	if (ticks && ticks >= ticks_hz)
		clock_rate(last->ns - first->ns, ticks, &clock->before_mult,
			   &clock->before_shift);
	else
		clock_rate(1000000000, ticks_hz ? ticks_hz : 1000000000,
			   &clock->before_mult, &clock->before_shift);
}

int clock_build(struct clock *clock, struct evtlog_clock_set *sets,
		size_t count, uint64_t ticks_hz)
{
	struct clock_node *last, *nodes;
	uint64_t width = 0;
	size_t kept = 0;

	memset(clock, 0, sizeof(*clock));
	for (size_t i = 0; i < count; i++)
		if (usable(&sets[i]))
			sets[kept++] = sets[i];
	clock->nodes = calloc(WINDOWS_MAX + 2, sizeof(*clock->nodes));
	if (!clock->nodes)
		return -ENOMEM;
	if (kept) {
		qsort(sets, kept, sizeof(*sets), compare_sets);
		choose_nodes(clock, sets, kept, ticks_hz);
	} else {
		clock->count = 1;
	}
	last = &clock->nodes[clock->count - 1];
	if (clock->count > 1) {
		last->mult = last[-1].mult;
		last->shift = last[-1].shift;
	} else {
		set_rate(last, 1000000000, ticks_hz ? ticks_hz : 1000000000);
	}
	set_rate_before(clock, ticks_hz);
	for (size_t i = 0; i < clock->count; i++)
		if (clock->nodes[i].width_ticks > width)
			width = clock->nodes[i].width_ticks;
	/* Most of them are not used, and a thousand files may be open. */
	nodes = realloc(clock->nodes, clock->count * sizeof(*nodes));
	if (nodes) {
		clock->nodes = nodes;
		last = &nodes[clock->count - 1];
	}
	/* By the named rate: one measured over a short run is off by its last ns. */
	if (ticks_hz)
		width = ((u128)width * 1000000000 + ticks_hz - 1) / ticks_hz;
	else
		width = (u128)width * last->mult >> last->shift;
	clock->error_ns = (width + 1) / 2;
	return 0;
}

/* A piece whose rate changed within it is at most as far from the clock as from that rate. */
uint64_t clock_bend_ns(const struct clock *clock, uint64_t ticks_hz)
{
	uint64_t most = 0;

	for (size_t i = 0; ticks_hz && i + 1 < clock->count; i++) {
		const struct clock_node *from = &clock->nodes[i], *to = from + 1;
		u128 named = (u128)(to->ticks - from->ticks) * 1000000000 / ticks_hz;
		u128 bend = named > to->ns - from->ns ? named - (to->ns - from->ns) :
			    to->ns - from->ns - named;

		if (from->ticks - clock->nodes[0].ticks > BEND_S * ticks_hz)
			break;
		if (bend > most)
			most = bend > UINT64_MAX ? UINT64_MAX : (uint64_t)bend;
	}
	return most;
}

void clock_free(struct clock *clock)
{
	free(clock->nodes);
	clock->nodes = NULL;
}

int64_t clock_real_ns(const struct clock *clock, uint64_t ns)
{
	size_t low = 0, high = clock->count;
	const struct clock_node *a, *b;
	s128 offset;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (clock->nodes[middle].ns <= ns)
			low = middle;
		else
			high = middle;
	}
	a = &clock->nodes[low];
	offset = a->real_offset_ns;
	if (low + 1 < clock->count && ns > a->ns) {
		b = a + 1;
		offset += (s128)(b->real_offset_ns - (s128)a->real_offset_ns) *
			  (s128)(ns - a->ns) / (s128)(b->ns - a->ns);
	}
	offset += ns;
	if (offset > INT64_MAX)
		return INT64_MAX;
	return offset < INT64_MIN ? INT64_MIN : (int64_t)offset;
}
