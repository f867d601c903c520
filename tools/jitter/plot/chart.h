/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A chart of curves over bins, as a picture.
 *
 * Stage: between the curves and a PNG file; it knows neither logs nor what jitter is.
 */
#ifndef EVTLOG_JITTER_PLOT_CHART_H
#define EVTLOG_JITTER_PLOT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "draw/paper.h"

/*
 * A curve: a step for each bin.
 * @clear: bins that are told from all others, which are faint then; NULL: none is
 */
struct chart_curve {
	const char *name;
	uint32_t colour;
	bool filled;
	const double *values;
	const bool *clear;
};

/*
 * A place on the horizontal axis that is named; the first have room before others.
 * @curve: whose value there is meant
 */
struct chart_mark {
	double at;
	const char *name;
	size_t curve;
};

/*
 * @edges: @bins + 1, in units of the axis
 * @linear: of the horizontal axis
 * @unit: for labels: of so much on the axis is 1 said
 * @least: of a logarithmic vertical axis, where it begins; 0: it is linear, from 0
 * @level: a line across at this value; 0: none
 */
struct chart {
	const char *title;
	const char *subtitle;
	const char *caption;
	const char *x_name;
	const char *y_name;
	double unit;
	bool linear;
	double least;
	double level;
	unsigned int bins;
	const double *edges;
	const struct chart_curve *curves;
	size_t curve_count;
	const struct chart_mark *marks;
	size_t mark_count;
};

#define CHART_WIDTH		1200u
#define CHART_HEIGHT		640u
#define CHART_WIDTH_MIN		480u
#define CHART_HEIGHT_MIN	320u

/* How wide the plot of a picture is. */
unsigned int chart_columns(unsigned int width);

/* chart_draw() - writes a picture.  Return: 0; -ENOMEM; -errno of writing. */
int chart_draw(const struct chart *chart, const struct draw_paper *paper, FILE *out);

#endif /* EVTLOG_JITTER_PLOT_CHART_H */
