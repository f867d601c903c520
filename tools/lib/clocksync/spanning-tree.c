// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Spans a tree over the stretches, and by it lays all clocks nearly on each other.
 *
 * Stage: after links, before closure; see network.h.  The ways are rough, and
 * nothing depends on how good they are but the work and a few ns of error.
 */
#include <errno.h>
#include <stdlib.h>

#include "graph.h"

/* A way's rate is good to one in that. */
#define RATE_PART	5000

typedef __int128 s128;

static int64_t clamp(s128 value)
{
	const int64_t limit = INT64_C(1) << 61;

	if (value > limit)
		return limit;
	return value < -limit ? -limit : (int64_t)value;
}

int64_t stretch_time(const struct stretch *stretch, int64_t raw_ns)
{
	s128 since = (s128)raw_ns - stretch->raw_ns;

	return clamp(stretch->time_ns + since +
		     (since * stretch->rate >> RATE_SHIFT));
}

int64_t stretch_raw(const struct stretch *stretch, int64_t time_ns)
{
	s128 since = (s128)time_ns - stretch->time_ns;

	return clamp(stretch->raw_ns +
		     since * RATE_ONE / (RATE_ONE + stretch->rate));
}

/* A way through @link to @to, if it is better than what there is. */
static bool improve(struct network *network, size_t number, size_t from,
		    size_t to)
{
	const struct link *link = &network->links[number];
	const struct stretch *base = &network->stretches[from];
	struct stretch *stretch = &network->stretches[to];

	if (to == network->root ||
	    (from != network->root && base->way == NO_LINK))
		return false;
	if (stretch->way != NO_LINK &&
	    base->cost + link->cost >= stretch->cost)
		return false;
	stretch->way = number;
	stretch->cost = base->cost + link->cost;
	stretch->hops = base->hops + 1;
	stretch->rho = link->rho > base->rho ? link->rho : base->rho;
	return true;
}

static bool usable(const struct link *link)
{
	return !link->dead && link->cost < UINT32_MAX * UINT64_C(1000);
}

/* Both ends of @link, by the clock of @stretch and on the axis, by that of @base. */
static void lay(struct stretch *stretch, const struct stretch *base,
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
		times[i] = stretch_time(base, from[i]);
	/* What is known too badly is not better than nothing. */
	if (span / RATE_PART > (int64_t)link->cost)
		rate = (times[1] - times[0] - span) * RATE_ONE / span;
	stretch->raw_ns = raw[0];
	stretch->time_ns = times[0];
	stretch->rate = rate;
}

static void lay_all(struct network *network)
{
	uint32_t last = 0;

	network->order[0] = network->root;
	network->ordered = 1;
	/* Each pass takes those of one hop more. */
	for (size_t at = 0; at < network->ordered && last <= network->stretch_count;
	     last++) {
		size_t end = network->ordered;

		for (size_t i = 0; i < network->stretch_count; i++) {
			struct stretch *stretch = &network->stretches[i];
			const struct link *link;
			bool is_b;

			if (i == network->root || stretch->way == NO_LINK ||
			    stretch->hops != last + 1)
				continue;
			link = &network->links[stretch->way];
			is_b = link->b == i;
			lay(stretch,
			    &network->stretches[is_b ? link->a : link->b],
			    link, is_b);
			network->order[network->ordered++] = i;
		}
		at = end;
	}
}

/* Hops as the ways finally are. */
static void count_hops(struct network *network)
{
	for (size_t i = 0; i < network->stretch_count; i++) {
		struct stretch *stretch = &network->stretches[i];
		size_t at = i;

		stretch->hops = 0;
		stretch->rho = network->rho;
		while (at != network->root &&
		       network->stretches[at].way != NO_LINK) {
			const struct link *link;

			link = &network->links[network->stretches[at].way];
			if (link->rho > stretch->rho)
				stretch->rho = link->rho;
			stretch->hops++;
			at = link->a == at ? link->b : link->a;
		}
	}
}

/*
 * The reference, if its clock did not step; else the host with most links whose clock
 * did not; else what there is of the reference at first.
 */
static int choose_root(struct network *network)
{
	uint32_t *links = calloc(network->stretch_count, sizeof(*links));
	uint32_t most = 0;

	if (!links)
		return -ENOMEM;
	for (size_t i = 0; i < network->link_count; i++) {
		links[network->links[i].a] += usable(&network->links[i]);
		links[network->links[i].b] += usable(&network->links[i]);
	}
	for (size_t i = network->stretch_count; i--;) {
		size_t host = network->stretches[i].host;
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
	network->order = calloc(network->stretch_count + 1,
				sizeof(*network->order));
	if (!network->order)
		return -ENOMEM;
	for (size_t i = 0; i < network->stretch_count; i++)
		network->stretches[i].way = NO_LINK;
	for (size_t round = 0; changed && round <= network->stretch_count;
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
