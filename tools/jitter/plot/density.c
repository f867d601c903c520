// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parzen-window densities of lengths, with Gaussian kernels.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "curves.h"

/* Values within this fraction of a bin are replaced by their mean. */
#define CELLS_PER_BIN	16
/* Beyond this many bandwidths, a kernel is negligible in double precision. */
#define REACH		8.3

struct cell {
	double at;
	double count;
};

static double coordinate(const struct jitter_choice *choice, double ns)
{
	return choice->linear ? ns : log10(ns > JITTER_GRAIN_NS ? ns : JITTER_GRAIN_NS);
}

/* The quantile @part of ascending values, interpolated. */
static double quantile(const double *values, size_t count, double part,
		       const struct jitter_choice *choice)
{
	double at = part * (count - 1);
	size_t low = at;
	double a = coordinate(choice, values[low]);

	return low + 1 < count ?
	       a + (at - low) * (coordinate(choice, values[low + 1]) - a) : a;
}

/* 0.9 min(s, IQR / 1.34) n^(-1/5); half a bin if all values are equal. */
static double silverman(const double *values, size_t count, double bin,
			const struct jitter_choice *choice)
{
	double mean = 0, squares = 0, spread, middle;

	for (size_t i = 0; i < count; i++) {
		double x = coordinate(choice, values[i]), off = x - mean;

		mean += off / (i + 1);
		squares += off * (x - mean);
	}
	spread = count > 1 ? sqrt(squares / (count - 1)) : 0;
	middle = (quantile(values, count, 0.75, choice) -
		  quantile(values, count, 0.25, choice)) / 1.34;
	if (middle > 0 && middle < spread)
		spread = middle;
	return spread > 0 ? 0.9 * spread * pow(count, -0.2) : bin / 2;
}

/* Merges neighbours that are closer than @width. */
static size_t make_cells(const double *values, size_t count, double width,
			 const struct jitter_choice *choice, struct cell *cells)
{
	size_t made = 0;
	double first = 0;

	for (size_t i = 0; i < count; i++) {
		double x = coordinate(choice, values[i]);

		if (made && x - first < width) {
			struct cell *cell = &cells[made - 1];

			cell->count++;
			cell->at += (x - cell->at) / cell->count;
			continue;
		}
		first = x;
		cells[made++] = (struct cell) { x, 1 };
	}
	return made;
}

/* The share of a kernel around 0 with bandwidth 1 that is below @x. */
static double below(double x)
{
	return 0.5 * erfc(-x * M_SQRT1_2);
}

static void add_cell(const struct cell *cell, double bandwidth, const double *at,
		     unsigned int bins, double *values)
{
	unsigned int first = 0, last = bins;
	double before, until;

	while (first < last) {
		unsigned int middle = (first + last) / 2;

		if (at[middle + 1] < cell->at - REACH * bandwidth)
			first = middle + 1;
		else
			last = middle;
	}
	if (first == bins)
		return;
	before = below((at[first] - cell->at) / bandwidth);
	for (unsigned int i = first; i < bins; i++) {
		until = below((at[i + 1] - cell->at) / bandwidth);
		values[i] += cell->count * (until - before);
		if (at[i + 1] > cell->at + REACH * bandwidth)
			return;
		before = until;
	}
}

int jitter_density(const double *values, size_t count, const double *edges,
		   unsigned int bins, const struct jitter_choice *choice,
		   struct jitter_density *density)
{
	struct cell *cells = reallocarray(NULL, count + 1, sizeof(*cells));
	double *at = reallocarray(NULL, bins + 1, sizeof(*at)), bin;
	size_t cell_count;

	density->count = count;
	density->bandwidth = 0;
	for (unsigned int i = 0; i < bins; i++)
		density->values[i] = 0;
	if (!cells || !at) {
		free(cells);
		free(at);
		return -ENOMEM;
	}
	for (unsigned int i = 0; i <= bins; i++)
		at[i] = coordinate(choice, edges[i]);
	bin = (at[bins] - at[0]) / bins;
	if (count) {
		density->bandwidth = choice->bandwidth > 0 ? choice->bandwidth :
				     silverman(values, count, bin, choice);
		cell_count = make_cells(values, count, bin / CELLS_PER_BIN, choice, cells);
		for (size_t i = 0; i < cell_count; i++)
			add_cell(&cells[i], density->bandwidth, at, bins, density->values);
		for (unsigned int i = 0; i < bins; i++)
			density->values[i] /= count * (at[i + 1] - at[i]);
	}
	free(cells);
	free(at);
	return 0;
}

/* ---- Densities of several sources ---- */

struct lengths {
	double *values;
	size_t count;
};

/* Sources are ordered by total time, the greatest first. */
static int gather(const struct jitter_data *data, const struct jitter_choice *choice,
		  struct jitter_densities *densities, struct lengths *lengths)
{
	for (uint32_t s = EVTLOG_JITTER_NONE; densities->count < JITTER_CURVES_MAX &&
	     (s == EVTLOG_JITTER_NONE || s < data->source_count); s++) {
		struct jitter_density *curve = &densities->curves[densities->count];
		struct lengths *own = &lengths[densities->count];
		int error;

		if (s != EVTLOG_JITTER_NONE && choice->sources && !choice->sources[s])
			continue;
		curve->series = s == EVTLOG_JITTER_NONE ? JITTER_INTERRUPTION : JITTER_PART;
		curve->source = s;
		error = jitter_values(data, choice, curve->series, s, &own->values, &own->count);
		if (error)
			return error;
		/* Inferred sources have no parts. */
		if (own->count || s == EVTLOG_JITTER_NONE)
			densities->count++;
		else
			free(own->values);
		if (!own->count)
			own->values = NULL;
	}
	return 0;
}

int jitter_densities(const struct jitter_data *data, const struct jitter_choice *choice,
		     struct jitter_densities *densities)
{
	struct lengths lengths[JITTER_CURVES_MAX] = { { 0 } };
	double lowest = INFINITY, highest = 0;
	int error;

	densities->count = 0;
	error = gather(data, choice, densities, lengths);
	for (size_t i = 0; i < densities->count; i++) {
		if (!lengths[i].count)
			continue;
		lowest = fmin(lowest, jitter_least(lengths[i].values, lengths[i].count));
		highest = fmax(highest, lengths[i].values[lengths[i].count - 1]);
	}
	densities->bins = jitter_edges(choice, lowest, highest, densities->edges);
	for (size_t i = 0; !error && i < densities->count; i++)
		error = jitter_density(lengths[i].values, lengths[i].count, densities->edges,
				       densities->bins, choice, &densities->curves[i]);
	for (size_t i = 0; i < JITTER_CURVES_MAX; i++)
		free(lengths[i].values);
	return error;
}
