// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Piecewise linear clocks in exact integers.
 *
 * The clock goes through the middle of the bounds from clock sets, at nodes in equal steps.
 * Each piece ends exactly where the next begins: times never step back.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock-bounds.h"
#include "tick-clock.h"

/* CLOCK_REALTIME is slewed by at most a tenth, adjtimex(2)'s limit for a tick; more is a step. */
#define SLEW_DIVISOR	10
#define SLEW_NOISE_NS	1000
#define NS_PER_S	1000000000

/* The kernel takes a second to calibrate its counter, and begins before the run. */
#define BEND_S		2

typedef unsigned __int128 u128;
typedef __int128 s128;

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

static int compare_sets(const void *a, const void *b)
{
	const struct evtlog_clock_set *x = a, *y = b;

	return (x->ticks > y->ticks) - (x->ticks < y->ticks);
}

/* A width of UINT32_MAX means this or more. */
static bool usable(const struct evtlog_clock_set *set)
{
	return set->raw_ns <= INT64_MAX && set->real_ns <= INT64_MAX &&
	       set->width_ticks < UINT32_MAX && set->ticks <= UINT64_MAX - set->width_ticks;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Nodes are in the middle of the bounds, but times never step back. */
static void make_nodes(struct clock *clock, const struct frame *f)
{
	uint64_t error = 0;

	for (size_t i = 0; i < f->instant_count; i++) {
		const struct instant *at = &f->instants[i];
		struct clock_node *node = &clock->nodes[clock->count++];
		s128 ns = ((s128)at->upper + at->lower) / 2, off;

		node->ticks = at->ticks;
		off = (s128)f->ns + at->x + ns;
		node->ns = off < 0 ? 0 : off > INT64_MAX ? INT64_MAX : (uint64_t)off;
		if (i && node->ns < node[-1].ns)
			node->ns = node[-1].ns;
		if (i)
			clock_rate(node->ns - node[-1].ns, node->ticks - node[-1].ticks, &node[-1].mult,
				   &node[-1].shift);
		ns = (s128)node->ns - f->ns - at->x;
		off = ns > ((s128)at->lower + at->upper) / 2 ? ns - at->lower : at->upper - ns;
		if (off < 0)
			off = -off;
		error = larger(error, off > INT64_MAX ? INT64_MAX : (uint64_t)off);
	}
	clock->error_ns = error + f->bend_ns;
}

/*
 * Sets *@multp and *@shiftp to the rate before or after all sets, where rates are within @rates:
 * the constant rate, or the nearest.  Returns the largest error of a time @ticks from that end.
 */
static uint64_t rate_beyond(const struct frame *f, const struct rates *rates, uint64_t ticks,
			    uint64_t *multp, unsigned int *shiftp)
{
	int64_t rate = rates->slow > 0 ? rates->slow : rates->fast < 0 ? rates->fast : 0;
	int64_t off = rates->fast - rate > rate - rates->slow ? rates->fast - rate : rate - rates->slow;
	u128 mult = (u128)f->mult + ((s128)f->mult * rate >> RATE_SHIFT);

	*shiftp = f->shift;
	for (; mult >> 63; --*shiftp)
		mult >>= 1;
	*multp = mult;
	return bounds_product(frame_x(f, f->ticks + ticks), off);
}

static int64_t offset_of(const struct evtlog_clock_set *set)
{
	return (int64_t)(set->real_ns - set->raw_ns);
}

/* Returns by how much CLOCK_REALTIME was set between two successive readings; 0 if it was not. */
static int64_t step_between(const struct frame *f, const struct evtlog_clock_set *a,
			    const struct evtlog_clock_set *b)
{
	s128 step = (s128)offset_of(b) - offset_of(a);
	s128 slew = ((s128)b->raw_ns - a->raw_ns) / SLEW_DIVISOR, noise, leap = 0;

	/* The two clocks of a set are read one after the other. */
	noise = (s128)frame_x(f, f->ticks + a->width_ticks) + frame_x(f, f->ticks + b->width_ticks);
	slew = (slew < 0 ? -slew : slew) + noise + SLEW_NOISE_NS;
	/* A leap second is a step, however long ago the last reading was. */
	if (a->tai_offset_s && b->tai_offset_s)
		leap = ((s128)a->tai_offset_s - b->tai_offset_s) * NS_PER_S;
	if (step >= -slew && step <= slew && (!leap || step - leap < -slew || step - leap > slew))
		return 0;
	return step > INT64_MAX ? INT64_MAX : step < INT64_MIN ? INT64_MIN : (int64_t)step;
}

static size_t count_steps(const struct frame *f, const struct evtlog_clock_set *sets, size_t count)
{
	size_t steps = 0;

	for (size_t i = 1; i < count; i++)
		steps += !!step_between(f, &sets[i - 1], &sets[i]);
	return steps;
}

/* Adds the offset of sets[@from .. @to); CLOCK_REALTIME was set by @step before these. */
static void add_offset(struct clock *clock, const struct evtlog_clock_set *sets, size_t from, size_t to,
		       int64_t step)
{
	const struct evtlog_clock_set *best = narrowest_set(sets, from, to);
	uint64_t ns = step ? sets[from].raw_ns : best->raw_ns;
	struct clock_offset *own = &clock->offsets[clock->offset_count];

	if (clock->offset_count && ns <= own[-1].ns) {
		if (!step)
			return;
		ns = own[-1].ns + 1;
	}
	own->ns = ns;
	own->offset_ns = offset_of(best);
	own->step_ns = step;
	own->before_ns = step ? sets[from - 1].raw_ns : 0;
	clock->tai_offset_s = best->tai_offset_s;
	clock->offset_count++;
}

/* Adds an offset for each window, from its narrowest set; steps end windows, too.  0 or -ENOMEM. */
static int add_offsets(struct clock *clock, const struct frame *f, const struct evtlog_clock_set *sets,
		       size_t count)
{
	size_t at = 0, from = 0;
	int64_t step = 0;

	clock->offsets = calloc(f->instant_count + 1 + count_steps(f, sets, count), sizeof(*clock->offsets));
	if (!clock->offsets)
		return -ENOMEM;
	for (size_t i = 1; i <= count; i++) {
		int64_t next_step = i < count ? step_between(f, &sets[i - 1], &sets[i]) : 0;

		if (i < count && !next_step &&
		    (at + 1 >= f->instant_count || sets[i].ticks < f->instants[at + 1].ticks))
			continue;
		add_offset(clock, sets, from, i, step);
		step = next_step;
		from = i;
		while (i < count && at + 1 < f->instant_count && sets[i].ticks >= f->instants[at + 1].ticks)
			at++;
	}
	return 0;
}

/*
 * Returns the additional error if the kernel calibrates its counter in the first seconds and so
 * changes the rate of CLOCK_MONOTONIC_RAW: the reported rate is the one before or the one after.
 * Between two sets, the clock bends by at most the error of the reported rate over this time; the
 * clock that is made from the bounds may bend in the other direction.
 */
static uint64_t bend_ns(const struct evtlog_clock_set *sets, size_t count, uint64_t ticks_hz)
{
	uint64_t wide = 16 * (uint64_t)narrowest_set(sets, 0, count)->width_ticks, most = 0;
	const struct evtlog_clock_set *from = &sets[0];

	for (size_t i = 1; i < count && from->ticks - sets[0].ticks < BEND_S * ticks_hz; i++) {
		const struct evtlog_clock_set *to = &sets[i];
		s128 named = (u128)(to->ticks - from->ticks) * 1000000000 / ticks_hz, bend;

		/* A set whose reading was interrupted does not bound a rate. */
		if (to->width_ticks > wide && i + 1 < count)
			continue;
		bend = named - (s128)(to->raw_ns - from->raw_ns);
		bend = (bend < 0 ? -bend : bend) * 2 +
		       ((u128)to->width_ticks + from->width_ticks) * 2000000000 / ticks_hz;
		most = larger(most, bend > INT64_MAX ? INT64_MAX : (uint64_t)bend);
		from = to;
	}
	return most;
}

/* @sets are sorted, at least one.  Returns 0 or -ENOMEM. */
static int build(struct clock *clock, struct frame *f, const struct evtlog_clock_set *sets, size_t count,
		 const struct tick_counter *counter)
{
	uint64_t end = sets[0].ticks, before = 0, behind = 0;
	struct clock_node *last;

	for (size_t i = 0; i < count; i++)
		end = larger(end, sets[i].ticks + sets[i].width_ticks);
	if (frame_make(f, sets, count, end, counter))
		return -ENOMEM;
	clock->nodes = calloc(f->instant_count, sizeof(*clock->nodes));
	if (!clock->nodes || add_offsets(clock, f, sets, count))
		return -ENOMEM;
	make_nodes(clock, f);
	last = &clock->nodes[clock->count - 1];
	before = rate_beyond(f, &f->first, counter->first < f->ticks ? f->ticks - counter->first : 0,
			     &clock->before_mult, &clock->before_shift);
	behind = rate_beyond(f, &f->last, counter->last > end ? counter->last - end : 0,
			     &last->mult, &last->shift);
	clock->error_ns += larger(before, behind);
	if (counter->is_early && counter->ticks_hz)
		clock->error_ns += bend_ns(sets, count, counter->ticks_hz);
	return 0;
}

int clock_build(struct clock *clock, struct evtlog_clock_set *sets, size_t count,
		const struct tick_counter *counter)
{
	uint64_t hz = counter->ticks_hz ? counter->ticks_hz : 1000000000;
	struct frame frame = { 0 };
	size_t kept = 0;
	int result = 0;

	memset(clock, 0, sizeof(*clock));
	for (size_t i = 0; i < count; i++)
		if (usable(&sets[i]))
			sets[kept++] = sets[i];
	if (kept) {
		qsort(sets, kept, sizeof(*sets), compare_sets);
		result = build(clock, &frame, sets, kept, counter);
	} else {
		clock->nodes = calloc(1, sizeof(*clock->nodes));
		clock->offsets = calloc(1, sizeof(*clock->offsets));
		if (!clock->nodes || !clock->offsets)
			result = -ENOMEM;
		clock->count = clock->offset_count = !result;
		clock_rate(1000000000, hz, &clock->before_mult, &clock->before_shift);
		if (!result)
			clock_rate(1000000000, hz, &clock->nodes->mult, &clock->nodes->shift);
	}
	frame_free(&frame);
	return result;
}

void clock_free(struct clock *clock)
{
	free(clock->nodes);
	free(clock->offsets);
	clock->nodes = NULL;
	clock->offsets = NULL;
}

/* Returns the last reading at or before @ns, else the first. */
static size_t find_offset(const struct clock *clock, uint64_t ns)
{
	size_t low = 0, high = clock->offset_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (clock->offsets[middle].ns <= ns)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static s128 real_ns(const struct clock *clock, size_t at, uint64_t ns)
{
	const struct clock_offset *a = &clock->offsets[at], *b = a + 1;
	s128 real = (s128)ns + a->offset_ns;

	if (at + 1 < clock->offset_count && ns > a->ns && !b->step_ns)
		real += (s128)(b->offset_ns - (s128)a->offset_ns) * (s128)(ns - a->ns) / (s128)(b->ns - a->ns);
	return real;
}

static int64_t clamp(s128 ns)
{
	if (ns > INT64_MAX)
		return INT64_MAX;
	return ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

int64_t clock_real_ns(const struct clock *clock, uint64_t ns)
{
	return clamp(real_ns(clock, find_offset(clock, ns), ns));
}

int64_t clock_steady_ns(const struct clock *clock, uint64_t ns)
{
	size_t at = find_offset(clock, ns);
	s128 real = real_ns(clock, at, ns);

	for (size_t i = at + 1; i < clock->offset_count; i++)
		real += clock->offsets[i].step_ns;
	return clamp(real);
}

uint64_t clock_steps_ns(const struct clock *clock)
{
	u128 all = 0;

	for (size_t i = 0; i < clock->offset_count; i++)
		all += clock->offsets[i].step_ns < 0 ? -(s128)clock->offsets[i].step_ns : clock->offsets[i].step_ns;
	return all > INT64_MAX ? INT64_MAX : (uint64_t)all;
}
