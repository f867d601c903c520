// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Makes each host's timeline and clock from the bounds of its segments.
 *
 * Stage: last step of network_solve(); see graph.h.
 *
 * Between two instants, rho limits how far a clock departs from a straight line.  This limit is
 * added to the bounds at the instants.
 */
#include <errno.h>
#include <stdlib.h>

#include "graph.h"

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static int64_t rho_ppb(int64_t rho)
{
	return ((__int128)rho * 1000000000 + (INT64_C(1) << (RATE_SHIFT - 1))) >>
	       RATE_SHIFT;
}

/* ---- A segment ---- */

static uint64_t wander(const struct network *network,
		       const struct segment *segment, size_t at)
{
	const int64_t *times = network->times;
	int64_t span = 0;

	if (at)
		span = times[at] - times[at - 1];
	if (at + 1 < network->time_count && times[at + 1] - times[at] > span)
		span = times[at + 1] - times[at];
	return bounds_product(span / 2 + 1, segment->rho);
}

static struct timeline_node node_at(const struct network *network,
				    const struct segment *segment, size_t at)
{
	int64_t upper = segment->upper[at], lower = segment->lower[at];
	int64_t middle = segment->middle[at];
	uint64_t half = larger(upper - middle, middle - lower);
	struct timeline_node node = {
		.raw_ns = segment_raw(segment, network->times[at] + middle),
		.time_ns = network->times[at],
		/* An error in one clock is slightly more in another. */
		.bound_ns = half + 2 * bounds_product(half, segment->reach) +
			    wander(network, segment, at) +
			    network->hosts[segment->host].error_ns + 2,
	};

	if (upper == UNKNOWN_ABOVE || lower == UNKNOWN_BELOW) {
		node.raw_ns = segment_raw(segment, network->times[at]);
		node.bound_ns = UINT64_MAX;
	}
	return node;
}

static int segment_axis(const struct network *network,
			const struct segment *segment, struct timeline *timeline)
{
	timeline->nodes = calloc(network->time_count, sizeof(*timeline->nodes));
	if (!timeline->nodes)
		return -ENOMEM;
	timeline->count = 0;
	timeline->growth_ppb = 2 * rho_ppb(segment->rho) + EVTLOG_RHO_PPB;
	for (size_t i = 0; i < network->time_count; i++) {
		struct timeline_node node = node_at(network, segment, i);

		if (timeline->count &&
		    (node.raw_ns <= timeline->nodes[timeline->count - 1].raw_ns ||
		     node.time_ns <= timeline->nodes[timeline->count - 1].time_ns))
			continue;
		timeline->nodes[timeline->count++] = node;
	}
	return 0;
}

/* ---- A host ---- */

static bool has_way(const struct network *network,
		    const struct segment *segment)
{
	return segment == &network->segments[network->root] ||
	       segment->way != NO_LINK;
}

/* A time that would step back is raised, and so is its bound. */
static void append(struct timeline *timeline, struct timeline_node node)
{
	const struct timeline_node *last = timeline->nodes + timeline->count - 1;

	if (timeline->count && node.raw_ns <= last->raw_ns)
		return;
	if (timeline->count && node.time_ns < last->time_ns) {
		if (node.bound_ns < UINT64_MAX / 2)
			node.bound_ns += last->time_ns - node.time_ns;
		node.time_ns = last->time_ns;
	}
	timeline->nodes[timeline->count++] = node;
}

static struct timeline_node node_on(const struct timeline *timeline, int64_t raw_ns)
{
	return (struct timeline_node) {
		.raw_ns = raw_ns,
		.time_ns = timeline_time(timeline, raw_ns),
		.bound_ns = timeline_bound(timeline, raw_ns),
	};
}

/*
 * Between @from_ns and @until_ns, the clock may be the one before or the one after the step: the
 * bound covers both.
 */
static void append_step(struct timeline *timeline, const struct timeline *before,
			const struct timeline *after, int64_t from_ns,
			int64_t until_ns)
{
	struct timeline_node from[2] = {
		node_on(before, from_ns), node_on(after, from_ns),
	};
	struct timeline_node until[2] = {
		node_on(before, until_ns), node_on(after, until_ns),
	};
	uint64_t bound = larger(larger(from[0].bound_ns, from[1].bound_ns),
				larger(until[0].bound_ns, until[1].bound_ns));
	int64_t first = smaller(from[0].time_ns, from[1].time_ns);
	int64_t last = -smaller(-until[0].time_ns, -until[1].time_ns);

	if (bound < UINT64_MAX / 2)
		bound += last - first;
	from[0].bound_ns = bound;
	from[0].raw_ns++;
	until[1].bound_ns = bound;
	until[1].raw_ns--;
	append(timeline, from[0]);
	append(timeline, until[1]);
}

static void append_segment(struct timeline *timeline, const struct timeline *own,
			   const struct segment *segment)
{
	if (segment->begin_ns != INT64_MIN)
		append(timeline, node_on(own, segment->begin_ns));
	for (size_t i = 0; i < own->count; i++)
		if (own->nodes[i].raw_ns > segment->begin_ns &&
		    own->nodes[i].raw_ns < segment->end_ns)
			append(timeline, own->nodes[i]);
	if (segment->end_ns != INT64_MAX)
		append(timeline, node_on(own, segment->end_ns));
}

/* The time is unknown from here on. */
static void append_end(struct timeline *timeline, int64_t raw_ns)
{
	struct timeline_node node = node_on(timeline, raw_ns + 1);

	node.bound_ns = UINT64_MAX;
	append(timeline, node);
}

/* Makes the timeline of a host's segments [first, end); some of them have a path. */
static int host_timeline(const struct network *network, const struct segment *first,
			 const struct segment *end, struct timeline *timeline)
{
	struct timeline last = { 0 };
	int64_t last_ns = 0;
	int result = 0;

	timeline->nodes = calloc((end - first) * (network->time_count + 6),
				 sizeof(*timeline->nodes));
	if (!timeline->nodes)
		return -ENOMEM;
	for (const struct segment *segment = first; segment < end; segment++) {
		struct timeline own;

		if (!has_way(network, segment))
			continue;
		result = segment_axis(network, segment, &own);
		if (result)
			break;
		if (last.count) {
			append_step(timeline, &last, &own, last_ns,
				    segment->begin_ns);
		} else if (segment->begin_ns != INT64_MIN) {
			struct timeline_node node = node_on(&own, segment->begin_ns);

			node.raw_ns--;
			node.time_ns--;
			node.bound_ns = UINT64_MAX;
			append(timeline, node);
		}
		append_segment(timeline, &own, segment);
		free(last.nodes);
		last = own;
		last_ns = segment->end_ns;
		if (own.growth_ppb > timeline->growth_ppb)
			timeline->growth_ppb = own.growth_ppb;
	}
	if (!result && timeline->count && last_ns != INT64_MAX)
		append_end(timeline, last_ns);
	free(last.nodes);
	return result;
}

static void describe(const struct network *network, struct host *host)
{
	const struct timeline *timeline = &host->timeline;
	struct evtlog_host_clock *clock = &host->clock;
	int64_t middle = host->begin_ns + (host->end_ns - host->begin_ns) / 2;
	int64_t begin = timeline_time(timeline, host->begin_ns);
	int64_t span = timeline_time(timeline, host->end_ns) - begin;
	uint64_t first = timeline_bound(timeline, host->begin_ns);
	uint64_t last = timeline_bound(timeline, host->end_ns);

	clock->method = EVTLOG_CLOCK_PACKETS;
	clock->offset_ns = middle - timeline_time(timeline, middle);
	if (span > 0)
		clock->rate_ppb = (__int128)(host->end_ns - host->begin_ns -
					     span) * 1000000000 / span;
	clock->rate_error_ppb = UINT64_MAX;
	if (first < UINT64_MAX / 2 && last < UINT64_MAX / 2)
		clock->rate_error_ppb = host_rate_error(first + last, span,
							clock->rho_ppb);
	clock->bound_ns = larger(first, last);
	clock->best_bound_ns = smaller(first, last);
	for (size_t i = 0; i < timeline->count; i++) {
		const struct timeline_node *node = &timeline->nodes[i];

		if (node->raw_ns < host->begin_ns || node->raw_ns > host->end_ns)
			continue;
		clock->bound_ns = larger(clock->bound_ns, node->bound_ns);
		if (node->bound_ns < clock->best_bound_ns)
			clock->best_bound_ns = node->bound_ns;
	}
}

/* The segments of a host, which are adjacent. */
struct group {
	const struct segment *first;
	const struct segment *end;
};

static struct group next_group(const struct network *network,
			       const struct segment *first)
{
	const struct segment *all = network->segments + network->segment_count;
	struct group group = { first, first + 1 };

	while (group.end < all && group.end->host == first->host)
		group.end++;
	return group;
}

static int group_timeline(const struct network *network, struct group group,
			  struct timeline *timeline)
{
	const struct segment *root = &network->segments[network->root];

	if (group.first == root && group.end == root + 1) {
		timeline->nodes = calloc(1, sizeof(*timeline->nodes));
		if (!timeline->nodes)
			return -ENOMEM;
		timeline->nodes->bound_ns = network->hosts[root->host].error_ns;
		timeline->count = 1;
		return 0;
	}
	/* Most hosts have one segment, which needs no copy. */
	if (group.end - group.first == 1)
		return segment_axis(network, group.first, timeline);
	return host_timeline(network, group.first, group.end, timeline);
}

/* @reference: its timeline, if the reference is not the root; else NULL. */
static int make_host(struct network *network, struct group group,
		     const struct timeline *reference)
{
	struct host *host = &network->hosts[group.first->host];
	bool any = false;
	int64_t rho = 0;
	int result;

	for (const struct segment *s = group.first; s < group.end; s++) {
		if (!has_way(network, s))
			continue;
		any = true;
		rho = larger(rho, s->rho);
		host->clock.hops = larger(host->clock.hops, s->hops);
	}
	if (!any || group.first->host == network->reference)
		return 0;
	result = group_timeline(network, group, &host->timeline);
	if (!result && reference)
		result = timeline_through(&host->timeline, reference);
	if (result)
		return result;
	host->clock.rho_ppb = rho_ppb(rho);
	host->clock.rho_raised = rho > network->rho;
	describe(network, host);
	return 0;
}

/* ---- Packets ---- */

static uint64_t count_violations(struct network *network,
				 const struct points *points,
				 const struct timeline *a, const struct timeline *b)
{
	struct evtlog_host_cursor at_a, at_b;
	uint64_t count = 0;

	timeline_cursor(&at_a, a);
	timeline_cursor(&at_b, b);
	for (size_t i = 0; i < points->count; i++) {
		const struct packet *packet;
		int64_t sent, received;
		bool from_a;

		packet = &network->packets->at[network->numbers[i]];
		from_a = packet->from < packet->to;
		sent = evtlog_host_cursor_time(from_a ? &at_a : &at_b,
					       packet->sent_ns);
		received = evtlog_host_cursor_time(from_a ? &at_b : &at_a,
						   packet->received_ns);
		count += received < sent;
	}
	return count;
}

static void count_packets(struct network *network)
{
	for (size_t i = 0; i < network->packets->count; i++) {
		const struct packet *packet = &network->packets->at[i];
		struct host *from = &network->hosts[packet->from];
		struct host *to = &network->hosts[packet->to];

		if (!from->timeline.count || !to->timeline.count)
			continue;
		from->clock.dropped++;
		to->clock.dropped++;
	}
	for (size_t i = 0; i < network->link_count; i++) {
		const struct link *link = &network->links[i];
		struct host *a = &network->hosts[network->segments[link->a].host];
		struct host *b = &network->hosts[network->segments[link->b].host];
		struct points points;
		uint64_t wrong;

		if (link->dead || !a->timeline.count || !b->timeline.count)
			continue;
		link_points(network, link, false, &points);
		wrong = count_violations(network, &points, &a->timeline, &b->timeline);
		a->clock.dropped -= points.count;
		b->clock.dropped -= points.count;
		a->clock.packets += points.count;
		b->clock.packets += points.count;
		a->clock.violations += wrong;
		b->clock.violations += wrong;
	}
}

static int make_reference(const struct network *network, struct timeline *timeline)
{
	const struct segment *first = network->segments;

	while (first->host != network->reference)
		first++;
	return group_timeline(network, next_group(network, first), timeline);
}

int timelines_make(struct network *network)
{
	const struct segment *all = network->segments + network->segment_count;
	bool through = network->segments[network->root].host !=
		       network->reference;
	struct timeline reference = { 0 };
	struct group group;
	int result = 0;

	if (through)
		result = make_reference(network, &reference);
	/* If the reference is unknown, so are all hosts. */
	if (result || (through && !reference.count))
		goto out;
	for (const struct segment *first = network->segments;
	     first < all && !result; first = group.end) {
		group = next_group(network, first);
		result = make_host(network, group,
				   through ? &reference : NULL);
	}
	if (!result)
		count_packets(network);
out:
	free(reference.nodes);
	return result;
}
