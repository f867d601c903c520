// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Lays axes on another host's clock, when the reference itself stepped.
 *
 * Stage: after axes; see network.h.
 *
 * A clock that stepped is no axis for others.  So one that did not is, and in the
 * end each time on it is turned into the reference's.  Where the reference
 * stepped, its clock may have been anything in between.
 */
#include <errno.h>
#include <stdlib.h>

#include "graph.h"

typedef __int128 s128;

/* Where the reference's clock went otherwise than the axis, by @span_ns at most. */
struct hole {
	int64_t from_ns;
	int64_t until_ns;
	int64_t span_ns;
};

struct reference {
	const struct axis *axis;
	struct hole *holes;
	size_t hole_count;
	uint64_t bound_ns;	/* outside of holes */
};

/* What the clock of @axis was at @time_ns. */
static int64_t raw_at(const struct axis *axis, int64_t time_ns)
{
	size_t at = axis_find_time(axis, time_ns);
	const struct axis_node *node = &axis->nodes[at];
	s128 since = (s128)time_ns - node->time_ns;

	if (at + 1 == axis->count || since < 0 ||
	    node[1].time_ns == node->time_ns)
		return node->raw_ns + (int64_t)since;
	return node->raw_ns + (int64_t)(since * (node[1].raw_ns - node->raw_ns) /
					(node[1].time_ns - node->time_ns));
}

static bool is_hole(const struct axis_node *node)
{
	int64_t raw = node[1].raw_ns - node->raw_ns;
	int64_t time = node[1].time_ns - node->time_ns;
	int64_t off = raw > time ? raw - time : time - raw;

	return off > time / 512 + 2 || node->bound_ns == UINT64_MAX ||
	       node[1].bound_ns == UINT64_MAX;
}

/* A hole's ends are nodes of their own, whose bounds are the hole's. */
static int find_holes(struct reference *reference)
{
	const struct axis *axis = reference->axis;
	bool after = false;

	reference->holes = calloc(axis->count, sizeof(*reference->holes));
	if (!reference->holes)
		return -ENOMEM;
	for (size_t i = 0; i + 1 < axis->count; i++) {
		const struct axis_node *node = &axis->nodes[i];

		if (is_hole(node)) {
			reference->holes[reference->hole_count++] = (struct hole) {
				.from_ns = node->time_ns,
				.until_ns = node[1].time_ns,
				.span_ns = node[1].raw_ns - node->raw_ns,
			};
			after = true;
			continue;
		}
		if (!after && i + 2 < axis->count && !is_hole(node + 1) &&
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

/* The bound of what lies from @from_ns to @until_ns, and is off by @bound_ns. */
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

static void append(struct axis *axis, struct axis_node node)
{
	const struct axis_node *last = axis->nodes + axis->count - 1;

	if (axis->count && node.raw_ns <= last->raw_ns)
		return;
	if (axis->count && node.time_ns < last->time_ns)
		node.time_ns = last->time_ns;
	axis->nodes[axis->count++] = node;
}

/* All nodes of both, by time; times are still those of the axis in between. */
static void join(const struct axis *axis, const struct axis *reference,
		 struct axis *joined)
{
	const struct axis_node *a = axis->nodes, *b = reference->nodes;
	const struct axis_node *a_end = a + axis->count;
	const struct axis_node *b_end = b + reference->count;

	while (a < a_end || b < b_end) {
		int64_t raw_ns;

		if (b == b_end || (a < a_end && a->time_ns <= b->time_ns)) {
			append(joined, *a++);
			continue;
		}
		raw_ns = raw_at(axis, b->time_ns);
		append(joined, (struct axis_node) {
			.raw_ns = raw_ns,
			.time_ns = b->time_ns,
			.bound_ns = raw_ns < 0 ? UINT64_MAX :
				    axis_bound(axis, raw_ns),
		});
		b++;
	}
}

int axis_through(struct axis *axis, const struct axis *reference_axis)
{
	struct reference reference = { .axis = reference_axis };
	struct axis joined = { .growth_ppb = axis->growth_ppb +
					     reference_axis->growth_ppb };
	struct axis_node *nodes;
	int64_t last_ns = 0;
	int result;

	joined.nodes = calloc(axis->count + reference_axis->count,
			      sizeof(*joined.nodes));
	if (!joined.nodes)
		return -ENOMEM;
	result = find_holes(&reference);
	if (result) {
		free(joined.nodes);
		return result;
	}
	join(axis, reference_axis, &joined);
	nodes = joined.nodes;
	for (size_t i = 0; i < joined.count; i++) {
		int64_t own_ns = nodes[i].time_ns;
		int64_t from_ns = i ? last_ns : own_ns;
		int64_t until_ns = i + 1 < joined.count ? nodes[i + 1].time_ns :
				   own_ns;

		nodes[i].bound_ns = bound_within(&reference, from_ns, until_ns,
						 nodes[i].bound_ns);
		nodes[i].time_ns = raw_at(reference_axis, own_ns);
		last_ns = own_ns;
	}
	free(reference.holes);
	free(axis->nodes);
	*axis = joined;
	return 0;
}
