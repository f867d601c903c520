/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What time lines and charts are drawn with: the colours of a ground, and text.
 */
#ifndef EVTLOG_DRAW_CANVAS_H
#define EVTLOG_DRAW_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include <cairo/cairo.h>

/* 0xrrggbb */
struct draw_theme {
	uint32_t page;
	uint32_t text;
	uint32_t dim;
	uint32_t grid;
	uint32_t host;		/* behind a host's name */
	uint32_t lost;		/* text that tells of losses */
};

void draw_colour(cairo_t *cr, uint32_t colour);
void draw_font(cairo_t *cr, double size, bool bold);
double draw_text_width(cairo_t *cr, const char *text);

/* From @x on, or up to it, the base line at @y; the font and colour are the caller's. */
void draw_text(cairo_t *cr, double x, double y, const char *text);
void draw_text_right(cairo_t *cr, double x, double y, const char *text);

/* Cut with dots to @width. */
void draw_text_within(cairo_t *cr, double x, double y, double width,
			 const char *text);

/*
 * Lines of at most @width, broken at blanks; drawn from the base line @y on, @line
 * apart, unless @draw is false.  Returns how many.
 */
unsigned int draw_text_lines(cairo_t *cr, double x, double y, double width,
				double line, const char *text, bool draw);

/* 1234567: "1,234,567". */
void draw_count(uint64_t count, char text[32]);

#endif /* EVTLOG_DRAW_CANVAS_H */
