/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The clocks of hosts as a graph: segments of clocks, joined by links of packets.
 *
 * Stage: between matched packets and the timeline of each host.
 *
 *	edges.c		makes segments of clocks, and the links between them
 *	clock-steps.c	finds the steps that divide a clock into segments
 *	spanning-tree.c	spans a tree of links over the segments: each segment gets a rough
 *			mapping onto the timeline, on which all clocks are nearly the same
 *	instants.c	computes the bounds of each link, at each of many instants
 *	closure.c	computes the bounds of each segment at these instants, from all links
 *	timelines.c	makes the timeline of each host from these bounds
 *	reference-step.c if the reference stepped: the timeline is first another host's clock
 */
#ifndef EVTLOG_LIB_CLOCKSYNC_GRAPH_H
#define EVTLOG_LIB_CLOCKSYNC_GRAPH_H

#include "clocksync.h"
#include "lib/base/bounds.h"

#define NO_LINK		SIZE_MAX

/* A bound that is unknown at an instant. */
#define UNKNOWN_ABOVE	INT32_MAX
#define UNKNOWN_BELOW	INT32_MIN

static inline int32_t narrowed(int64_t value)
{
	if (value >= UNKNOWN_ABOVE)
		return UNKNOWN_ABOVE;
	return value <= UNKNOWN_BELOW ? UNKNOWN_BELOW : (int32_t)value;
}

static inline int64_t larger_of(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/*
 * A clock between two of its steps.
 * @begin_ns, @end_ns: by its own time, both included; times between two segments belong to neither
 * @raw_ns, @time_ns, @rate: the rough mapping onto the timeline: a point and the rate
 * @way:	first link of the path to the root; NO_LINK if none
 * @cost:	error of the path, in ns
 * @rho:	largest rho of the links on the path
 * @reach:	limit of its rate against the timeline
 * @upper, @lower: bounds of how far it is ahead of the timeline, at each instant
 * @middle:	the value between the bounds that is used
 */
struct segment {
	size_t host;
	int64_t begin_ns;
	int64_t end_ns;
	int64_t raw_ns;
	int64_t time_ns;
	int64_t rate;
	size_t way;
	uint32_t hops;
	uint64_t cost;
	int64_t rho;
	int64_t reach;
	int32_t *upper;
	int32_t *lower;
	int32_t *middle;
};

/*
 * The packets between two segments.
 * @first, @count: the packets between the two hosts, by @a's time
 * @used:	number of these that are between the two segments
 * @rho:	the value in use; @raised: it is larger than requested
 * @reach:	limit of the rate between the two clocks, on the timeline
 * @slack:	how much the bounds are wider than the packets, for the errors of both clocks
 * @margin:	a middle this far inside the bounds violates no packet between two instants
 * @begin_ns, @end_ns: first and last packet, by @a's clock
 * @begin, @end: about how far @b was ahead of @a at these times
 * @cost:	uncertainty of @begin and @end, in ns
 * @dead:	not used: its packets contradict each other, or a host is left out
 * @upper, @lower: bounds of how far @b is ahead of @a, at each instant, on the timeline
 */
struct link {
	size_t a;
	size_t b;
	size_t first;
	size_t count;
	size_t used;
	int64_t rho;
	bool raised;
	bool dead;
	int64_t reach;
	int64_t slack;
	int64_t margin;
	int64_t begin_ns;
	int64_t end_ns;
	int64_t begin;
	int64_t end;
	uint64_t cost;
	int32_t *upper;
	int32_t *lower;
};

/* A clock stepped after @from_ns and before @until_ns of its own time. */
struct step {
	size_t host;
	int64_t from_ns;
	int64_t until_ns;
};

/*
 * @root:	the segment that all paths lead to: the reference's, if it has only one
 * @order:	segments that have a path, by number of hops
 * @times:	the instants, ascending, on the timeline, @step_ns apart
 * @bad:	for each packet: true if it contradicts all other packets of its link
 */
struct network {
	struct host *hosts;
	size_t host_count;
	size_t reference;
	int64_t rho;
	struct packets *packets;
	bool *bad;

	struct segment *segments;
	size_t segment_count;
	size_t root;
	size_t *order;
	size_t ordered;
	struct link *links;
	size_t link_count;
	size_t link_capacity;
	struct step *steps;
	size_t step_count;
	size_t step_capacity;

	struct point *points;
	struct point *both;
	size_t *numbers;
	int64_t *times;
	size_t time_count;
	int64_t step_ns;
	int32_t *bounds;
};

/* Makes segments and links.  Returns 0 or -ENOMEM. */
int links_make(struct network *network);
void links_free(struct network *network);

/* Adds the steps that dead links show, and marks bad packets.  Returns 0 or -ENOMEM. */
int steps_find(struct network *network);

/*
 * Stores the points of @link in network->points: by raw times, or on the timeline.
 * network->numbers gets the packet of each point.
 */
void link_points(const struct network *network, const struct link *link,
		 bool on_timeline, struct points *points);

/* Returns by how much each point is widened: the errors of both clocks. */
int64_t link_slack(const struct network *network, const struct link *link);

/* Finds a path to the root for each segment that links reach.  Returns 0 or -ENOMEM. */
int tree_span(struct network *network);

/* Convert a time by the rough mapping: to the timeline, and back. */
int64_t segment_time(const struct segment *segment, int64_t raw_ns);
int64_t segment_raw(const struct segment *segment, int64_t time_ns);

/*
 * instants_make() chooses the instants and computes the bounds of links from their rho.
 * instants_bound() computes the bounds again after rho has changed.  Both return 0 or -ENOMEM.
 */
int instants_make(struct network *network);
int instants_bound(struct network *network);

/*
 * Computes the bounds of segments.  Returns 0; -ENOMEM; 1 if links contradicted each other and
 * all links of some hosts were left out: the tree must be spanned again.
 */
int closure_make(struct network *network);

/* Fills in the timelines and clocks of hosts.  Returns 0 or -ENOMEM. */
int timelines_make(struct network *network);

/*
 * Converts the times on @timeline to times of the clock whose own timeline is @reference.
 * Returns 0; -ENOMEM, and @timeline is unchanged.
 */
int timeline_through(struct timeline *timeline, const struct timeline *reference);

#endif /* EVTLOG_LIB_CLOCKSYNC_GRAPH_H */
