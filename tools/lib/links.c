// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Joins stretches of clocks by the packets between them, and finds the steps.
 *
 * Stage: the first of the network's; see network.h.
 *
 * A clock that steps (its host slept, its counter jumped) asks for a rate no clock
 * has.  The packets are then divided where that is asked for, and what is left
 * in small bits in between is taken for packets that were mistaken for others.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "network.h"

/* Fewer packets than that between two steps are no stretch, but bad. */
#define PART_MIN	4
#define PARTS_MAX	256
/* Hosts whose clocks step more often than that are not worth more time. */
#define ROUNDS_MAX	8

static bool holds(const struct stretch *stretch, int64_t raw_ns)
{
	return raw_ns >= stretch->begin_ns && raw_ns <= stretch->end_ns;
}

int64_t link_slack(const struct network *network, const struct link *link)
{
	const struct stretch *a = &network->stretches[link->a];
	const struct stretch *b = &network->stretches[link->b];

	/* One ns for what clocks and ways were rounded by. */
	return network->hosts[a->host].error_ns +
	       network->hosts[b->host].error_ns + 1;
}

void link_points(const struct network *network, const struct link *link,
		 bool on_axis, struct points *points)
{
	const struct stretch *a = &network->stretches[link->a];
	const struct stretch *b = &network->stretches[link->b];
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
		if (on_axis) {
			x = stretch_time(a, x);
			y = stretch_time(b, y);
		}
		point->x = x;
		point->value = y - x + (upper ? slack : -slack);
		point->upper = upper;
		network->numbers[points->count++] = link->first + i;
	}
}

/* ---- Steps ---- */

/* points[begin .. end) */
struct part {
	size_t begin;
	size_t end;
};

static bool fits(const struct points *points, size_t begin, size_t end,
		 struct extremes *extremes)
{
	struct points part = { points->at + begin, end - begin };

	bounds_extremes(&part, extremes);
	return extremes->possible;
}

/*
 * The pair that asks most, or else is the closest: somewhere between its points the
 * clock stepped, but which of those in between came before, nobody can tell.
 */
static struct steep worst(const struct points *points, size_t begin,
			  const struct extremes *extremes)
{
	const struct steep *rise = &extremes->rise, *fall = &extremes->fall;
	const struct point *at = points->at + begin;
	bool too_fast = rise->rate > RATE_MAX, too_slow = fall->rate < -RATE_MAX;
	int64_t rise_ns, fall_ns;

	if (!rise->found || !fall->found)
		return rise->found ? *rise : *fall;
	if (too_fast != too_slow)
		return too_fast ? *rise : *fall;
	rise_ns = at[rise->to].x - at[rise->from].x;
	fall_ns = at[fall->to].x - at[fall->from].x;
	return fall_ns < rise_ns ? *fall : *rise;
}

/* Divides until each part is possible.  Returns how many there are. */
static size_t divide(const struct points *points, struct part *parts)
{
	size_t count = 1, at = 0;

	parts[0] = (struct part) { 0, points->count };
	while (at < count) {
		struct extremes extremes;
		struct part *part = &parts[at];
		struct steep steep;

		if (count == PARTS_MAX ||
		    fits(points, part->begin, part->end, &extremes)) {
			at++;
			continue;
		}
		steep = worst(points, part->begin, &extremes);
		memmove(part + 2, part + 1, (count - at - 1) * sizeof(*part));
		part[1] = (struct part) { part->begin + steep.to, part->end };
		part[0].end = part->begin + steep.from + 1;
		count++;
	}
	return count;
}

static size_t forget_small(struct network *network, const struct part *parts,
			   size_t count)
{
	size_t bad = 0;

	for (size_t i = 0; i < count; i++) {
		if (parts[i].end - parts[i].begin >= PART_MIN)
			continue;
		for (size_t n = parts[i].begin; n < parts[i].end; n++)
			network->bad[network->numbers[n]] = true;
		bad += parts[i].end - parts[i].begin;
	}
	return bad;
}

static int note_step(struct network *network, const struct step *step)
{
	if (network->step_count == network->step_room) {
		size_t room = 2 * network->step_room + 16;
		struct step *steps = reallocarray(network->steps, room,
						  sizeof(*steps));

		if (!steps)
			return -ENOMEM;
		network->steps = steps;
		network->step_room = room;
	}
	network->steps[network->step_count++] = *step;
	return 0;
}

static struct step step_of(const struct network *network,
			   const struct link *link, const struct point *before,
			   const struct point *after, bool by_b)
{
	int64_t from_y = before->x + before->value;
	int64_t until_y = after->x + after->value;

	if (!by_b)
		return (struct step) {
			.host = network->stretches[link->a].host,
			.from_ns = before->x,
			.until_ns = after->x,
		};
	return (struct step) {
		.host = network->stretches[link->b].host,
		.from_ns = from_y < until_y ? from_y : until_y,
		.until_ns = from_y < until_y ? until_y : from_y,
	};
}

/*
 * Divides @link's packets where a clock stepped; what is bad is marked.  Returns the
 * number of parts.
 */
static size_t find_parts(struct network *network, struct link *link,
			 struct points *points, struct part *parts)
{
	size_t count;

	do {
		link_points(network, link, false, points);
		count = points->count ? divide(points, parts) : 0;
	} while (count > 1 && forget_small(network, parts, count));
	return count;
}

/* By host: links, and those that don't fit. */
struct blame {
	uint32_t links;
	uint32_t broken;
};

/* The host of whose links more are broken stepped; if in doubt not the reference. */
static bool blame_b(const struct network *network, const struct link *link,
		    const struct blame *blames)
{
	size_t a = network->stretches[link->a].host;
	size_t b = network->stretches[link->b].host;
	uint64_t of_a = (uint64_t)blames[a].broken * blames[b].links;
	uint64_t of_b = (uint64_t)blames[b].broken * blames[a].links;

	return of_a == of_b ? b != network->reference : of_b > of_a;
}

static int note_steps(struct network *network, struct link *link,
		      const struct blame *blames)
{
	bool by_b = blame_b(network, link, blames);
	struct part parts[PARTS_MAX + 1];
	struct points points;
	size_t count;
	int result = 0;

	count = find_parts(network, link, &points, parts);
	for (size_t i = 1; i < count && !result; i++) {
		struct step step = step_of(network, link,
					   &points.at[parts[i - 1].end - 1],
					   &points.at[parts[i].begin], by_b);

		result = note_step(network, &step);
	}
	return result;
}

/* ---- Stretches ---- */

static int compare_steps(const void *x, const void *y)
{
	const struct step *a = x, *b = y;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	return (a->until_ns > b->until_ns) - (a->until_ns < b->until_ns);
}

/* Steps that overlap are the same one, as several links saw it: it is where all do. */
static void join_steps(struct network *network)
{
	size_t kept = 0;

	if (network->step_count)
		qsort(network->steps, network->step_count,
		      sizeof(*network->steps), compare_steps);
	for (size_t i = 0; i < network->step_count; i++) {
		const struct step *step = &network->steps[i];
		struct step *last = kept ? &network->steps[kept - 1] : NULL;

		if (last && last->host == step->host &&
		    step->from_ns < last->until_ns) {
			last->from_ns = step->from_ns;
			if (step->until_ns < last->until_ns)
				last->until_ns = step->until_ns;
			continue;
		}
		network->steps[kept++] = *step;
	}
	network->step_count = kept;
}

static int make_stretches(struct network *network)
{
	const struct step *step, *end;

	join_steps(network);
	free(network->stretches);
	network->stretches = calloc(network->host_count + network->step_count,
				    sizeof(*network->stretches));
	if (!network->stretches)
		return -ENOMEM;
	network->stretch_count = 0;
	step = network->steps;
	end = step + network->step_count;
	for (size_t i = 0; i < network->host_count; i++) {
		struct stretch *stretch;

		stretch = &network->stretches[network->stretch_count++];
		stretch->host = i;
		stretch->begin_ns = INT64_MIN;
		for (; step < end && step->host == i; step++) {
			stretch->end_ns = step->from_ns;
			stretch = &network->stretches[network->stretch_count++];
			stretch->host = i;
			stretch->begin_ns = step->until_ns;
		}
		stretch->end_ns = INT64_MAX;
		network->hosts[i].clock.segments = 0;
	}
	for (size_t i = 0; i < network->stretch_count; i++) {
		size_t host = network->stretches[i].host;

		network->hosts[host].clock.segments++;
	}
	return 0;
}

/* ---- Links ---- */

static int add_link(struct network *network, const struct link *link)
{
	if (network->link_count == network->link_room) {
		size_t room = 2 * network->link_room + 64;
		struct link *links = reallocarray(network->links, room,
						  sizeof(*links));

		if (!links)
			return -ENOMEM;
		network->links = links;
		network->link_room = room;
	}
	network->links[network->link_count++] = *link;
	return 0;
}

/* A host's stretches are next to each other. */
static size_t first_stretch(const struct network *network, size_t host)
{
	size_t low = 0, high = network->stretch_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (network->stretches[middle].host < host)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_of(const struct network *network, size_t at, size_t host)
{
	return at < network->stretch_count &&
	       network->stretches[at].host == host;
}

/* Links between all stretches of two hosts. */
static int join_hosts(struct network *network, size_t first, size_t count)
{
	const struct packet *packet = &network->packets->at[first];
	bool upper = packet->from < packet->to;
	size_t host_a = upper ? packet->from : packet->to;
	size_t host_b = upper ? packet->to : packet->from;
	size_t first_a = first_stretch(network, host_a);
	size_t first_b = first_stretch(network, host_b);
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

/* How a link, which fits, lies: between its first and its last packet. */
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
	/* A way needs both directions. */
	if (upper[0] == INT64_MAX || lower[0] == INT64_MIN) {
		link->cost = UINT64_MAX;
		return;
	}
	link->begin_ns = times[0];
	link->end_ns = times[1];
	link->begin = lower[0] + (upper[0] - lower[0]) / 2;
	link->end = lower[1] + (upper[1] - lower[1]) / 2;
	link->cost = 1;
	for (int i = 0; i < 2; i++)
		if (upper[i] > lower[i])
			link->cost += (uint64_t)upper[i] - lower[i];
}

/* Measures all links.  Returns how many don't fit, and counts them by host. */
static size_t measure_all(struct network *network, struct blame *blames)
{
	size_t count = 0;

	memset(blames, 0, network->host_count * sizeof(*blames));
	for (size_t i = 0; i < network->link_count; i++) {
		struct link *link = &network->links[i];
		struct blame *a, *b;
		struct extremes extremes;
		struct points points;

		a = &blames[network->stretches[link->a].host];
		b = &blames[network->stretches[link->b].host];
		a->links++;
		b->links++;
		link_points(network, link, false, &points);
		bounds_extremes(&points, &extremes);
		link->dead = !extremes.possible;
		if (extremes.possible) {
			measure(network, link, &points, &extremes);
			continue;
		}
		a->broken++;
		b->broken++;
		count++;
	}
	return count;
}

/* Links that still don't fit are left dead: nothing is built on them. */
int links_make(struct network *network)
{
	struct blame *blames = calloc(network->host_count, sizeof(*blames));
	int result = blames ? 0 : -ENOMEM;

	for (int round = 0; round < ROUNDS_MAX && !result; round++) {
		result = make_stretches(network);
		if (!result)
			result = join_all(network);
		if (result || !measure_all(network, blames))
			break;
		for (size_t i = 0; i < network->link_count && !result; i++)
			if (network->links[i].dead)
				result = note_steps(network,
						    &network->links[i], blames);
	}
	free(blames);
	return result;
}

void links_free(struct network *network)
{
	free(network->links);
	free(network->steps);
	free(network->stretches);
}
