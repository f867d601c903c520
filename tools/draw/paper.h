/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that a picture is written to, and the options of all commands that draw pictures.
 */
#ifndef EVTLOG_DRAW_PAPER_H
#define EVTLOG_DRAW_PAPER_H

#include <cairo/cairo.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/options.h"

/* ---- The format of the file: the suffix of its name selects it ---- */

enum draw_format { DRAW_PNG, DRAW_PDF, DRAW_SVG };

/* The suffixes are .png, .pdf and .svg; "-" is PNG.  Returns 0, or -EINVAL for other names. */
int draw_format_of(enum draw_format *format, const char *path);

/* Creates a surface to draw on.  PDF and SVG surfaces write to @out themselves. */
cairo_surface_t *draw_surface(enum draw_format format, unsigned int width,
				 unsigned int height, const char *title, FILE *out);

/* Writes the rest of a PDF or SVG file.  Returns 0, -ENOMEM, or -errno of a failed write. */
int draw_surface_finish(cairo_surface_t *surface);

/* ---- A PNG file that contains a description of the picture ---- */

/*
 * An iTXt chunk of UTF-8: @value, or what @print writes about the drawing.  An array of texts ends
 * with a @key of NULL.
 */
struct png_text {
	const char *key;
	const char *value;
	void (*print)(const void *drawing, FILE *out);
};

/* Returns 0, -ENOMEM, or -errno of a failed write. */
int png_write(cairo_surface_t *surface, const struct png_text *texts, const void *drawing,
	      FILE *out);

/* ---- Options ---- */

/* Largest side of cairo's images, in pixels */
#define DRAW_SIDE_MAX	32000u

/*
 * Options of a picture.
 * @width, @height: in pixels
 * @light:	light background
 * @title:	NULL: the command chooses a title
 */
struct draw_paper {
	enum draw_format format;
	unsigned int width;
	unsigned int height;
	bool light;
	const char *title;
};

enum {
	DRAW_OPTION_SIZE = 0x3000, DRAW_OPTION_LIGHT, DRAW_OPTION_TITLE,
};

/*
 * DRAW_SIZE_OPTION() has --size, with the smallest sides and the default size as strings.
 * draw_options[] has the options without such values.
 */
#define DRAW_SIZE_OPTION(least_width, least_height, size) \
	{ DRAW_OPTION_SIZE, "size", "PIXELS", "draw the picture with this width and height: 1600, " \
	  "1600x900 or x900 (default " size ")", \
	  .kind = VALUE_TEXT, .valid = "WIDTH, WIDTHxHEIGHT or xHEIGHT: pixels from " \
	  least_width "x" least_height " to 32000x32000" }
extern const struct option_desc draw_options[];

/*
 * Sets one of these options.  Returns 0, or -EINVAL for an invalid value or another option.
 * @least:	the smallest width and height
 */
int draw_option(struct draw_paper *paper, const struct draw_paper *least, int option,
		   const char *text);

#endif /* EVTLOG_DRAW_PAPER_H */
