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

#include "draw/canvas.h"
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

/* ---- Names of places on a chart ---- */

/*
 * Where names of places on a chart stand: above the plot, in rows, each with a line down to
 * what it names, and none over another.
 *
 * It draws nothing.
 */

/*
 * @mark: whose
 * @row: from the plot up
 * @x: of its line; @left, @right: of its text, to one side of that
 */
struct chart_label {
	size_t mark;
	unsigned int row;
	int x;
	double left;
	double right;
};

/*
 * chart_labels_place() - as many as there is room for, the first before others
 * @x: where marks are; @widths: of their names
 * @from, @to: between which all is
 * @labels: room for one more than @count
 *
 * Returns how many are placed, from right to left; without memory none.
 */
size_t chart_labels_place(const int *x, const double *widths, size_t count, double from,
			  double to, unsigned int rows, struct chart_label *labels);

/* ---- The plot of a chart while it is drawn: where it is on the picture, and its axes ---- */

#define PLOT_FONT	11

/*
 * @width, @height: of the picture; the plot is @columns by @rows from @x, @y on
 * @top: the value at the upper end of the vertical axis
 * @labels: those that have room
 */
struct plot {
	cairo_t *cr;
	const struct chart *chart;
	const struct draw_theme *theme;
	int width;
	int height;
	int x;
	int y;
	int columns;
	int rows;
	double top;
	struct chart_label *labels;
	size_t label_count;
};

int plot_x(const struct plot *plot, double at);

/* How many pixels a value is above the base line. */
int plot_height(const struct plot *plot, double value);

/* 1, 2 or 5 times a power of ten, so that @span has at most @count of them. */
double plot_step(double span, int count);

void plot_vertical(const struct plot *plot, int x, int from_y, int to_y);
void plot_horizontal(const struct plot *plot, int y);

/* Both axes, their steps and names, over the empty plot. */
void plot_axes(const struct plot *plot);

#endif /* EVTLOG_JITTER_PLOT_CHART_H */
