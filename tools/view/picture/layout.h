/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where on a picture things are, and in which colours the rest of it is.
 *
 * Between draw.c and what draws parts of it.
 */
#ifndef EVTLOG_VIEW_PICTURE_LAYOUT_H
#define EVTLOG_VIEW_PICTURE_LAYOUT_H

#include <cairo/cairo.h>

#include "draw/canvas.h"
#include "draw/colours.h"
#include "picture.h"

/* Pixels; labels of CPUs are left of the plot. */
#define PICTURE_MARGIN	16
#define PICTURE_GUTTER	132

/* A lane's height and its parts, from the top as on the page. */
struct picture_lane_size {
	int height;
	int gap;
	int ticks;
	int bar;
	int band;		/* of softirqs, and the same of interrupts */
};

/*
 * @cr: NULL while heights are measured
 * @plot_x, @columns: where the first bin is, and how many there are
 */
struct picture_canvas {
	cairo_t *cr;
	cairo_surface_t *surface;
	const struct picture_scene *scene;
	const struct picture_options *opts;
	const struct draw_theme *theme;
	const struct view_ground *ground;
	struct picture_lane_size lane;
	int width;
	int plot_x;
	int columns;
};

/* Of ticks of a kind, on the picture's ground. */
static inline uint32_t picture_tick_colour(const struct picture_canvas *canvas, int kind)
{
	return canvas->opts->paper.light ? view_ticks[kind].light : view_ticks[kind].colour;
}

/* ---- lane.c ---- */

/* Its bins and names of tasks, with the upper edge at @y. */
void picture_lane_bins(const struct picture_canvas *canvas,
		       const struct picture_lane *lane, int y);
/* Counts on its losses, where they have room. */
void picture_lane_losses(const struct picture_canvas *canvas,
			 const struct picture_lane *lane, int y);

/* ---- legend.c ---- */

/* From @y on; only measured unless @draw.  Returns the height. */
int picture_legend(const struct picture_canvas *canvas, int y, bool draw);

/* The tasks that it names, a line each: "#rrggbb NAME".  free() it; NULL: no memory. */
char *picture_legend_tasks(const struct picture_canvas *canvas);

#endif /* EVTLOG_VIEW_PICTURE_LAYOUT_H */
