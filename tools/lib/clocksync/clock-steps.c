// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds the times at which clocks stepped, and the hosts of these clocks.
 *
 * See graph.h.
 *
 * If a clock stepped (its host slept, its counter jumped), its packets require a rate that no
 * clock has.  The packets are then divided at the step.  A few packets between many that fit
 * together without them are regarded as mismatched.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "lib/base/array.h"

/* A part with fewer packets may consist of mismatched ones. */
#define PART_MIN	4
#define PARTS_MAX	256
/* Limit of the rounds that remove bad packets; packets that are still bad stay. */
#define ROUNDS_MAX	16
/* More jumps are not compared with each other. */
#define JUMPS_MAX	4096

/* One clock of a link stepped against the other, between these times of each clock. */
struct jump {
	size_t host[2];
	int64_t from_ns[2];
	int64_t until_ns[2];
};

struct jumps {
	struct jump *at;
	size_t count;
	size_t capacity;
};

/* points[begin .. end) */
struct part {
	size_t begin;
	size_t end;
};

static bool fits(const struct points *points, size_t begin, size_t end,
		 struct extremes *extremes)
{
	struct points part = { points->at + begin, end - begin };

	bounds_extremes(&part, RATE_MAX, extremes);
	return extremes->possible;
}

/*
 * Returns the pair of points that requires an impossible rate; if both or none do, the closer pair.
 * The clock stepped between the two points.  For points in between, it is unknown on which side of
 * the step they are.
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

/* Divides the points until each part is possible.  Returns the number of parts. */
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

static bool is_small(const struct part *part)
{
	return part->end - part->begin < PART_MIN;
}

/* Returns true if two parts would be one without the points between them. */
static bool fit_together(const struct network *network,
			 const struct points *points, const struct part *a,
			 const struct part *b)
{
	size_t of_a = a->end - a->begin, of_b = b->end - b->begin;
	struct points both = { network->both, of_a + of_b };
	struct extremes extremes;

	memcpy(both.at, points->at + a->begin, of_a * sizeof(*both.at));
	memcpy(both.at + of_a, points->at + b->begin, of_b * sizeof(*both.at));
	bounds_extremes(&both, RATE_MAX, &extremes);
	return extremes.possible;
}

/*
 * Marks a few packets as bad if they are between two parts that fit together without them.
 * At the ends, a few packets can also be the result of a step.  Returns the number of bad packets.
 */
static size_t forget_small(struct network *network,
			   const struct points *points,
			   const struct part *parts, size_t count)
{
	const struct part *last = NULL;
	size_t bad = 0;

	for (const struct part *part = parts; part < parts + count; part++) {
		if (is_small(part))
			continue;
		if (last && part > last + 1 &&
		    fit_together(network, points, last, part)) {
			for (size_t n = last[1].begin; n < part[-1].end; n++)
				network->bad[network->numbers[n]] = true;
			bad += part[-1].end - last[1].begin;
		}
		last = part;
	}
	return bad;
}

/*
 * Divides @link's packets where a clock stepped, and marks bad ones.  Returns the number of parts.
 */
static size_t find_parts(struct network *network, struct link *link,
			 struct points *points, struct part *parts)
{
	size_t count;
	int round = 0;

	do {
		link_points(network, link, false, points);
		count = points->count ? divide(points, parts) : 0;
	} while (++round < ROUNDS_MAX &&
		 forget_small(network, points, parts, count));
	return count;
}

/* ---- Times of steps ---- */

static int note_jump(struct jumps *jumps, const struct jump *jump)
{
	int error = array_reserve(&jumps->at, &jumps->capacity, jumps->count,
				  sizeof(*jump));

	if (!error)
		jumps->at[jumps->count++] = *jump;
	return error;
}

static struct jump jump_of(const struct network *network,
			   const struct link *link, const struct point *before,
			   const struct point *after)
{
	int64_t from_y = before->x + before->value;
	int64_t until_y = after->x + after->value;

	return (struct jump) {
		.host = {
			network->segments[link->a].host,
			network->segments[link->b].host,
		},
		.from_ns = { before->x, from_y < until_y ? from_y : until_y },
		.until_ns = { after->x, from_y < until_y ? until_y : from_y },
	};
}

static int find_jumps(struct network *network, struct link *link,
		      struct jumps *jumps)
{
	struct part parts[PARTS_MAX + 1];
	struct points points;
	size_t count;
	int result = 0;

	count = find_parts(network, link, &points, parts);
	for (size_t i = 1; i < count && !result; i++) {
		struct jump jump = jump_of(network, link,
					   &points.at[parts[i - 1].end - 1],
					   &points.at[parts[i].begin]);

		result = note_jump(jumps, &jump);
	}
	return result;
}

/* ---- Hosts of steps ---- */

/* A host's links, and how many of them do not fit. */
struct blame {
	uint32_t links;
	uint32_t broken;
};

static void find_blame(const struct network *network, struct blame *blames)
{
	for (size_t i = 0; i < network->link_count; i++) {
		const struct link *link = &network->links[i];
		struct blame *a = &blames[network->segments[link->a].host];
		struct blame *b = &blames[network->segments[link->b].host];

		a->links++;
		b->links++;
		a->broken += link->dead;
		b->broken += link->dead;
	}
}

/* Returns how many jumps would be explained by one step of @jump's host @side. */
static size_t count_alike(const struct jumps *jumps, const struct jump *jump,
			  int side)
{
	size_t count = 0;

	if (jumps->count > JUMPS_MAX)
		return 0;
	for (size_t i = 0; i < jumps->count; i++)
		for (int other = 0; other < 2; other++)
			count += jumps->at[i].host[other] == jump->host[side] &&
				 jumps->at[i].from_ns[other] < jump->until_ns[side] &&
				 jump->from_ns[side] < jumps->at[i].until_ns[other];
	return count;
}

/*
 * Chooses the host (0 or 1 of @jump) whose step explains more jumps; if equal, the host with the
 * larger share of links that do not fit; if equal, not the reference.
 */
static int choose_side(const struct network *network, const struct jumps *jumps,
		       const struct jump *jump, const struct blame *blames)
{
	size_t a = jump->host[0], b = jump->host[1];
	uint64_t of_a = count_alike(jumps, jump, 0);
	uint64_t of_b = count_alike(jumps, jump, 1);

	if (of_a == of_b) {
		of_a = (uint64_t)blames[a].broken * blames[b].links;
		of_b = (uint64_t)blames[b].broken * blames[a].links;
	}
	if (of_a == of_b)
		return b != network->reference;
	return of_b > of_a;
}

static int note_step(struct network *network, const struct step *step)
{
	int error = array_reserve(&network->steps, &network->step_capacity,
				  network->step_count, sizeof(*step));

	if (!error)
		network->steps[network->step_count++] = *step;
	return error;
}

static int compare_steps(const void *x, const void *y)
{
	const struct step *a = x, *b = y;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	return (a->until_ns > b->until_ns) - (a->until_ns < b->until_ns);
}

/* Overlapping steps of a host are one step that several links saw; it is within all of them. */
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

static int note_steps(struct network *network, const struct jumps *jumps,
		      const struct blame *blames)
{
	int result = 0;

	for (size_t i = 0; i < jumps->count && !result; i++) {
		const struct jump *jump = &jumps->at[i];
		int side = choose_side(network, jumps, jump, blames);
		struct step step = {
			.host = jump->host[side],
			.from_ns = jump->from_ns[side],
			.until_ns = jump->until_ns[side],
		};

		result = note_step(network, &step);
	}
	join_steps(network);
	return result;
}

int steps_find(struct network *network)
{
	struct blame *blames = calloc(network->host_count, sizeof(*blames));
	struct jumps jumps = { 0 };
	int result = blames ? 0 : -ENOMEM;

	if (!result)
		find_blame(network, blames);
	for (size_t i = 0; i < network->link_count && !result; i++)
		if (network->links[i].dead)
			result = find_jumps(network, &network->links[i],
					    &jumps);
	if (!result)
		result = note_steps(network, &jumps, blames);
	free(blames);
	free(jumps.at);
	return result;
}
