/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Helpers to draw timelines and charts with cairo: the colours of a background, and text.
 */
#ifndef EVTLOG_DRAW_CANVAS_H
#define EVTLOG_DRAW_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include <cairo/cairo.h>

/* Colours, 0xrrggbb */
struct draw_theme {
	uint32_t page;
	uint32_t text;
	uint32_t dim;
	uint32_t grid;
	uint32_t host;		/* background of a host's name */
	uint32_t lost;		/* text about lost events */
};

void draw_colour(cairo_t *cr, uint32_t colour);
void draw_font(cairo_t *cr, double size, bool bold);
double draw_text_width(cairo_t *cr, const char *text);

/* The text starts, or ends, at @x; @y is its baseline.  The caller sets font and colour. */
void draw_text(cairo_t *cr, double x, double y, const char *text);
void draw_text_right(cairo_t *cr, double x, double y, const char *text);

/* As draw_text().  A text that is wider than @width is cut and ends with an ellipsis. */
void draw_text_within(cairo_t *cr, double x, double y, double width,
			 const char *text);

/*
 * Breaks a text at blanks into lines of at most @width.  The first baseline is @y, the next
 * follow at a distance of @line.  If @draw is false, nothing is drawn.  Returns the number of
 * lines.
 */
unsigned int draw_text_lines(cairo_t *cr, double x, double y, double width,
				double line, const char *text, bool draw);

/* 1234567: "1,234,567". */
void draw_count(uint64_t count, char text[32]);

#endif /* EVTLOG_DRAW_CANVAS_H */
