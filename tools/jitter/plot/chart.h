/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A chart of curves over bins, as a picture.
 *
 * Stage: between the curves and a picture file. It is independent of logs and of jitter.
 */
#ifndef EVTLOG_JITTER_PLOT_CHART_H
#define EVTLOG_JITTER_PLOT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "draw/paper.h"

struct draw_theme;

/*
 * A curve with one step per bin.
 * @clear: bins to highlight; the other bins are faint. NULL: no bin is highlighted or faint
 */
struct chart_curve {
	const char *name;
	uint32_t colour;
	bool filled;
	const double *values;
	const bool *clear;
};

/*
 * A label at a position of the x axis. The first marks have priority.
 * @curve: number of the curve that has a peak there
 */
struct chart_mark {
	double at;
	const char *name;
	size_t curve;
};

/*
 * @edges: @bins + 1 values of the x axis
 * @linear: the x axis is linear, else logarithmic
 * @unit: labels are values of the x axis divided by this
 * @least: start of a logarithmic y axis; 0: the y axis is linear, from 0
 * @level: value of a horizontal line; 0: none
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

/* Width of the plot in a picture of this width, in pixels. */
unsigned int chart_columns(unsigned int width);

/* chart_draw() - writes a picture. Return: 0; -ENOMEM; -errno of writing. */
int chart_draw(const struct chart *chart, const struct draw_paper *paper, FILE *out);

/* ---- Labels of marks ---- */

/*
 * Labels are in rows above the plot. Each has a line down to its position, and none overlaps
 * another label or its line.
 *
 * This computes positions only.
 */

/*
 * @mark: number of the mark
 * @row: from the plot upwards
 * @x: position of its line; @left, @right: ends of its text, on one side of the line
 */
struct chart_label {
	size_t mark;
	unsigned int row;
	int x;
	double left;
	double right;
};

/*
 * chart_labels_place() - place as many labels as fit, the first marks with priority
 * @x: positions of the marks; @widths: of their texts
 * @from, @to: limits for the texts
 * @labels: room for @count + 1 labels
 *
 * Returns the number of labels placed, ordered from right to left; 0 if out of memory.
 */
size_t chart_labels_place(const int *x, const double *widths, size_t count, double from,
			  double to, unsigned int rows, struct chart_label *labels);

/* ---- The plot: its position on the picture, and its axes ---- */

#define PLOT_FONT	11

/*
 * @width, @height: of the picture
 * @x, @y, @columns, @rows: upper left corner and size of the plot
 * @top: value at the upper end of the y axis
 * @labels: those that are placed
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

/* Height of a value above the base line, in pixels. */
int plot_height(const struct plot *plot, double value);

/* 1, 2 or 5 times a power of ten, such that @span has at most @count steps. */
double plot_step(double span, int count);

void plot_vertical(const struct plot *plot, int x, int from_y, int to_y);
void plot_horizontal(const struct plot *plot, int y);

/* Draws both axes, with ticks and names, on the empty plot. */
void plot_axes(const struct plot *plot);

#endif /* EVTLOG_JITTER_PLOT_CHART_H */
