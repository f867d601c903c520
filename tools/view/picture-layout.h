/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where on a picture things are, and in which colours the rest of it is.
 *
 * Stage: within the picture; between picture-draw.c and what draws parts of it.
 */
#ifndef VIEW_PICTURE_LAYOUT_H
#define VIEW_PICTURE_LAYOUT_H

#include <cairo/cairo.h>

#include "colours.h"
#include "picture.h"

/* Pixels; labels of CPUs are left of the plot. */
#define PICTURE_MARGIN	16
#define PICTURE_GUTTER	132

/* 0xrrggbb */
struct picture_theme {
	uint32_t page;
	uint32_t text;
	uint32_t dim;
	uint32_t grid;
	uint32_t host;		/* behind a host's name */
	uint32_t lost;		/* text that tells of losses */
};

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
	const struct picture_wish *wish;
	const struct picture_theme *theme;
	const struct view_ground *ground;
	struct picture_lane_size lane;
	int width;
	int plot_x;
	int columns;
};

/* Of ticks of a kind, on the picture's ground. */
static inline uint32_t picture_tick_colour(const struct picture_canvas *canvas, int kind)
{
	return canvas->wish->paper.light ? view_ticks[kind].light : view_ticks[kind].colour;
}

/* ---- picture-text.c ---- */

void picture_colour(cairo_t *cr, uint32_t colour);
void picture_font(cairo_t *cr, double size, bool bold);
double picture_text_width(cairo_t *cr, const char *text);

/* From @x on, or up to it, the base line at @y; the font and colour are the caller's. */
void picture_text(cairo_t *cr, double x, double y, const char *text);
void picture_text_right(cairo_t *cr, double x, double y, const char *text);

/* Cut with dots to @width. */
void picture_text_within(cairo_t *cr, double x, double y, double width,
			 const char *text);

/*
 * Lines of at most @width, broken at blanks; drawn from the base line @y on, @line
 * apart, unless @draw is false.  Returns how many.
 */
unsigned int picture_text_lines(cairo_t *cr, double x, double y, double width,
				double line, const char *text, bool draw);

/* 1234567: "1,234,567". */
void picture_count(uint64_t count, char text[32]);

/* ---- picture-lane.c ---- */

/* Its bins and names of tasks, with the upper edge at @y. */
void picture_lane_bins(const struct picture_canvas *canvas,
		       const struct picture_lane *lane, int y);
/* Counts on its losses, where they have room. */
void picture_lane_losses(const struct picture_canvas *canvas,
			 const struct picture_lane *lane, int y);

/* ---- picture-legend.c ---- */

/* From @y on; only measured unless @draw.  Returns the height. */
int picture_legend(const struct picture_canvas *canvas, int y, bool draw);

/* The tasks that it names, a line each: "#rrggbb NAME".  free() it; NULL: no memory. */
char *picture_legend_tasks(const struct picture_canvas *canvas);

#endif /* VIEW_PICTURE_LAYOUT_H */
