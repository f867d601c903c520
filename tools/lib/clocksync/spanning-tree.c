// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Spans a tree over the segments, and maps all clocks roughly onto the timeline.
 *
 * See graph.h.  The quality of these mappings affects only the amount of work and a few ns of
 * error.
 */
#include <errno.h>
#include <stdlib.h>

#include "graph.h"

/* The rate of a mapping is accurate to 1 / RATE_PART. */
#define RATE_PART	5000

typedef __int128 s128;

static int64_t clamp(s128 value)
{
	const int64_t limit = INT64_C(1) << 61;

	if (value > limit)
		return limit;
	return value < -limit ? -limit : (int64_t)value;
}

int64_t segment_time(const struct segment *segment, int64_t raw_ns)
{
	s128 since = (s128)raw_ns - segment->raw_ns;

	return clamp(segment->time_ns + since +
		     (since * segment->rate >> RATE_SHIFT));
}

int64_t segment_raw(const struct segment *segment, int64_t time_ns)
{
	s128 since = (s128)time_ns - segment->time_ns;

	return clamp(segment->raw_ns +
		     since * RATE_ONE / (RATE_ONE + segment->rate));
}

/* Takes the path through @link to @to, if it is better than the present path. */
static bool improve(struct network *network, size_t number, size_t from,
		    size_t to)
{
	const struct link *link = &network->links[number];
	const struct segment *base = &network->segments[from];
	struct segment *segment = &network->segments[to];

	if (to == network->root ||
	    (from != network->root && base->way == NO_LINK))
		return false;
	if (segment->way != NO_LINK &&
	    base->cost + link->cost >= segment->cost)
		return false;
	segment->way = number;
	segment->cost = base->cost + link->cost;
	segment->hops = base->hops + 1;
	segment->rho = link->rho > base->rho ? link->rho : base->rho;
	return true;
}

static bool usable(const struct link *link)
{
	return !link->dead && link->cost < UINT32_MAX * UINT64_C(1000);
}

/* Maps @segment by the ends of @link: their times on @segment's clock, and by @base's mapping. */
static void lay(struct segment *segment, const struct segment *base,
		const struct link *link, bool is_b)
{
	int64_t own[2] = { link->begin_ns, link->end_ns };
	int64_t others[2] = {
		link->begin_ns + link->begin, link->end_ns + link->end,
	};
	const int64_t *raw = is_b ? others : own;
	const int64_t *from = is_b ? own : others;
	int64_t span = raw[1] - raw[0], times[2];
	int64_t rate = base->rate;

	for (int i = 0; i < 2; i++)
		times[i] = segment_time(base, from[i]);
	/* A rate that is too uncertain is not better than none. */
	if (span / RATE_PART > (int64_t)link->cost)
		rate = (times[1] - times[0] - span) * RATE_ONE / span;
	segment->raw_ns = raw[0];
	segment->time_ns = times[0];
	segment->rate = rate;
}

static void lay_all(struct network *network)
{
	uint32_t last = 0;

	network->order[0] = network->root;
	network->ordered = 1;
	/* Each pass takes the segments with one more hop. */
	for (size_t at = 0; at < network->ordered && last <= network->segment_count;
	     last++) {
		size_t end = network->ordered;

		for (size_t i = 0; i < network->segment_count; i++) {
			struct segment *segment = &network->segments[i];
			const struct link *link;
			bool is_b;

			if (i == network->root || segment->way == NO_LINK ||
			    segment->hops != last + 1)
				continue;
			link = &network->links[segment->way];
			is_b = link->b == i;
			lay(segment,
			    &network->segments[is_b ? link->a : link->b],
			    link, is_b);
			network->order[network->ordered++] = i;
		}
		at = end;
	}
}

/* Counts hops, and finds the largest rho, along the final paths. */
static void count_hops(struct network *network)
{
	for (size_t i = 0; i < network->segment_count; i++) {
		struct segment *segment = &network->segments[i];
		size_t at = i;

		segment->hops = 0;
		segment->rho = network->rho;
		while (at != network->root &&
		       network->segments[at].way != NO_LINK) {
			const struct link *link;

			link = &network->links[network->segments[at].way];
			if (link->rho > segment->rho)
				segment->rho = link->rho;
			segment->hops++;
			at = link->a == at ? link->b : link->a;
		}
	}
}

/*
 * Chooses the reference, if its clock did not step; else the host with most links whose clock
 * did not step; else the first segment of the reference.
 */
static int choose_root(struct network *network)
{
	uint32_t *links = calloc(network->segment_count, sizeof(*links));
	uint32_t most = 0;

	if (!links)
		return -ENOMEM;
	for (size_t i = 0; i < network->link_count; i++) {
		links[network->links[i].a] += usable(&network->links[i]);
		links[network->links[i].b] += usable(&network->links[i]);
	}
	for (size_t i = network->segment_count; i--;) {
		size_t host = network->segments[i].host;
		bool stepped = network->hosts[host].clock.segments > 1;

		if (host == network->reference) {
			if (!stepped || !most)
				network->root = i;
			if (!stepped)
				break;
		} else if (!stepped && links[i] >= most &&
			   network->hosts[network->reference].clock.segments > 1 &&
			   links[i]) {
			most = links[i];
			network->root = i;
		}
	}
	free(links);
	return 0;
}

int tree_span(struct network *network)
{
	bool changed = true;
	int result;

	result = choose_root(network);
	if (result)
		return result;
	free(network->order);
	network->order = calloc(network->segment_count + 1,
				sizeof(*network->order));
	if (!network->order)
		return -ENOMEM;
	for (size_t i = 0; i < network->segment_count; i++)
		network->segments[i].way = NO_LINK;
	for (size_t round = 0; changed && round <= network->segment_count;
	     round++) {
		changed = false;
		for (size_t i = 0; i < network->link_count; i++) {
			const struct link *link = &network->links[i];

			if (!usable(link))
				continue;
			changed |= improve(network, i, link->a, link->b);
			changed |= improve(network, i, link->b, link->a);
		}
	}
	count_hops(network);
	lay_all(network);
	return 0;
}
