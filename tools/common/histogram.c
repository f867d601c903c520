// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Log-linear histograms.
 *
 * Octave 0 has a bucket for each value below HISTOGRAM_STEPS.  Octave n begins at
 * HISTOGRAM_STEPS << (n - 1) and has buckets of 1 << (n - 1) values.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "histogram.h"

static void locate(uint64_t value, unsigned int *octave, unsigned int *step)
{
	unsigned int n;

	if (value < HISTOGRAM_STEPS) {
		*octave = 0;
		*step = value;
		return;
	}
	n = 63 - __builtin_clzll(value) - HISTOGRAM_STEPS_LOG2;
	if (n + 1 >= HISTOGRAM_OCTAVES) {
		*octave = HISTOGRAM_OCTAVES - 1;
		*step = HISTOGRAM_STEPS - 1;
		return;
	}
	*octave = n + 1;
	*step = (value >> n) - HISTOGRAM_STEPS;
}

/* The middle of a bucket. */
static uint64_t value_of(unsigned int octave, unsigned int step)
{
	uint64_t width;

	if (!octave)
		return step;
	width = UINT64_C(1) << (octave - 1);
	return (HISTOGRAM_STEPS + step) * width + width / 2;
}

static uint32_t *octave_of(struct histogram *histogram, unsigned int octave)
{
	if (!histogram->octaves[octave])
		histogram->octaves[octave] =
			calloc(HISTOGRAM_STEPS, sizeof(uint32_t));
	return histogram->octaves[octave];
}

int histogram_add(struct histogram *histogram, uint64_t value)
{
	unsigned int octave, step;
	uint32_t *counts;

	locate(value, &octave, &step);
	counts = octave_of(histogram, octave);
	if (!counts)
		return -ENOMEM;
	counts[step]++;
	if (!histogram->count || value < histogram->min)
		histogram->min = value;
	if (value > histogram->max)
		histogram->max = value;
	histogram->sum += value;
	histogram->count++;
	return 0;
}

int histogram_merge(struct histogram *to, struct histogram *from)
{
	if (!from->count)
		return 0;
	for (unsigned int i = 0; i < HISTOGRAM_OCTAVES; i++) {
		uint32_t *counts;

		if (!from->octaves[i])
			continue;
		counts = octave_of(to, i);
		if (!counts)
			return -ENOMEM;
		for (unsigned int j = 0; j < HISTOGRAM_STEPS; j++)
			counts[j] += from->octaves[i][j];
	}
	if (!to->count || from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
	to->sum += from->sum;
	to->count += from->count;
	histogram_clear(from);
	return 0;
}

uint64_t histogram_percentile(const struct histogram *histogram, double share)
{
	uint64_t wanted = ceil(share * histogram->count), seen = 0;

	if (!histogram->count)
		return 0;
	for (unsigned int i = 0; i < HISTOGRAM_OCTAVES; i++) {
		if (!histogram->octaves[i])
			continue;
		for (unsigned int j = 0; j < HISTOGRAM_STEPS; j++) {
			uint64_t value;

			seen += histogram->octaves[i][j];
			if (seen < wanted || !seen)
				continue;
			value = value_of(i, j);
			if (value < histogram->min)
				return histogram->min;
			return value < histogram->max ? value : histogram->max;
		}
	}
	return histogram->max;
}

void histogram_clear(struct histogram *histogram)
{
	for (unsigned int i = 0; i < HISTOGRAM_OCTAVES; i++)
		free(histogram->octaves[i]);
	memset(histogram, 0, sizeof(*histogram));
}
