// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two recordings, source by source.
 *
 * Stage: between the joined interruptions and the verdicts of significance.c.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
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

int compared_open_blocks(struct compared *compared)
{
	double least_ns = fmin(compared->window_ns[0], compared->window_ns[1]);
	double blocks = (compared->window_ns[0] + compared->window_ns[1]) / compared->block_ns;

	/* Computed as double: the product may not fit into size_t. */
	if (compared->blocks_most > 0 &&
	    !(blocks * fmax(compared->count, 1) <= compared->blocks_most))
		return -E2BIG;
	for (size_t i = 0; i < compared->count; i++) {
		struct compared_source *source = &compared->sources[i];
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
	}
	return 0;
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

void compared_free(struct compared *compared)
{
	for (size_t i = 0; i < compared->count; i++) {
		blocks_free(&compared->sources[i].side[0].blocks);
		blocks_free(&compared->sources[i].side[1].blocks);
	}
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
