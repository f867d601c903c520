// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Divides clocks into segments, and joins these by the packets between them.
 *
 * Stage: first step of network_solve(), with clock-steps.c; see graph.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "lib/base/array.h"

/* Limit of rounds; clocks that step more often are not worth more time. */
#define ROUNDS_MAX	8

static bool holds(const struct segment *segment, int64_t raw_ns)
{
	return raw_ns >= segment->begin_ns && raw_ns <= segment->end_ns;
}

int64_t link_slack(const struct network *network, const struct link *link)
{
	const struct segment *a = &network->segments[link->a];
	const struct segment *b = &network->segments[link->b];

	/* 1 ns for the rounding of clocks and mappings. */
	return network->hosts[a->host].error_ns +
	       network->hosts[b->host].error_ns + 1;
}

void link_points(const struct network *network, const struct link *link,
		 bool on_timeline, struct points *points)
{
	const struct segment *a = &network->segments[link->a];
	const struct segment *b = &network->segments[link->b];
	int64_t slack = link_slack(network, link);

	points->at = network->points;
	points->count = 0;
	for (size_t i = 0; i < link->count; i++) {
		const struct packet *packet = &network->packets->at[link->first + i];
		struct point *point = &points->at[points->count];
		bool upper = packet->from < packet->to;
		int64_t x = upper ? packet->sent_ns : packet->received_ns;
		int64_t y = upper ? packet->received_ns : packet->sent_ns;

		if (network->bad[link->first + i] || !holds(a, x) ||
		    !holds(b, y))
			continue;
		if (on_timeline) {
			x = segment_time(a, x);
			y = segment_time(b, y);
		}
		point->x = x;
		point->value = y - x + (upper ? slack : -slack);
		point->upper = upper;
		network->numbers[points->count++] = link->first + i;
	}
}

/* ---- Segments ---- */

static int make_segments(struct network *network)
{
	const struct step *step, *end;

	free(network->segments);
	network->segments = calloc(network->host_count + network->step_count,
				   sizeof(*network->segments));
	if (!network->segments)
		return -ENOMEM;
	network->segment_count = 0;
	step = network->steps;
	end = step + network->step_count;
	for (size_t i = 0; i < network->host_count; i++) {
		struct segment *segment;

		segment = &network->segments[network->segment_count++];
		segment->host = i;
		segment->begin_ns = INT64_MIN;
		for (; step < end && step->host == i; step++) {
			segment->end_ns = step->from_ns;
			segment = &network->segments[network->segment_count++];
			segment->host = i;
			segment->begin_ns = step->until_ns;
		}
		segment->end_ns = INT64_MAX;
		network->hosts[i].clock.segments = 0;
	}
	for (size_t i = 0; i < network->segment_count; i++) {
		size_t host = network->segments[i].host;

		network->hosts[host].clock.segments++;
	}
	return 0;
}

/* ---- Links ---- */

static int add_link(struct network *network, const struct link *link)
{
	int error = array_reserve(&network->links, &network->link_capacity,
				  network->link_count, sizeof(*link));

	if (!error)
		network->links[network->link_count++] = *link;
	return error;
}

/* A host's segments are adjacent. */
static size_t first_segment(const struct network *network, size_t host)
{
	size_t low = 0, high = network->segment_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (network->segments[middle].host < host)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_of(const struct network *network, size_t at, size_t host)
{
	return at < network->segment_count &&
	       network->segments[at].host == host;
}

/* Makes links between all segments of two hosts. */
static int join_hosts(struct network *network, size_t first, size_t count)
{
	const struct packet *packet = &network->packets->at[first];
	bool upper = packet->from < packet->to;
	size_t host_a = upper ? packet->from : packet->to;
	size_t host_b = upper ? packet->to : packet->from;
	size_t first_a = first_segment(network, host_a);
	size_t first_b = first_segment(network, host_b);
	int result = 0;

	for (size_t a = first_a; is_of(network, a, host_a); a++) {
		for (size_t b = first_b; is_of(network, b, host_b); b++) {
			struct link link = {
				.a = a, .b = b, .first = first, .count = count,
			};
			struct points points;

			link_points(network, &link, false, &points);
			link.used = points.count;
			if (points.count && !result)
				result = add_link(network, &link);
		}
	}
	return result;
}

static bool same_hosts(const struct packet *a, const struct packet *b)
{
	return (a->from == b->from && a->to == b->to) ||
	       (a->from == b->to && a->to == b->from);
}

static int join_all(struct network *network)
{
	const struct packets *packets = network->packets;
	size_t end;
	int result = 0;

	network->link_count = 0;
	for (size_t i = 0; i < packets->count && !result; i = end) {
		for (end = i + 1; end < packets->count &&
		     same_hosts(&packets->at[i], &packets->at[end]); end++)
			;
		result = join_hosts(network, i, end - i);
	}
	return result;
}

/* Finds how far the clocks of a link that fits differ at its first and its last packet. */
static void measure(struct network *network, struct link *link,
		    const struct points *points,
		    const struct extremes *extremes)
{
	int64_t times[2] = {
		points->at[0].x, points->at[points->count - 1].x,
	};
	int64_t upper[2], lower[2];
	struct rates rates;

	link->rho = network->rho;
	link->raised = extremes->rho > network->rho;
	if (link->raised) {
		link->rho = 2 * extremes->rho;
		if (link->rho < RATE_PPB(EVTLOG_RHO_PPB))
			link->rho = RATE_PPB(EVTLOG_RHO_PPB);
	}
	while (!bounds_rates(points, extremes, times[0], times[1], link->rho,
			     &rates)) {
		link->rho *= 2;
		link->raised = true;
	}
	bounds_at(points, &rates, times, 2, upper, lower);
	/* A path needs packets in both directions. */
	if (upper[0] == INT64_MAX || lower[0] == INT64_MIN)
		return;
	link->begin_ns = times[0];
	link->end_ns = times[1];
	link->begin = lower[0] + (upper[0] - lower[0]) / 2;
	link->end = lower[1] + (upper[1] - lower[1]) / 2;
	link->cost = 1;
	for (int i = 0; i < 2; i++)
		if (upper[i] > lower[i])
			link->cost += (uint64_t)upper[i] - lower[i];
}

/* Measures all links.  Returns the number of links that do not fit. */
static size_t measure_all(struct network *network)
{
	size_t count = 0;

	for (size_t i = 0; i < network->link_count; i++) {
		struct link *link = &network->links[i];
		struct extremes extremes;
		struct points points;

		link_points(network, link, false, &points);
		bounds_extremes(&points, RATE_MAX, &extremes);
		link->dead = !extremes.possible;
		link->cost = UINT64_MAX;
		if (extremes.possible)
			measure(network, link, &points, &extremes);
		count += link->dead;
	}
	return count;
}

/* Links that still do not fit stay dead: nothing uses them. */
int links_make(struct network *network)
{
	int result = 0;

	for (int round = 0; round < ROUNDS_MAX && !result; round++) {
		result = make_segments(network);
		if (!result)
			result = join_all(network);
		if (result || !measure_all(network))
			break;
		result = steps_find(network);
	}
	return result;
}

void links_free(struct network *network)
{
	free(network->links);
	free(network->steps);
	free(network->segments);
}
