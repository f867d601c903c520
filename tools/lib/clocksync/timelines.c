// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Makes each host's axis and clock of what is known of its stretches.
 *
 * Stage: the last of the network's; see network.h.
 *
 * Between two instants a clock is off a straight line by no more than its rate
 * may wander; that is added to what is known at the instants.
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

/* ---- A stretch ---- */

static uint64_t wander(const struct network *network,
		       const struct stretch *stretch, size_t at)
{
	const int64_t *times = network->times;
	int64_t span = 0;

	if (at)
		span = times[at] - times[at - 1];
	if (at + 1 < network->time_count && times[at + 1] - times[at] > span)
		span = times[at + 1] - times[at];
	return bounds_product(span / 2 + 1, stretch->rho);
}

static struct axis_node node_at(const struct network *network,
				const struct stretch *stretch, size_t at)
{
	int64_t upper = stretch->upper[at], lower = stretch->lower[at];
	int64_t middle = stretch->middle[at];
	uint64_t half = larger(upper - middle, middle - lower);
	struct axis_node node = {
		.raw_ns = stretch_raw(stretch, network->times[at] + middle),
		.time_ns = network->times[at],
		/* An error in one clock is a bit more in another. */
		.bound_ns = half + 2 * bounds_product(half, stretch->reach) +
			    wander(network, stretch, at) +
			    network->hosts[stretch->host].error_ns + 2,
	};

	if (upper == UNKNOWN_ABOVE || lower == UNKNOWN_BELOW) {
		node.raw_ns = stretch_raw(stretch, network->times[at]);
		node.bound_ns = UINT64_MAX;
	}
	return node;
}

static int stretch_axis(const struct network *network,
			const struct stretch *stretch, struct axis *axis)
{
	axis->nodes = calloc(network->time_count, sizeof(*axis->nodes));
	if (!axis->nodes)
		return -ENOMEM;
	axis->count = 0;
	axis->growth_ppb = 2 * rho_ppb(stretch->rho) + EVTLOG_RHO_PPB;
	for (size_t i = 0; i < network->time_count; i++) {
		struct axis_node node = node_at(network, stretch, i);

		if (axis->count &&
		    (node.raw_ns <= axis->nodes[axis->count - 1].raw_ns ||
		     node.time_ns <= axis->nodes[axis->count - 1].time_ns))
			continue;
		axis->nodes[axis->count++] = node;
	}
	return 0;
}

/* ---- A host ---- */

static bool has_way(const struct network *network,
		    const struct stretch *stretch)
{
	return stretch == &network->stretches[network->root] ||
	       stretch->way != NO_LINK;
}

/* Times don't step back, at the price of the bound. */
static void append(struct axis *axis, struct axis_node node)
{
	const struct axis_node *last = axis->nodes + axis->count - 1;

	if (axis->count && node.raw_ns <= last->raw_ns)
		return;
	if (axis->count && node.time_ns < last->time_ns) {
		if (node.bound_ns < UINT64_MAX / 2)
			node.bound_ns += last->time_ns - node.time_ns;
		node.time_ns = last->time_ns;
	}
	axis->nodes[axis->count++] = node;
}

static struct axis_node node_on(const struct axis *axis, int64_t raw_ns)
{
	return (struct axis_node) {
		.raw_ns = raw_ns,
		.time_ns = axis_time(axis, raw_ns),
		.bound_ns = axis_bound(axis, raw_ns),
	};
}

/*
 * From @from_ns to @until_ns the clock may be that before the step, or that after
 * it: the bound holds both.
 */
static void append_step(struct axis *axis, const struct axis *before,
			const struct axis *after, int64_t from_ns,
			int64_t until_ns)
{
	struct axis_node from[2] = {
		node_on(before, from_ns), node_on(after, from_ns),
	};
	struct axis_node until[2] = {
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
	append(axis, from[0]);
	append(axis, until[1]);
}

static void append_stretch(struct axis *axis, const struct axis *own,
			   const struct stretch *stretch)
{
	if (stretch->begin_ns != INT64_MIN)
		append(axis, node_on(own, stretch->begin_ns));
	for (size_t i = 0; i < own->count; i++)
		if (own->nodes[i].raw_ns > stretch->begin_ns &&
		    own->nodes[i].raw_ns < stretch->end_ns)
			append(axis, own->nodes[i]);
	if (stretch->end_ns != INT64_MAX)
		append(axis, node_on(own, stretch->end_ns));
}

/* Nothing is known from there on. */
static void append_end(struct axis *axis, int64_t raw_ns)
{
	struct axis_node node = node_on(axis, raw_ns + 1);

	node.bound_ns = UINT64_MAX;
	append(axis, node);
}

/* Of the stretches [first, end) of a host, of which some have a way. */
static int host_axis(const struct network *network, const struct stretch *first,
		     const struct stretch *end, struct axis *axis)
{
	struct axis last = { 0 };
	int64_t last_ns = 0;
	int result = 0;

	axis->nodes = calloc((end - first) * (network->time_count + 6),
			     sizeof(*axis->nodes));
	if (!axis->nodes)
		return -ENOMEM;
	for (const struct stretch *stretch = first; stretch < end; stretch++) {
		struct axis own;

		if (!has_way(network, stretch))
			continue;
		result = stretch_axis(network, stretch, &own);
		if (result)
			break;
		if (last.count) {
			append_step(axis, &last, &own, last_ns,
				    stretch->begin_ns);
		} else if (stretch->begin_ns != INT64_MIN) {
			struct axis_node node = node_on(&own, stretch->begin_ns);

			node.raw_ns--;
			node.time_ns--;
			node.bound_ns = UINT64_MAX;
			append(axis, node);
		}
		append_stretch(axis, &own, stretch);
		free(last.nodes);
		last = own;
		last_ns = stretch->end_ns;
		if (own.growth_ppb > axis->growth_ppb)
			axis->growth_ppb = own.growth_ppb;
	}
	if (!result && axis->count && last_ns != INT64_MAX)
		append_end(axis, last_ns);
	free(last.nodes);
	return result;
}

static void describe(const struct network *network, struct host *host)
{
	const struct axis *axis = &host->axis;
	struct evtlog_host_clock *clock = &host->clock;
	int64_t middle = host->begin_ns + (host->end_ns - host->begin_ns) / 2;
	int64_t begin = axis_time(axis, host->begin_ns);
	int64_t span = axis_time(axis, host->end_ns) - begin;
	uint64_t first = axis_bound(axis, host->begin_ns);
	uint64_t last = axis_bound(axis, host->end_ns);

	clock->method = EVTLOG_CLOCK_PACKETS;
	clock->offset_ns = middle - axis_time(axis, middle);
	if (span > 0)
		clock->rate_ppb = (__int128)(host->end_ns - host->begin_ns -
					     span) * 1000000000 / span;
	clock->rate_error_ppb = UINT64_MAX;
	if (first < UINT64_MAX / 2 && last < UINT64_MAX / 2)
		clock->rate_error_ppb = host_rate_error(first + last, span,
							clock->rho_ppb);
	clock->bound_ns = larger(first, last);
	clock->best_bound_ns = smaller(first, last);
	for (size_t i = 0; i < axis->count; i++) {
		const struct axis_node *node = &axis->nodes[i];

		if (node->raw_ns < host->begin_ns || node->raw_ns > host->end_ns)
			continue;
		clock->bound_ns = larger(clock->bound_ns, node->bound_ns);
		if (node->bound_ns < clock->best_bound_ns)
			clock->best_bound_ns = node->bound_ns;
	}
}

/* The stretches of a host are next to each other. */
struct group {
	const struct stretch *first;
	const struct stretch *end;
};

static struct group next_group(const struct network *network,
			       const struct stretch *first)
{
	const struct stretch *all = network->stretches + network->stretch_count;
	struct group group = { first, first + 1 };

	while (group.end < all && group.end->host == first->host)
		group.end++;
	return group;
}

static int group_axis(const struct network *network, struct group group,
		      struct axis *axis)
{
	const struct stretch *root = &network->stretches[network->root];

	if (group.first == root && group.end == root + 1) {
		axis->nodes = calloc(1, sizeof(*axis->nodes));
		if (!axis->nodes)
			return -ENOMEM;
		axis->nodes->bound_ns = network->hosts[root->host].error_ns;
		axis->count = 1;
		return 0;
	}
	/* Most have one, which needs no copy. */
	if (group.end - group.first == 1)
		return stretch_axis(network, group.first, axis);
	return host_axis(network, group.first, group.end, axis);
}

/* @reference: its way, if it is not the root; NULL if it is. */
static int make_host(struct network *network, struct group group,
		     const struct axis *reference)
{
	struct host *host = &network->hosts[group.first->host];
	bool any = false;
	int64_t rho = 0;
	int result;

	for (const struct stretch *s = group.first; s < group.end; s++) {
		if (!has_way(network, s))
			continue;
		any = true;
		rho = larger(rho, s->rho);
		host->clock.hops = larger(host->clock.hops, s->hops);
	}
	if (!any || group.first->host == network->reference)
		return 0;
	result = group_axis(network, group, &host->axis);
	if (!result && reference)
		result = axis_through(&host->axis, reference);
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
				 const struct axis *a, const struct axis *b)
{
	struct evtlog_host_cursor at_a, at_b;
	uint64_t count = 0;

	axis_cursor(&at_a, a);
	axis_cursor(&at_b, b);
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

		if (!from->axis.count || !to->axis.count)
			continue;
		from->clock.dropped++;
		to->clock.dropped++;
	}
	for (size_t i = 0; i < network->link_count; i++) {
		const struct link *link = &network->links[i];
		struct host *a = &network->hosts[network->stretches[link->a].host];
		struct host *b = &network->hosts[network->stretches[link->b].host];
		struct points points;
		uint64_t wrong;

		if (link->dead || !a->axis.count || !b->axis.count)
			continue;
		link_points(network, link, false, &points);
		wrong = count_violations(network, &points, &a->axis, &b->axis);
		a->clock.dropped -= points.count;
		b->clock.dropped -= points.count;
		a->clock.packets += points.count;
		b->clock.packets += points.count;
		a->clock.violations += wrong;
		b->clock.violations += wrong;
	}
}

static int make_reference(const struct network *network, struct axis *axis)
{
	const struct stretch *first = network->stretches;

	while (first->host != network->reference)
		first++;
	return group_axis(network, next_group(network, first), axis);
}

int axes_make(struct network *network)
{
	const struct stretch *all = network->stretches + network->stretch_count;
	bool through = network->stretches[network->root].host !=
		       network->reference;
	struct axis reference = { 0 };
	struct group group;
	int result = 0;

	if (through)
		result = make_reference(network, &reference);
	/* Nothing is known of it, and so of nobody. */
	if (result || (through && !reference.count))
		goto out;
	for (const struct stretch *first = network->stretches;
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
