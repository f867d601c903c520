/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A chart of curves over bins, as a picture.
 *
 * Stage: between the curves and a picture: a file, or the background of the page's chart. It is
 * independent of logs and of jitter.
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
 * @about: numbers after its name in the legend
 * @clear: bins to highlight; the other bins are faint. NULL: no bin is highlighted or faint
 */
struct chart_curve {
	char *name;
	char *about;
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
	char *name;
	size_t curve;
};

/*
 * @title: NULL: only the plot with its axes and labels, without title, legend and caption
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
/* Smallest side of a picture without title */
#define CHART_PLOT_MIN		160u

/* Width of the plot in a picture of this width, in pixels. */
unsigned int chart_columns(unsigned int width);

/*
 * The plot's place on a picture.
 * @x, @y, @columns, @rows: upper left corner and size
 * @top: value at the upper end of the y axis
 */
struct chart_place {
	int x;
	int y;
	int columns;
	int rows;
	double top;
};

/*
 * chart_draw() - writes a picture
 * @place: set to the plot's place; may be NULL
 *
 * Return: 0; -ENOMEM; -errno of writing.
 */
int chart_draw(const struct chart *chart, const struct draw_paper *paper, FILE *out,
	       struct chart_place *place);

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
 * @head_y: upper edge of the labels; the name of the y axis is above them
 * @labels: those that are placed
 */
struct plot {
	cairo_t *cr;
	const struct chart *chart;
	const struct draw_theme *theme;
	int width;
	int height;
	int head_y;
	struct chart_place at;
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
