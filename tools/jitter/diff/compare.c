// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares two recordings source by source, and decides which differences are significant.
 *
 * Stage: between the joined interruptions and the output of `evtlog jitter diff`.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "jitter/statistics/probability.h"
#include "lib/base/array.h"

void compared_cut(struct compared *compared, unsigned int blocks)
{
	compared->block_ns = fmin(compared->window_ns[0], compared->window_ns[1]) / blocks;
}

struct compared_source *compared_source(struct compared *compared,
					const struct evtlog_jitter_source *source)
{
	struct compared_source *row;

	for (size_t i = 0; i < compared->count; i++) {
		row = &compared->sources[i];
		if (row->family == source->family && !strcmp(row->name, source->name))
			return row;
	}
	if (array_reserve(&compared->sources, &compared->capacity, compared->count, sizeof(*row)))
		return NULL;
	row = &compared->sources[compared->count++];
	*row = (struct compared_source){
		.family = source->family,
		.kind = source->kind,
		.inferred = source->inferred,
		/* The cost of crossings is calibrated: its changes follow from other rows. */
		.judged = source->kind != EVTLOG_SOURCE_CROSSING,
	};
	memcpy(row->name, source->name, sizeof(row->name));
	row->name[sizeof(row->name) - 1] = '\0';
	return row;
}

int compared_open_source(const struct compared *compared, struct compared_source *source)
{
	double least_ns = fmin(compared->window_ns[0], compared->window_ns[1]);
	double period_ns = source->side[0].period_ns;

	if (!(period_ns > 0))
		period_ns = source->side[1].period_ns;
	for (unsigned int side = 0; side < 2; side++) {
		double block_ns = compared->block_ns, window_ns = compared->window_ns[side];
		size_t count = blocks_fit(window_ns, least_ns, period_ns, &block_ns);
		int error;

		error = blocks_new(&source->side[side].blocks, count, block_ns,
				   compared->cpu_s[side] * block_ns / window_ns);
		if (error)
			return error;
	}
	return 0;
}

int compared_open_blocks(struct compared *compared)
{
	double blocks = (compared->window_ns[0] + compared->window_ns[1]) / compared->block_ns;
	int error = 0;

	/* Computed as double: the product may not fit into size_t. */
	if (compared->blocks_most > 0 &&
	    !(blocks * fmax(compared->count, 1) <= compared->blocks_most))
		return -E2BIG;
	for (size_t i = 0; i < compared->count && !error; i++)
		error = compared_open_source(compared, &compared->sources[i]);
	return error;
}

void compared_add(struct compared_source *source, unsigned int side, double at_ns,
		  double length_ns)
{
	struct compared_side *of = &source->side[side];

	if (!of->intervals || length_ns < of->min_ns)
		of->min_ns = length_ns;
	if (!of->intervals || length_ns > of->max_ns)
		of->max_ns = length_ns;
	of->intervals++;
	of->total_ns += length_ns;
	blocks_add(&of->blocks, at_ns, length_ns);
}

static int by_total(const void *a, const void *b)
{
	const struct compared_source *x = a, *y = b;
	double of_x = fmax(x->side[0].total_ns, x->side[1].total_ns);
	double of_y = fmax(y->side[0].total_ns, y->side[1].total_ns);

	return (of_x < of_y) - (of_x > of_y);
}

void compared_keep(struct compared *compared, size_t count)
{
	if (compared->count)
		qsort(compared->sources, compared->count, sizeof(*compared->sources), by_total);
	while (compared->count > count) {
		struct compared_source *last = &compared->sources[--compared->count];

		blocks_free(&last->side[0].blocks);
		blocks_free(&last->side[1].blocks);
	}
}

void compared_free(struct compared *compared)
{
	compared_keep(compared, 0);
	free(compared->sources);
	compared->sources = NULL;
	compared->count = compared->capacity = 0;
}

const char *compared_verdict_name(enum compared_verdict verdict)
{
	static const char *const names[COMPARED_VERDICTS] = {
		[COMPARED_SAME] = "same",
		[COMPARED_NEW] = "new",
		[COMPARED_GONE] = "gone",
		[COMPARED_LARGER] = "larger",
		[COMPARED_SMALLER] = "smaller",
		[COMPARED_CHANGED] = "changed",
		[COMPARED_UNJUDGED] = "not judged",
	};

	return names[verdict];
}

bool compared_fails(const struct compared *compared, const bool fails[COMPARED_VERDICTS])
{
	for (size_t i = 0; i < compared->count; i++)
		if (fails[compared->sources[i].verdict])
			return true;
	return false;
}

double compared_value(const struct compared *compared, const struct compared_source *source,
		      unsigned int side, enum blocks_measure measure)
{
	const struct compared_side *of = &source->side[side];

	switch (measure) {
	case BLOCKS_RATE:
		return of->intervals / compared->cpu_s[side];
	case BLOCKS_MEAN:
		return of->intervals ? of->total_ns / of->intervals : NAN;
	default:
		return of->total_ns / compared->cpu_s[side];
	}
}

/*
 * ---- Significance ----
 *
 * Each source has two tests: does its rate differ, does its mean differ? Its total is their
 * product. A verdict needs a test that is significant together with all others, and a difference
 * that is large enough.
 */

#define REPLICATES		2000
/* Ten times as many permutations as the smallest relevant p-value needs. */
#define PERMUTATIONS_LEAST	10000
#define PERMUTATIONS_MOST	1000000

static unsigned int permutations(const struct compared *compared, size_t questions)
{
	double wanted = 20 * questions / (1 - compared->level);

	return fmax(PERMUTATIONS_LEAST, fmin(PERMUTATIONS_MOST, wanted));
}

static double ratio(double b, double a)
{
	if (isnan(a) || isnan(b) || (!a && !b))
		return NAN;
	return a > 0 ? b / a : HUGE_VAL;
}

static int measure(struct compared *compared, struct compared_source *source,
		   unsigned int tries, struct random_state *random)
{
	const struct blocks *a = &source->side[0].blocks, *b = &source->side[1].blocks;
	int error;

	for (unsigned int i = 0; i < BLOCKS_MEASURES; i++)
		source->ratios[i] = ratio(compared_value(compared, source, 1, i),
					  compared_value(compared, source, 0, i));
	source->p[0] = source->p[1] = source->adjusted[0] = source->adjusted[1] = 1;
	error = blocks_intervals(a, b, compared->level, REPLICATES, random,
				 source->intervals);
	if (error || !source->judged)
		return error;
	return blocks_p(a, b, tries, random, source->p);
}

static int way(const struct compared *compared, const struct compared_source *source,
	       enum blocks_measure measure)
{
	double ratio = source->ratios[measure];

	if (source->adjusted[measure] > 1 - compared->level || isnan(ratio))
		return 0;
	if (ratio >= 1 + compared->least_change)
		return 1;
	return ratio <= 1 - compared->least_change ? -1 : 0;
}

static enum compared_verdict verdict(const struct compared *compared,
				     const struct compared_source *source)
{
	const struct blocks_interval *total = &source->intervals[BLOCKS_TOTAL];
	int rate = source->ways[BLOCKS_RATE], mean = source->ways[BLOCKS_MEAN];

	if (!source->judged)
		return COMPARED_UNJUDGED;
	if (!rate && !mean)
		return COMPARED_SAME;
	if (!source->side[0].intervals)
		return COMPARED_NEW;
	if (!source->side[1].intervals)
		return COMPARED_GONE;
	/* Opposite directions: the total decides, if its interval is clear. */
	if (rate * mean < 0) {
		if (total->low > 1 + compared->least_change)
			return COMPARED_LARGER;
		if (total->high < 1 - compared->least_change)
			return COMPARED_SMALLER;
		return COMPARED_CHANGED;
	}
	return rate + mean > 0 ? COMPARED_LARGER : COMPARED_SMALLER;
}

/* Number of B's blocks in which a source absent from A is significant; 0: B is too short. */
static size_t seen_from(const struct compared *compared)
{
	size_t a = compared->window_ns[0] / compared->block_ns * (1 + 1e-12);
	size_t b = compared->window_ns[1] / compared->block_ns * (1 + 1e-12);
	size_t among = compared->questions ? compared->questions : 1;

	for (size_t i = 1; i <= b; i++)
		if (exact_fisher(a + b, i, b, i) * among <= 1 - compared->level)
			return i;
	return 0;
}

int compared_judge(struct compared *compared)
{
	struct holm *questions = calloc(2 * compared->count + 1, sizeof(*questions));
	struct random_state random;
	unsigned int tries;
	size_t count = 0;
	int error = 0;

	if (!questions)
		return -ENOMEM;
	random_seed(&random, compared->seed);
	tries = permutations(compared, 2 * compared->count);
	compared_keep(compared, compared->count);
	for (size_t i = 0; i < compared->count; i++) {
		struct compared_source *source = &compared->sources[i];

		error = measure(compared, source, tries, &random);
		if (error)
			goto out;
		if (!source->judged)
			continue;
		questions[count++] = (struct holm){
			.p = source->p[BLOCKS_RATE],
			.attainable = blocks_attainable(&source->side[0].blocks,
							&source->side[1].blocks),
		};
		if (blocks_has_means(&source->side[0].blocks, &source->side[1].blocks))
			questions[count++].p = source->p[BLOCKS_MEAN];
	}
	compared->questions = holm_adjust(questions, count, compared->level);
	count = 0;
	for (size_t i = 0; i < compared->count; i++) {
		struct compared_source *source = &compared->sources[i];

		if (source->judged) {
			source->adjusted[BLOCKS_RATE] = questions[count++].adjusted;
			if (blocks_has_means(&source->side[0].blocks, &source->side[1].blocks))
				source->adjusted[BLOCKS_MEAN] = questions[count++].adjusted;
		}
		source->ways[BLOCKS_RATE] = way(compared, source, BLOCKS_RATE);
		source->ways[BLOCKS_MEAN] = way(compared, source, BLOCKS_MEAN);
		source->verdict = verdict(compared, source);
	}
	compared->seen_from = seen_from(compared);
out:
	free(questions);
	return error;
}
