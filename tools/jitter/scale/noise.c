// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The noise of a CPU, as a program on it meets it.
 *
 * Stage: between recorded interruptions and `evtlog jitter scale`.
 *
 * The time between interruptions belongs to the program: when an interruption begins, the program
 * has had begin_ns - before_ns of time. To find when work is done, search the interruption at
 * which the program has had enough time. Most searches end a few points after the last place, so
 * they start there and double their steps.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "noise.h"

int noise_new(struct noise_trace *trace, uint64_t window_ns, size_t capacity)
{
	*trace = (struct noise_trace){ .window_ns = window_ns, .capacity = capacity };
	trace->points = calloc(capacity + 1, sizeof(*trace->points));
	trace->tags = calloc(capacity + 1, sizeof(*trace->tags));
	if (!trace->points || !trace->tags) {
		noise_free(trace);
		return -ENOMEM;
	}
	return 0;
}

void noise_free(struct noise_trace *trace)
{
	free(trace->points);
	free(trace->tags);
	*trace = (struct noise_trace){ 0 };
}

void noise_add(struct noise_trace *trace, uint64_t begin_ns, uint64_t length_ns, uint32_t tag)
{
	struct noise_point *point = &trace->points[trace->count];

	/* points[count] contains the end of the last interruption, and the sum of all lengths. */
	if (begin_ns < point->begin_ns)
		begin_ns = point->begin_ns;
	if (trace->count == trace->capacity || begin_ns >= trace->window_ns || !length_ns)
		return;
	if (length_ns > trace->window_ns - begin_ns)
		length_ns = trace->window_ns - begin_ns;
	point->begin_ns = begin_ns;
	trace->tags[trace->count++] = tag;
	point[1].begin_ns = begin_ns + length_ns;
	point[1].before_ns = point->before_ns + length_ns;
}

uint64_t noise_close(struct noise_trace *trace)
{
	struct noise_point *last = &trace->points[trace->count];

	last->begin_ns = trace->window_ns;
	return trace->window_ns - last->before_ns;
}

static bool is_over(const struct noise_trace *trace, size_t i, uint64_t at_ns)
{
	return trace->points[i].begin_ns + noise_length(trace, i) <= at_ns;
}

static bool is_met(const struct noise_trace *trace, size_t i, uint64_t worked_ns)
{
	return trace->points[i].begin_ns - trace->points[i].before_ns < worked_ns;
}

/*
 * The first point from @from on for which @holds is false, or @trace->count. @holds is true for
 * the points before it, and false for those after it.
 */
static inline size_t search(const struct noise_trace *trace, size_t from, uint64_t ns,
			    bool (*holds)(const struct noise_trace *trace, size_t i,
					  uint64_t ns))
{
	size_t step = 1, low = from, high;

	while (low + step <= trace->count && holds(trace, low + step - 1, ns)) {
		low += step;
		step *= 2;
	}
	high = low + step - 1 < trace->count ? low + step - 1 : trace->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (holds(trace, middle, ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct noise_place noise_at(const struct noise_trace *trace, uint64_t at_ns)
{
	return (struct noise_place){ at_ns, search(trace, 0, at_ns, is_over) };
}

/* The time up to @place that the program had. */
static uint64_t worked(const struct noise_trace *trace, const struct noise_place *place)
{
	const struct noise_point *next = &trace->points[place->next];
	uint64_t at_ns = next->begin_ns < place->at_ns ? next->begin_ns : place->at_ns;

	return at_ns - next->before_ns;
}

uint64_t noise_work(const struct noise_trace *trace, const struct noise_place *place,
		    uint64_t work_ns)
{
	uint64_t round_ns = trace->window_ns - trace->points[trace->count].before_ns;
	uint64_t until_ns = worked(trace, place) + work_ns, rounds = 0;
	size_t met;

	/* An interruption that begins exactly when the work is done is not met. */
	if (until_ns > round_ns) {
		rounds = (until_ns - 1) / round_ns;
		until_ns -= rounds * round_ns;
	}
	met = search(trace, rounds ? 0 : place->next, until_ns, is_met);
	return rounds * trace->window_ns + until_ns + trace->points[met].before_ns -
	       place->at_ns;
}

void noise_advance(const struct noise_trace *trace, struct noise_place *place, uint64_t ns)
{
	uint64_t at_ns = place->at_ns + ns;
	size_t from = place->next;

	if (at_ns >= trace->window_ns) {
		at_ns %= trace->window_ns;
		from = 0;
	}
	place->at_ns = at_ns;
	place->next = search(trace, from, at_ns, is_over);
}

void noise_met(const struct noise_trace *trace, const struct noise_place *place,
	       uint64_t elapsed_ns, void (*each)(void *arg, size_t i, uint64_t ns), void *arg)
{
	uint64_t from_ns = place->at_ns, left_ns = elapsed_ns;
	size_t i = place->next;

	while (left_ns) {
		uint64_t round_ns = trace->window_ns - from_ns, until_ns;

		if (round_ns > left_ns)
			round_ns = left_ns;
		until_ns = from_ns + round_ns;
		for (; i < trace->count && trace->points[i].begin_ns < until_ns; i++) {
			uint64_t begin_ns = trace->points[i].begin_ns;
			uint64_t end_ns = begin_ns + noise_length(trace, i);

			if (begin_ns < from_ns)
				begin_ns = from_ns;
			if (end_ns > until_ns)
				end_ns = until_ns;
			each(arg, i, end_ns - begin_ns);
		}
		left_ns -= round_ns;
		from_ns = 0;
		i = 0;
	}
}
