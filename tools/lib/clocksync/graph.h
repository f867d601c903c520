/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hosts' clocks as a graph: segments of clocks, joined by links of packets.
 *
 * Stage: between matched packets and the timeline of each host.
 *
 *	edges.c		makes links between segments of clocks
 *	clock-steps.c	finds the steps that divide a clock into those
 *	spanning-tree.c	spans a tree of links over segments, and by it gives each a
 *			rough way onto the timeline, on which all clocks are nearly the same
 *	instants.c	what each link says, at each of many instants
 *	closure.c	there: what all links together say
 *	timelines.c		turns that into the timeline of each host
 *	reference-step.c	where the reference stepped: by way of a clock that did not
 */
#ifndef EVTLOG_LIB_CLOCKSYNC_GRAPH_H
#define EVTLOG_LIB_CLOCKSYNC_GRAPH_H

#include "clocksync.h"
#include "lib/base/bounds.h"

#define NO_LINK		SIZE_MAX

/* What is not known of a clock at an instant. */
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
 * @begin_ns, @end_ns: by itself, both included; what lies between two segments'
 *		belongs to neither
 * @raw_ns, @time_ns, @rate: a rough way onto the timeline, from there
 * @way:	the link towards the reference; NO_LINK if there is none
 * @cost:	of the way, in ns of error
 * @rho:	greatest of the links on the way
 * @reach:	how fast it can go away from the timeline
 * @upper, @lower: how far it is ahead of the timeline, at each instant
 * @middle:	how far it is taken to be, in between
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
 * @first, @count: of the packets between their hosts, by the time of @a's
 * @used:	of these
 * @rho:	used; @raised: more than asked for
 * @reach:	how fast the one can go away from the other, on the timeline
 * @slack:	what the bounds are wider than packets, by the errors of both clocks
 * @margin:	a middle that keeps so far from the bounds violates no packet between two instants
 * @begin_ns, @end_ns: first and last packet, by @a's clock
 * @begin, @end: how far @b was ahead of @a then, about
 * @cost:	what is not known of that, in ns
 * @dead:	its packets don't fit, or it is left out
 * @upper, @lower: the same at each instant, on the timeline
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

/* A clock stepped after its @from_ns and before its @until_ns. */
struct step {
	size_t host;
	int64_t from_ns;
	int64_t until_ns;
};

/*
 * @root:	the segment that ways lead to: the reference's, if it has but one
 * @order:	segments that have a way, those with fewer hops first
 * @times:	the instants, rising, on the timeline, @step_ns apart
 * @bad:	by packet: it contradicts all others of its link
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

/* Makes segments and links; 0 or -ENOMEM. */
int links_make(struct network *network);
void links_free(struct network *network);

/* Notes the steps that dead links tell of, and their bad packets; 0 or -ENOMEM. */
int steps_find(struct network *network);

/*
 * A link's points into network->points: by raw times, or on the timeline.
 * network->numbers has the packet of each.
 */
void link_points(const struct network *network, const struct link *link,
		 bool on_timeline, struct points *points);

/* What each point is widened by: both clocks' own errors. */
int64_t link_slack(const struct network *network, const struct link *link);

/* Gives each segment that can be reached its way; 0 or -ENOMEM. */
int tree_span(struct network *network);

/* On the timeline, by the rough way; and back. */
int64_t segment_time(const struct segment *segment, int64_t raw_ns);
int64_t segment_raw(const struct segment *segment, int64_t time_ns);

/*
 * Chooses instants, and fills in what links say of them, by their rho.  The second
 * does that anew when rho is another.  0 or -ENOMEM.
 */
int instants_make(struct network *network);
int instants_bound(struct network *network);

/*
 * Fills in the segments' bounds.  Returns 0; -ENOMEM; 1 if links contradicted each
 * other and those of some host were left out: the tree is to be spanned anew.
 */
int closure_make(struct network *network);

/* Fills in the hosts' timelines and clocks; 0 or -ENOMEM. */
int timelines_make(struct network *network);

/*
 * Turns times on @timeline into those of the clock whose way onto it is @reference;
 * 0 or -ENOMEM, and @timeline is as it was.
 */
int timeline_through(struct timeline *timeline, const struct timeline *reference);

#endif /* EVTLOG_LIB_CLOCKSYNC_GRAPH_H */
