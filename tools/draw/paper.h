/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that a picture is written to, and the options of all commands that draw one.
 */
#ifndef EVTLOG_DRAW_PAPER_H
#define EVTLOG_DRAW_PAPER_H

#include <cairo/cairo.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/options.h"

/* ---- What kind of file a picture is written to: by the end of its name ---- */

enum draw_format { DRAW_PNG, DRAW_PDF, DRAW_SVG };

/*
 * Of .png, .pdf and .svg; "-" is PNG.  0 or -EINVAL.
 */
int draw_format_of(enum draw_format *format, const char *path);

/* To draw on; of PDF and SVG it writes to @out itself. */
cairo_surface_t *draw_surface(enum draw_format format, unsigned int width,
				 unsigned int height, const char *title, FILE *out);

/* A PDF or SVG surface is drawn: writes the rest.  0; -errno of writing, -ENOMEM. */
int draw_surface_finish(cairo_surface_t *surface);

/* ---- A PNG file that says what it shows ---- */

/* A tEXt or, as values are UTF-8, iTXt chunk; the last has no key. */
struct png_text {
	const char *key;
	const char *value;
};

/* 0; -errno of writing, -ENOMEM. */
int png_write(cairo_surface_t *surface, const struct png_text *texts,
		      FILE *out);

/* ---- Options ---- */

/* cairo's images go no further. */
#define DRAW_SIDE_MAX	32000u

/*
 * What a picture is drawn on.
 * @width, @height: in pixels
 * @title:	NULL: whoever draws finds one
 */
struct draw_paper {
	enum draw_format format;
	unsigned int width;
	unsigned int height;
	bool light;
	const char *title;
};

enum {
	DRAW_OPTION_WIDTH = 0x3000, DRAW_OPTION_HEIGHT, DRAW_OPTION_LIGHT,
	DRAW_OPTION_DARK, DRAW_OPTION_TITLE,
};

/*
 * Options --width and --height with their smallest values and their defaults as texts, and the
 * options that need neither.
 */
#define DRAW_SIDE_OPTIONS(least_width, width, least_height, height) \
	{ DRAW_OPTION_WIDTH, "width", "PIXELS", "width of the picture (default " width ")", \
	  .kind = VALUE_TEXT, .valid = "a number of pixels from " least_width " to 32000" }, \
	{ DRAW_OPTION_HEIGHT, "height", "PIXELS", "height of the picture (default " height ")", \
	  .kind = VALUE_TEXT, .valid = "a number of pixels from " least_height " to 32000" }
extern const struct option_desc draw_options[];

/*
 * Takes one of these: 0, or -EINVAL, also if it is another.
 * @least:	the smallest sides
 */
int draw_option(struct draw_paper *paper, const struct draw_paper *least, int option,
		   const char *text);

#endif /* EVTLOG_DRAW_PAPER_H */
