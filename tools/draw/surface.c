// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Surfaces for pictures in files of several kinds.
 *
 * Stage: between a command's option and the drawing; it draws nothing.
 */
#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "surface.h"

int draw_format_of(enum draw_format *format, const char *path)
{
	static const char *const ends[] = {
		[DRAW_PNG] = ".png", [DRAW_PDF] = ".pdf", [DRAW_SVG] = ".svg",
	};
	const char *end = strrchr(path, '.');

	*format = DRAW_PNG;
	if (!strcmp(path, "-"))
		return 0;
	for (unsigned int i = 0; end && i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!strcasecmp(end, ends[i])) {
			*format = i;
			return 0;
		}
	return -EINVAL;
}

static cairo_status_t write_part(void *closure, const unsigned char *bytes,
				 unsigned int length)
{
	return fwrite(bytes, 1, length, closure) == length ? CAIRO_STATUS_SUCCESS :
	       CAIRO_STATUS_WRITE_ERROR;
}

cairo_surface_t *draw_surface(enum draw_format format, unsigned int width,
				 unsigned int height, const char *title, FILE *out)
{
	cairo_surface_t *surface;

	switch (format) {
	case DRAW_PDF:
		surface = cairo_pdf_surface_create_for_stream(write_part, out, width, height);
		cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
		cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR,
					       "evtlog " EVTLOG_VERSION);
		return surface;
	case DRAW_SVG:
		surface = cairo_svg_surface_create_for_stream(write_part, out, width, height);
		cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
		return surface;
	default:
		return cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	}
}

int draw_surface_finish(cairo_surface_t *surface)
{
	errno = 0;
	cairo_surface_finish(surface);
	switch (cairo_surface_status(surface)) {
	case CAIRO_STATUS_SUCCESS:
		return 0;
	case CAIRO_STATUS_NO_MEMORY:
		return -ENOMEM;
	default:
		return errno ? -errno : -EIO;
	}
}
