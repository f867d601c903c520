// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Converts timelines to the reference's clock, if the reference itself stepped.
 *
 * See graph.h.
 *
 * A clock that stepped cannot be the timeline of other hosts.  So the timeline is first a clock
 * that did not step; at the end, each time on it is converted to the reference's.  During a step
 * of the reference, its clock may have been anything in between.
 */
#include <errno.h>
#include <stdlib.h>

#include "graph.h"

typedef __int128 s128;

/* An interval in which the reference's clock departs from the timeline, by at most @span_ns. */
struct hole {
	int64_t from_ns;
	int64_t until_ns;
	int64_t span_ns;
};

struct reference {
	const struct timeline *timeline;
	struct hole *holes;
	size_t hole_count;
	uint64_t bound_ns;	/* outside of holes */
};

/* Returns the raw time of @timeline's clock at @time_ns. */
static int64_t raw_at(const struct timeline *timeline, int64_t time_ns)
{
	size_t at = timeline_find_time(timeline, time_ns);
	const struct timeline_node *node = &timeline->nodes[at];
	s128 since = (s128)time_ns - node->time_ns;

	if (at + 1 == timeline->count || since < 0 ||
	    node[1].time_ns == node->time_ns)
		return node->raw_ns + (int64_t)since;
	return node->raw_ns + (int64_t)(since * (node[1].raw_ns - node->raw_ns) /
					(node[1].time_ns - node->time_ns));
}

static bool is_hole(const struct timeline_node *node)
{
	int64_t raw = node[1].raw_ns - node->raw_ns;
	int64_t time = node[1].time_ns - node->time_ns;
	int64_t off = raw > time ? raw - time : time - raw;

	return off > time / 512 + 2 || node->bound_ns == UINT64_MAX ||
	       node[1].bound_ns == UINT64_MAX;
}

/* @bound_ns ignores the nodes at the ends of holes: they have the bounds of the holes. */
static int find_holes(struct reference *reference)
{
	const struct timeline *timeline = reference->timeline;
	bool after = false;

	reference->holes = calloc(timeline->count, sizeof(*reference->holes));
	if (!reference->holes)
		return -ENOMEM;
	for (size_t i = 0; i + 1 < timeline->count; i++) {
		const struct timeline_node *node = &timeline->nodes[i];

		if (is_hole(node)) {
			reference->holes[reference->hole_count++] = (struct hole) {
				.from_ns = node->time_ns,
				.until_ns = node[1].time_ns,
				.span_ns = node[1].raw_ns - node->raw_ns,
			};
			after = true;
			continue;
		}
		if (!after && i + 2 < timeline->count && !is_hole(node + 1) &&
		    node->bound_ns > reference->bound_ns)
			reference->bound_ns = node->bound_ns;
		after = false;
	}
	return 0;
}

static uint64_t add(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* Returns the bound of times from @from_ns to @until_ns that have the error @bound_ns. */
static uint64_t bound_within(const struct reference *reference, int64_t from_ns,
			     int64_t until_ns, uint64_t bound_ns)
{
	s128 from = (s128)from_ns - bound_ns, until = (s128)until_ns + bound_ns;
	uint64_t all = add(bound_ns, reference->bound_ns);

	for (size_t i = 0; i < reference->hole_count; i++) {
		const struct hole *hole = &reference->holes[i];

		if (hole->from_ns <= until && hole->until_ns >= from)
			all = add(all, hole->span_ns);
	}
	return all;
}

static void append(struct timeline *timeline, struct timeline_node node)
{
	const struct timeline_node *last = timeline->nodes + timeline->count - 1;

	if (timeline->count && node.raw_ns <= last->raw_ns)
		return;
	if (timeline->count && node.time_ns < last->time_ns)
		node.time_ns = last->time_ns;
	timeline->nodes[timeline->count++] = node;
}

/* Joins the nodes of both by time; times are still on the timeline that both share. */
static void join(const struct timeline *timeline, const struct timeline *reference,
		 struct timeline *joined)
{
	const struct timeline_node *a = timeline->nodes, *b = reference->nodes;
	const struct timeline_node *a_end = a + timeline->count;
	const struct timeline_node *b_end = b + reference->count;

	while (a < a_end || b < b_end) {
		int64_t raw_ns;

		if (b == b_end || (a < a_end && a->time_ns <= b->time_ns)) {
			append(joined, *a++);
			continue;
		}
		raw_ns = raw_at(timeline, b->time_ns);
		append(joined, (struct timeline_node) {
			.raw_ns = raw_ns,
			.time_ns = b->time_ns,
			.bound_ns = raw_ns < 0 ? UINT64_MAX :
				    timeline_bound(timeline, raw_ns),
		});
		b++;
	}
}

int timeline_through(struct timeline *timeline, const struct timeline *reference_timeline)
{
	struct reference reference = { .timeline = reference_timeline };
	struct timeline joined = { .growth_ppb = timeline->growth_ppb +
					     reference_timeline->growth_ppb };
	struct timeline_node *nodes;
	int64_t last_ns = 0;
	int result;

	joined.nodes = calloc(timeline->count + reference_timeline->count,
			      sizeof(*joined.nodes));
	if (!joined.nodes)
		return -ENOMEM;
	result = find_holes(&reference);
	if (result) {
		free(joined.nodes);
		return result;
	}
	join(timeline, reference_timeline, &joined);
	nodes = joined.nodes;
	for (size_t i = 0; i < joined.count; i++) {
		int64_t own_ns = nodes[i].time_ns;
		int64_t from_ns = i ? last_ns : own_ns;
		int64_t until_ns = i + 1 < joined.count ? nodes[i + 1].time_ns :
				   own_ns;

		nodes[i].bound_ns = bound_within(&reference, from_ns, until_ns,
						 nodes[i].bound_ns);
		nodes[i].time_ns = raw_at(reference_timeline, own_ns);
		last_ns = own_ns;
	}
	free(reference.holes);
	free(timeline->nodes);
	*timeline = joined;
	return 0;
}
