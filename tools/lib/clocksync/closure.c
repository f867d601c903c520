// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Computes the bounds of each clock from all links together, at each of many instants.
 *
 * Stage: between links and timelines; see graph.h.
 *
 * At an instant, a link bounds how far b is ahead of a: at most U, at least L.  So b is ahead of
 * the reference by at most a's upper bound + U.  The shortest path through all links gives the
 * upper bound of a clock, the longest path the lower bound.  Both are kept.  Packets alone would
 * give tighter bounds: the links add the errors of both clocks.  The middle is computed without
 * these errors, so that it violates no packet.  If possible, each link is also tightened by the
 * largest change between two instants.
 *
 * By their rough mappings, all clocks are nearly the same here.  If a clock is off the timeline
 * by E, the bound of a link belongs to an instant E away.  Over this distance, the difference
 * changes by at most E times the link's reach.
 */
#include <errno.h>
#include <stdlib.h>

#include "graph.h"

/* Stray of a clock that its link does not bound: the slack of its other links becomes large. */
#define STRAY_UNKNOWN	(INT64_C(1) << 50)

/* ---- Instant by instant ---- */

/*
 * A segment at one instant.
 * @stray:	limit of how far its clock is off the timeline
 */
struct state {
	int64_t upper;
	int64_t lower;
	int64_t stray;
};

/* Limits of the middle: the bounds; packets; packets also between two instants. */
enum strictness { BOUNDS, PACKETS, PACKETS_BETWEEN };

static bool lower_to(int64_t *value, int64_t bound)
{
	if (bound >= *value)
		return false;
	*value = bound;
	return true;
}

static bool raise_to(int64_t *value, int64_t bound)
{
	if (bound <= *value)
		return false;
	*value = bound;
	return true;
}

/* Tightens the bounds of both ends; unknown bounds stay unknown.  Returns true if any changed. */
static bool relax(const struct link *link, size_t at, struct state *states,
		  enum strictness strict)
{
	struct state *a = &states[link->a], *b = &states[link->b];
	int64_t slack = strict == PACKETS_BETWEEN ? -link->margin :
			strict == PACKETS ? -link->slack :
			bounds_product(a->stray, link->reach) + 1;
	int64_t upper = link->upper[at], lower = link->lower[at];
	bool changed = false;

	if (upper != UNKNOWN_ABOVE) {
		upper += slack;
		if (a->upper < UNKNOWN_ABOVE)
			changed |= lower_to(&b->upper, a->upper + upper);
		if (b->lower > UNKNOWN_BELOW)
			changed |= raise_to(&a->lower, b->lower - upper);
	}
	if (lower != UNKNOWN_BELOW) {
		lower -= slack;
		if (b->upper < UNKNOWN_ABOVE)
			changed |= lower_to(&a->upper, b->upper - lower);
		if (a->lower > UNKNOWN_BELOW)
			changed |= raise_to(&b->lower, a->lower + lower);
	}
	return changed;
}

/* Returns how far the two clocks can differ. */
static int64_t distance(const struct link *link, size_t at)
{
	int64_t upper = link->upper[at], lower = link->lower[at];

	if (upper == UNKNOWN_ABOVE || lower == UNKNOWN_BELOW)
		return STRAY_UNKNOWN;
	return larger_of(larger_of(upper, -upper), larger_of(lower, -lower));
}

static void begin_instant(const struct network *network, size_t at,
			  struct state *states, enum strictness strict)
{
	for (size_t i = 0; i < network->segment_count; i++)
		states[i] = (struct state) { UNKNOWN_ABOVE, UNKNOWN_BELOW, 0 };
	states[network->root].upper = 0;
	states[network->root].lower = 0;
	for (size_t i = 1; i < network->ordered; i++) {
		size_t own = network->order[i];
		const struct link *link =
			&network->links[network->segments[own].way];
		size_t base = link->a == own ? link->b : link->a;
		int64_t stray = states[base].stray + distance(link, at);

		/* The times of the link may be this clock's. */
		states[own].stray = stray + 2 * bounds_product(stray, link->reach) + 1;
		relax(link, at, states, strict);
	}
}

/* Returns false if the links contradict each other. */
static bool settle(const struct network *network, size_t at,
		   struct state *states, enum strictness strict)
{
	const struct state *root = &states[network->root];
	bool changed = true;

	begin_instant(network, at, states, strict);
	for (size_t round = 0; changed; round++) {
		changed = false;
		if (round > network->segment_count)
			return false;
		for (size_t i = 0; i < network->link_count; i++)
			if (!network->links[i].dead)
				changed |= relax(&network->links[i], at, states, strict);
		if (root->upper < 0 || root->lower > 0)
			return false;
	}
	for (size_t i = 0; i < network->ordered; i++) {
		const struct state *state = &states[network->order[i]];

		if (state->upper < state->lower)
			return false;
	}
	return true;
}

static bool solve_instant(const struct network *network, size_t at,
			  struct state *states)
{
	if (!settle(network, at, states, BOUNDS))
		return false;
	for (size_t i = 0; i < network->ordered; i++) {
		size_t own = network->order[i];

		network->segments[own].upper[at] = narrowed(states[own].upper);
		network->segments[own].lower[at] = narrowed(states[own].lower);
	}
	if (!settle(network, at, states, PACKETS_BETWEEN) && !settle(network, at, states, PACKETS))
		settle(network, at, states, BOUNDS);
	for (size_t i = 0; i < network->ordered; i++) {
		size_t own = network->order[i];
		const struct state *state = &states[own];

		network->segments[own].middle[at] =
			narrowed(state->lower + (state->upper - state->lower) / 2);
	}
	return true;
}

static bool solve(const struct network *network, struct state *states)
{
	for (size_t i = 0; i < network->time_count; i++)
		if (!solve_instant(network, i, states))
			return false;
	return true;
}

/* Doubles rho of all links.  Returns false if no clock's rate varies that much. */
static bool raise_rho(struct network *network)
{
	bool possible = true;

	for (size_t i = 0; i < network->link_count; i++) {
		struct link *link = &network->links[i];

		link->rho = larger_of(2 * link->rho, RATE_PPB(EVTLOG_RHO_PPB));
		link->raised = true;
		possible &= link->rho <= 2 * RHO_MAX;
	}
	return possible;
}

/*
 * If links contradict each other though each is possible, rho is too small.  It is doubled until
 * they agree, and then once more.  Returns 0; -ENOMEM; -EDOM if no clock's rate varies that much.
 */
static int solve_raising(struct network *network, struct state *states)
{
	bool raised = false;
	int result = 0;

	while (!result && !solve(network, states)) {
		raised = true;
		result = raise_rho(network) ? instants_bound(network) : -EDOM;
	}
	if (result || !raised || !raise_rho(network))
		return result;
	result = instants_bound(network);
	return result || solve(network, states) ? result : -EDOM;
}

/* ---- Contradictions ---- */

/* Returns true if @link contradicts the bounds that the paths give its ends. */
static bool is_against(const struct link *link, size_t at,
		       const struct state *states)
{
	const struct state *a = &states[link->a], *b = &states[link->b];
	int64_t slack = bounds_product(a->stray, link->reach) + 1;

	return (link->upper[at] != UNKNOWN_ABOVE &&
		a->upper < UNKNOWN_ABOVE && b->lower > UNKNOWN_BELOW &&
		a->upper + link->upper[at] + slack < b->lower) ||
	       (link->lower[at] != UNKNOWN_BELOW &&
		a->lower > UNKNOWN_BELOW && b->upper < UNKNOWN_ABOVE &&
		a->lower + link->lower[at] - slack > b->upper);
}

/* A host's links, and how many of them are contradicted. */
struct blame {
	uint64_t links;
	uint64_t against;
};

static void find_blame(const struct network *network, struct state *states,
		       struct blame *blames)
{
	bool *against = calloc(network->link_count, sizeof(*against));

	for (size_t at = 0; against && at < network->time_count; at++) {
		begin_instant(network, at, states, BOUNDS);
		for (size_t i = 0; i < network->link_count; i++)
			against[i] |= !network->links[i].dead &&
				      is_against(&network->links[i], at, states);
	}
	for (size_t i = 0; i < network->link_count; i++) {
		const struct link *link = &network->links[i];
		size_t a = network->segments[link->a].host;
		size_t b = network->segments[link->b].host;

		if (link->dead)
			continue;
		blames[a].links++;
		blames[b].links++;
		blames[a].against += against && against[i];
		blames[b].against += against && against[i];
	}
	free(against);
}

/*
 * A clock stepped or is faulty, but no single link shows it.  All hosts with the largest share of
 * contradicted links are left out, as it is unknown which of them is faulty.
 */
static void exclude(struct network *network, const struct blame *blames)
{
	size_t root = network->segments[network->root].host;
	struct blame most = { 1, 0 };

	for (size_t i = 0; i < network->host_count; i++)
		if (i != root && blames[i].links &&
		    blames[i].against * most.links >
		    most.against * blames[i].links)
			most = blames[i];
	/* If no link is contradicted, only longer paths are: then it can be any host. */
	for (size_t i = 0; i < network->host_count; i++)
		if (i != root && blames[i].links &&
		    blames[i].against * most.links ==
		    most.against * blames[i].links)
			network->hosts[i].clock.contradicted = true;
	for (size_t i = 0; i < network->link_count; i++) {
		struct link *link = &network->links[i];
		size_t a = network->segments[link->a].host;
		size_t b = network->segments[link->b].host;

		link->dead |= network->hosts[a].clock.contradicted ||
			      network->hosts[b].clock.contradicted;
		link->rho = network->rho;
		link->raised = false;
	}
}

static int leave_out(struct network *network, struct state *states)
{
	struct blame *blames = calloc(network->host_count, sizeof(*blames));

	if (!blames)
		return -ENOMEM;
	find_blame(network, states, blames);
	exclude(network, blames);
	free(blames);
	return 1;
}

int closure_make(struct network *network)
{
	struct state *states;
	int result;

	states = calloc(network->segment_count, sizeof(*states));
	if (!states)
		return -ENOMEM;
	result = instants_make(network);
	if (!result)
		result = solve_raising(network, states);
	if (result == -EDOM)
		result = leave_out(network, states);
	free(states);
	return result;
}
