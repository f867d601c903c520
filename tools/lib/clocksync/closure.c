// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What all links together say of each clock, at each of many instants.
 *
 * Stage: between links and timelines; see graph.h.
 *
 * At an instant a link says: b is ahead of a by at most U, at least L.  So b is
 * ahead of the reference by at most what a is, and U; going on like that, the
 * shortest way through all links gives the most that a clock can be ahead, and
 * the longest way the least.  Both are kept.  Packets bound less than that, by the errors of both
 * clocks: the middle is that of the same links without these errors, so that it violates no
 * packet; and, if there is such a middle, each tighter by what can happen between two instants.
 *
 * All clocks are nearly the same here, by their rough ways.  Where a clock is off
 * the timeline by E, what a link says is of an instant E away, and moves meanwhile
 * by no more than E times the link's reach.
 */
#include <errno.h>
#include <stdlib.h>

#include "graph.h"

/* So far off that nothing is known of it by links to others. */
#define STRAY_UNKNOWN	(INT64_C(1) << 50)

/* ---- Instant by instant ---- */

/*
 * By segment, at one instant.
 * @stray:	how far its clock is off the timeline at most
 */
struct state {
	int64_t upper;
	int64_t lower;
	int64_t stray;
};

/* What a middle is to keep: packets, and those between two instants too. */
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

/* What is unknown stays so, whatever is added. */
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

/* At most, of the one clock from the other. */
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

		/* The link's times may be this clock's. */
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

/* Returns false if no clock can wander like that. */
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
 * Where links that each fit contradict each other, rates wander more than rho: what
 * is enough is found by doubling, and doubled once more.  Returns 0, -ENOMEM,
 * or -EDOM where no clock wanders like that.
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

/* Whether @link does not go with what the ways say of its ends. */
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

/* By host: its links, and those that others contradict. */
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
 * Some clock stepped, or is mad, unseen by any link alone.  Those of whose links most
 * are contradicted are left out: all of them, as it can't be told which it was.
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
	/* Only longer ways contradict each other: then it may be any. */
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
