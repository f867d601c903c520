/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kind of file a picture is written to: by the end of its name.
 *
 * Stage: between a command's option and the drawing.
 */
#ifndef EVTLOG_DRAW_SURFACE_H
#define EVTLOG_DRAW_SURFACE_H

#include <cairo/cairo.h>
#include <stdio.h>

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

#endif /* EVTLOG_DRAW_SURFACE_H */
