/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The colours and the text of timelines and charts, which are drawn with cairo.
 */
#ifndef EVTLOG_DRAW_CANVAS_H
#define EVTLOG_DRAW_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include <cairo/cairo.h>

#include <evtlog/index.h>

/* VIEW_IDLE, VIEW_LOGGER and the other states as 0xrrggbb, and the tables of canvas.c */
#include "colours-table.h"

/*
 * ---- The colours of the timeline and their meaning, the same in pictures as on the page ----
 *
 * The tables are generated from view/page/draw/colours.js and themes.js.  task-colours.c chooses
 * the colour of each task, for pictures and for the page.
 */

/* How the ticks of one kind of event look */
struct view_tick {
	uint32_t colour;
	uint32_t light;		/* colour on a light background */
	uint8_t length;		/* percent of the height for ticks */
	const char *label;
};

/*
 * Colours that depend on the background: lanes where no task ran, and tracks.
 * @load: tracks of counters
 */
struct view_ground {
	uint32_t idle;
	uint32_t outside;
	uint32_t unknown;
	uint32_t load;
};

extern const struct view_ground view_dark, view_light;
extern const struct view_tick view_ticks[EVTLOG_KINDS];

/* view_event_colour() - colour of a registered event; @id is 0 for own events without an id */
uint32_t view_event_colour(uint32_t id, bool light);

/* view_task_colour() - a colour of the default palette; task_colour() returns the @number */
uint32_t view_task_colour(unsigned int number);

/* ---- The background and text ---- */

/* Colours, 0xrrggbb */
struct draw_theme {
	uint32_t page;
	uint32_t text;
	uint32_t dim;
	uint32_t grid;
	uint32_t host;		/* background of a host's name */
	uint32_t lost;		/* text about lost events */
};

extern const struct draw_theme draw_dark;

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
