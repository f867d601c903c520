// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What all links together say of each clock, at each of many instants.
 *
 * Stage: between links and axes; see network.h.
 *
 * At an instant a link says: b is ahead of a by at most U, at least L.  So b is
 * ahead of the reference by at most what a is, and U; going on like that, the
 * shortest way through all links gives the most that a clock can be ahead, and
 * the longest way the least.  Both are kept.  Their middle violates no packet; so
 * that none in between two instants is violated either, the middle is that of the
 * same links, each tighter by what can happen in between.
 *
 * All clocks are nearly the same here, by their rough ways.  Where a clock is off
 * the axis by E, what a link says is of an instant E away, and moves meanwhile
 * by no more than E times the link's reach.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "network.h"

/* Of arrays that go with the number of instants. */
#define ROOM_BYTES	(48u << 20)
#define STEP_MIN_NS	20000000
#define TIMES_MIN	64
/* So far off that nothing is known of it by links to others. */
#define STRAY_UNKNOWN	(INT64_C(1) << 50)
/* Around all of the run: what was under way when it began. */
#define MARGIN_NS	1000000000

typedef __int128 s128;

static int32_t narrow(int64_t value)
{
	if (value >= UNKNOWN_ABOVE)
		return UNKNOWN_ABOVE;
	return value <= UNKNOWN_BELOW ? UNKNOWN_BELOW : (int32_t)value;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- Instants ---- */

/* What of the host's files lies within the stretch, on the axis. */
static void extent(const struct network *network, const struct stretch *stretch,
		   int64_t *begin, int64_t *end)
{
	const struct host *host = &network->hosts[stretch->host];

	*begin = stretch_time(stretch, stretch->begin_ns > host->begin_ns ?
			      stretch->begin_ns : host->begin_ns);
	*end = stretch_time(stretch, stretch->end_ns < host->end_ns ?
			    stretch->end_ns : host->end_ns);
}

static int make_times(struct network *network)
{
	size_t each = 8 * network->link_count + 12 * network->stretch_count +
		      sizeof(struct axis_node) * network->host_count;
	int64_t first = INT64_MAX, last = INT64_MIN, span;
	size_t most = ROOM_BYTES / each, count;

	for (size_t i = 0; i < network->ordered; i++) {
		int64_t begin, end;

		extent(network, &network->stretches[network->order[i]], &begin,
		       &end);
		if (begin < first)
			first = begin;
		if (end > last)
			last = end;
	}
	span = last - first;
	count = span / STEP_MIN_NS + 2;
	if (most < TIMES_MIN)
		most = TIMES_MIN;
	if (count > most)
		count = most;
	network->times = calloc(count + 2, sizeof(*network->times));
	if (!network->times)
		return -ENOMEM;
	network->times[0] = first - MARGIN_NS;
	for (size_t i = 0; i < count; i++)
		network->times[i + 1] = first + (int64_t)((s128)span * i /
							  (count - 1));
	network->times[count + 1] = last + MARGIN_NS;
	network->time_count = count + 2;
	network->step_ns = span / (count - 1) + 1;
	return 0;
}

static int make_room(struct network *network)
{
	size_t rows = 2 * network->link_count + 3 * network->stretch_count;
	int32_t *at;

	network->bounds = calloc(rows * network->time_count, sizeof(*at));
	if (!network->bounds)
		return -ENOMEM;
	at = network->bounds;
	for (size_t i = 0; i < network->link_count; i++) {
		network->links[i].upper = at;
		at += network->time_count;
		network->links[i].lower = at;
		at += network->time_count;
	}
	for (size_t i = 0; i < network->stretch_count; i++) {
		network->stretches[i].upper = at;
		at += network->time_count;
		network->stretches[i].lower = at;
		at += network->time_count;
		network->stretches[i].middle = at;
		at += network->time_count;
	}
	return 0;
}

/* ---- Links ---- */

static bool has_way(const struct network *network, size_t stretch)
{
	return stretch == network->root ||
	       network->stretches[stretch].way != NO_LINK;
}

/* The mean rate is that of the time both clocks were seen in, and all packets. */
static void common_extent(const struct network *network,
			  const struct link *link, const struct points *points,
			  int64_t *begin, int64_t *end)
{
	int64_t begin_b, end_b;

	extent(network, &network->stretches[link->a], begin, end);
	extent(network, &network->stretches[link->b], &begin_b, &end_b);
	*begin = larger(*begin, begin_b);
	if (end_b < *end)
		*end = end_b;
	if (points->at[0].x < *begin)
		*begin = points->at[0].x;
	*end = larger(*end, points->at[points->count - 1].x);
}

static void bound_link(struct network *network, struct link *link,
		       int64_t *upper, int64_t *lower)
{
	const struct stretch *a = &network->stretches[link->a];
	const struct stretch *b = &network->stretches[link->b];
	/* Clocks are less than RATE_MAX apart; on the axis, their ways are added. */
	int64_t limit = RATE_MAX + 2 * larger(a->rate - b->rate,
					      b->rate - a->rate);
	struct extremes extremes;
	struct points points;
	struct rates rates;
	int64_t begin, end;

	link_points(network, link, true, &points);
	bounds_extremes(&points, limit, &extremes);
	if (extremes.rho > link->rho) {
		link->rho = 2 * extremes.rho;
		link->raised = true;
	}
	common_extent(network, link, &points, &begin, &end);
	while (!bounds_rates(&points, &extremes, begin, end, link->rho,
			     &rates)) {
		link->rho *= 2;
		link->raised = true;
	}
	link->reach = larger(larger(rates.fast, -rates.fast),
			     larger(rates.slow, -rates.slow));
	link->margin = link_slack(network, link) +
		       bounds_product(network->step_ns, link->reach) + 2;
	bounds_at(&points, &rates, network->times, network->time_count, upper,
		  lower);
	for (size_t i = 0; i < network->time_count; i++) {
		link->upper[i] = narrow(upper[i]);
		link->lower[i] = narrow(lower[i]);
	}
}

static void forget_link(const struct network *network, struct link *link)
{
	for (size_t i = 0; i < network->time_count; i++) {
		link->upper[i] = UNKNOWN_ABOVE;
		link->lower[i] = UNKNOWN_BELOW;
	}
}

/* By the way of each; those with fewer hops come first. */
static void sum_reach(struct network *network)
{
	for (size_t i = 1; i < network->ordered; i++) {
		size_t own = network->order[i];
		const struct link *link =
			&network->links[network->stretches[own].way];
		size_t base = link->a == own ? link->b : link->a;

		network->stretches[own].reach =
			network->stretches[base].reach + link->reach;
	}
}

static int bound_links(struct network *network)
{
	int64_t *upper = calloc(network->time_count, sizeof(*upper));
	int64_t *lower = calloc(network->time_count, sizeof(*lower));
	int result = upper && lower ? 0 : -ENOMEM;

	for (size_t i = 0; i < network->link_count && !result; i++) {
		struct link *link = &network->links[i];

		if (!link->dead && has_way(network, link->a) &&
		    has_way(network, link->b))
			bound_link(network, link, upper, lower);
		else
			forget_link(network, link);
	}
	sum_reach(network);
	free(upper);
	free(lower);
	return result;
}

/* ---- Instant by instant ---- */

/*
 * By stretch, at one instant.
 * @stray:	how far its clock is off the axis at most
 */
struct state {
	int64_t upper;
	int64_t lower;
	int64_t stray;
};

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
		  bool tight)
{
	struct state *a = &states[link->a], *b = &states[link->b];
	int64_t slack = tight ? -link->margin :
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
	return larger(larger(upper, -upper), larger(lower, -lower));
}

static void begin_instant(const struct network *network, size_t at,
			  struct state *states, bool tight)
{
	for (size_t i = 0; i < network->stretch_count; i++)
		states[i] = (struct state) { UNKNOWN_ABOVE, UNKNOWN_BELOW, 0 };
	states[network->root].upper = 0;
	states[network->root].lower = 0;
	for (size_t i = 1; i < network->ordered; i++) {
		size_t own = network->order[i];
		const struct link *link =
			&network->links[network->stretches[own].way];
		size_t base = link->a == own ? link->b : link->a;
		int64_t stray = states[base].stray + distance(link, at);

		/* The link's times may be this clock's. */
		states[own].stray = stray + 2 * bounds_product(stray, link->reach) + 1;
		relax(link, at, states, tight);
	}
}

/* Returns false if the links contradict each other. */
static bool settle(const struct network *network, size_t at,
		   struct state *states, bool tight)
{
	const struct state *root = &states[network->root];
	bool changed = true;

	begin_instant(network, at, states, tight);
	for (size_t round = 0; changed; round++) {
		changed = false;
		if (round > network->stretch_count)
			return false;
		for (size_t i = 0; i < network->link_count; i++)
			if (!network->links[i].dead)
				changed |= relax(&network->links[i], at, states,
						 tight);
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
	if (!settle(network, at, states, false))
		return false;
	for (size_t i = 0; i < network->ordered; i++) {
		size_t own = network->order[i];

		network->stretches[own].upper[at] = narrow(states[own].upper);
		network->stretches[own].lower[at] = narrow(states[own].lower);
	}
	if (!settle(network, at, states, true))
		settle(network, at, states, false);
	for (size_t i = 0; i < network->ordered; i++) {
		size_t own = network->order[i];
		const struct state *state = &states[own];

		network->stretches[own].middle[at] =
			narrow(state->lower + (state->upper - state->lower) / 2);
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

		link->rho = larger(2 * link->rho, RATE_PPB(EVTLOG_RHO_PPB));
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
		result = raise_rho(network) ? bound_links(network) : -EDOM;
	}
	if (result || !raised || !raise_rho(network))
		return result;
	result = bound_links(network);
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
		begin_instant(network, at, states, false);
		for (size_t i = 0; i < network->link_count; i++)
			against[i] |= !network->links[i].dead &&
				      is_against(&network->links[i], at, states);
	}
	for (size_t i = 0; i < network->link_count; i++) {
		const struct link *link = &network->links[i];
		size_t a = network->stretches[link->a].host;
		size_t b = network->stretches[link->b].host;

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
	size_t root = network->stretches[network->root].host;
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
		size_t a = network->stretches[link->a].host;
		size_t b = network->stretches[link->b].host;

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

	free(network->times);
	free(network->bounds);
	network->times = NULL;
	network->bounds = NULL;
	states = calloc(network->stretch_count, sizeof(*states));
	if (!states)
		return -ENOMEM;
	result = make_times(network);
	if (!result)
		result = make_room(network);
	if (!result)
		result = bound_links(network);
	if (!result)
		result = solve_raising(network, states);
	if (result == -EDOM)
		result = leave_out(network, states);
	free(states);
	return result;
}
