/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A picture as a PNG file that says what it shows.
 */
#ifndef EVTLOG_DRAW_PNG_H
#define EVTLOG_DRAW_PNG_H

#include <cairo/cairo.h>
#include <stdio.h>

/* A tEXt or, as values are UTF-8, iTXt chunk; the last has no key. */
struct png_text {
	const char *key;
	const char *value;
};

/* 0; -errno of writing, -ENOMEM. */
int png_write(cairo_surface_t *surface, const struct png_text *texts,
		      FILE *out);

#endif /* EVTLOG_DRAW_PNG_H */
