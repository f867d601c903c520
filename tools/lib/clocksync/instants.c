// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Chooses the instants, and computes the bounds of each link at these.
 *
 * See graph.h.  All times here are on the timeline.
 */
#include <errno.h>
#include <stdlib.h>

#include "graph.h"

/* Limit of the arrays that grow with the number of instants. */
#define ROOM_BYTES	(48u << 20)
#define STEP_MIN_NS	20000000
#define TIMES_MIN	64
/* Before and after the run: for what was in progress when it began. */
#define MARGIN_NS	1000000000

typedef __int128 s128;

/* The time on the timeline that both the segment and the host's files cover. */
static void extent(const struct network *network, const struct segment *segment,
		   int64_t *begin, int64_t *end)
{
	const struct host *host = &network->hosts[segment->host];

	*begin = segment_time(segment, segment->begin_ns > host->begin_ns ?
			      segment->begin_ns : host->begin_ns);
	*end = segment_time(segment, segment->end_ns < host->end_ns ?
			    segment->end_ns : host->end_ns);
}

static int make_times(struct network *network)
{
	size_t each = 8 * network->link_count + 12 * network->segment_count +
		      sizeof(struct timeline_node) * network->host_count;
	int64_t first = INT64_MAX, last = INT64_MIN, span;
	size_t most = ROOM_BYTES / each, count;

	for (size_t i = 0; i < network->ordered; i++) {
		int64_t begin, end;

		extent(network, &network->segments[network->order[i]], &begin,
		       &end);
		if (begin < first)
			first = begin;
		if (end > last)
			last = end;
	}
	span = last - first;
	count = span / STEP_MIN_NS + 2;
	if (most < TIMES_MIN)
		most = TIMES_MIN;
	if (count > most)
		count = most;
	network->times = calloc(count + 2, sizeof(*network->times));
	if (!network->times)
		return -ENOMEM;
	network->times[0] = first - MARGIN_NS;
	for (size_t i = 0; i < count; i++)
		network->times[i + 1] = first + (int64_t)((s128)span * i /
							  (count - 1));
	network->times[count + 1] = last + MARGIN_NS;
	network->time_count = count + 2;
	network->step_ns = span / (count - 1) + 1;
	return 0;
}

static int make_capacity(struct network *network)
{
	size_t rows = 2 * network->link_count + 3 * network->segment_count;
	int32_t *at;

	network->bounds = calloc(rows * network->time_count, sizeof(*at));
	if (!network->bounds)
		return -ENOMEM;
	at = network->bounds;
	for (size_t i = 0; i < network->link_count; i++) {
		network->links[i].upper = at;
		at += network->time_count;
		network->links[i].lower = at;
		at += network->time_count;
	}
	for (size_t i = 0; i < network->segment_count; i++) {
		network->segments[i].upper = at;
		at += network->time_count;
		network->segments[i].lower = at;
		at += network->time_count;
		network->segments[i].middle = at;
		at += network->time_count;
	}
	return 0;
}

/* ---- Links ---- */

static bool has_way(const struct network *network, size_t segment)
{
	return segment == network->root ||
	       network->segments[segment].way != NO_LINK;
}

/* The mean rate is over the time in which both clocks were seen, and all packets. */
static void common_extent(const struct network *network,
			  const struct link *link, const struct points *points,
			  int64_t *begin, int64_t *end)
{
	int64_t begin_b, end_b;

	extent(network, &network->segments[link->a], begin, end);
	extent(network, &network->segments[link->b], &begin_b, &end_b);
	*begin = larger_of(*begin, begin_b);
	if (end_b < *end)
		*end = end_b;
	if (points->at[0].x < *begin)
		*begin = points->at[0].x;
	*end = larger_of(*end, points->at[points->count - 1].x);
}

static void bound_link(struct network *network, struct link *link,
		       int64_t *upper, int64_t *lower)
{
	const struct segment *a = &network->segments[link->a];
	const struct segment *b = &network->segments[link->b];
	/* Clocks differ by less than RATE_MAX; on the timeline, add the rates of mappings. */
	int64_t limit = RATE_MAX + 2 * larger_of(a->rate - b->rate,
					      b->rate - a->rate);
	struct extremes extremes;
	struct points points;
	struct rates rates;
	int64_t begin, end;

	link_points(network, link, true, &points);
	bounds_extremes(&points, limit, &extremes);
	if (extremes.rho > link->rho) {
		link->rho = 2 * extremes.rho;
		link->raised = true;
	}
	common_extent(network, link, &points, &begin, &end);
	while (!bounds_rates(&points, &extremes, begin, end, link->rho,
			     &rates)) {
		link->rho *= 2;
		link->raised = true;
	}
	link->reach = larger_of(larger_of(rates.fast, -rates.fast),
			     larger_of(rates.slow, -rates.slow));
	link->slack = link_slack(network, link);
	link->margin = link->slack +
		       bounds_product(network->step_ns, link->reach) + 2;
	bounds_at(&points, &rates, network->times, network->time_count, upper,
		  lower);
	for (size_t i = 0; i < network->time_count; i++) {
		link->upper[i] = narrowed(upper[i]);
		link->lower[i] = narrowed(lower[i]);
	}
}

static void forget_link(const struct network *network, struct link *link)
{
	for (size_t i = 0; i < network->time_count; i++) {
		link->upper[i] = UNKNOWN_ABOVE;
		link->lower[i] = UNKNOWN_BELOW;
	}
}

/* Sums reach along the path of each segment; segments with fewer hops come first. */
static void sum_reach(struct network *network)
{
	for (size_t i = 1; i < network->ordered; i++) {
		size_t own = network->order[i];
		const struct link *link =
			&network->links[network->segments[own].way];
		size_t base = link->a == own ? link->b : link->a;

		network->segments[own].reach =
			network->segments[base].reach + link->reach;
	}
}

int instants_bound(struct network *network)
{
	int64_t *upper = calloc(network->time_count, sizeof(*upper));
	int64_t *lower = calloc(network->time_count, sizeof(*lower));
	int result = upper && lower ? 0 : -ENOMEM;

	for (size_t i = 0; i < network->link_count && !result; i++) {
		struct link *link = &network->links[i];

		if (!link->dead && has_way(network, link->a) &&
		    has_way(network, link->b))
			bound_link(network, link, upper, lower);
		else
			forget_link(network, link);
	}
	sum_reach(network);
	free(upper);
	free(lower);
	return result;
}

int instants_make(struct network *network)
{
	int result;

	free(network->times);
	free(network->bounds);
	network->times = NULL;
	network->bounds = NULL;
	result = make_times(network);
	if (!result)
		result = make_capacity(network);
	return result ? result : instants_bound(network);
}
