/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plot of a chart while it is drawn: where it is on the picture, and its axes.
 */
#ifndef EVTLOG_JITTER_PLOT_PLOT_AREA_H
#define EVTLOG_JITTER_PLOT_PLOT_AREA_H

#include "chart.h"
#include "draw/canvas.h"
#include "labels.h"

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

#endif /* EVTLOG_JITTER_PLOT_PLOT_AREA_H */
