// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file that a picture is written to, and the options of all commands that draw pictures.
 *
 * The drawing itself is done by the callers.
 */
#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>
#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "common/number.h"
#include "paper.h"

/* ---- Surfaces for PNG, PDF and SVG files ---- */

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

static cairo_status_t write_file(void *closure, const unsigned char *bytes,
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
		surface = cairo_pdf_surface_create_for_stream(write_file, out, width, height);
		cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
		cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR,
					       "evtlog " EVTLOG_VERSION);
		return surface;
	case DRAW_SVG:
		surface = cairo_svg_surface_create_for_stream(write_file, out, width, height);
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

/* ---- PNG: adds text chunks to the file that cairo encodes ---- */

/* The signature and the IHDR chunk; the texts are written after them. */
#define HEAD_BYTES	(8 + 12 + 13)

struct writer {
	FILE *out;
	const struct png_text *texts;
	const void *drawing;
	size_t written;
};

static void put_u32(struct writer *writer, uint32_t value)
{
	value = htobe32(value);
	fwrite(&value, 1, sizeof(value), writer->out);
}

static void put_summed(struct writer *writer, uint32_t *sum, const void *bytes, size_t length)
{
	*sum = crc32(*sum, bytes, length);
	fwrite(bytes, 1, length, writer->out);
}

static void put_value(struct writer *writer, const char *key, const char *value)
{
	/* End of key, not compressed (2 bytes), no language, no translated key */
	static const char plain[5];
	uint32_t sum = crc32(0, NULL, 0);

	put_u32(writer, strlen(key) + sizeof(plain) + strlen(value));
	put_summed(writer, &sum, "iTXt", 4);
	put_summed(writer, &sum, key, strlen(key));
	put_summed(writer, &sum, plain, sizeof(plain));
	put_summed(writer, &sum, value, strlen(value));
	put_u32(writer, sum);
}

/* Returns false if there is no memory. */
static bool put_text(struct writer *writer, const struct png_text *text)
{
	char *value = NULL;
	size_t length;
	bool printed;
	FILE *out;

	if (!text->print) {
		put_value(writer, text->key, text->value);
		return true;
	}
	out = open_memstream(&value, &length);
	if (!out)
		return false;
	text->print(writer->drawing, out);
	printed = !fclose(out);
	if (printed)
		put_value(writer, text->key, value);
	free(value);
	return printed;
}

static cairo_status_t write_part(void *closure, const unsigned char *bytes,
				 unsigned int length)
{
	struct writer *writer = closure;
	size_t head = writer->written < HEAD_BYTES ? HEAD_BYTES - writer->written : 0;

	if (head > length)
		head = length;
	fwrite(bytes, 1, head, writer->out);
	writer->written += head;
	if (head && writer->written == HEAD_BYTES)
		for (const struct png_text *text = writer->texts; text->key; text++)
			if (!put_text(writer, text))
				return CAIRO_STATUS_NO_MEMORY;
	fwrite(bytes + head, 1, length - head, writer->out);
	writer->written += length - head;
	return ferror(writer->out) ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

int png_write(cairo_surface_t *surface, const struct png_text *texts, const void *drawing,
	      FILE *out)
{
	struct writer writer = { .out = out, .texts = texts, .drawing = drawing };
	cairo_status_t status;

	errno = 0;
	status = cairo_surface_write_to_png_stream(surface, write_part, &writer);
	if (status == CAIRO_STATUS_SUCCESS)
		return 0;
	if (status == CAIRO_STATUS_NO_MEMORY)
		return -ENOMEM;
	return errno ? -errno : -EIO;
}

/* ---- Options ---- */

const struct option_desc draw_options[] = {
	{ DRAW_OPTION_LIGHT, "light", .help = "draw on a light background (default dark)" },
	{ DRAW_OPTION_TITLE, "title", "TEXT", "draw TEXT as the title (default the run and its "
	  "hosts)", .kind = VALUE_TEXT },
	{ }
};

static int take_side(unsigned int *side, unsigned int least, const char **text)
{
	uint64_t pixels;
	int error = number_read(&pixels, text, DRAW_SIDE_MAX);

	if (error || pixels < least)
		return -EINVAL;
	*side = pixels;
	return 0;
}

/* Keeps a side that is not given. */
static int take_size(struct draw_paper *paper, const struct draw_paper *least, const char *text)
{
	int error = *text == 'x' ? 0 : take_side(&paper->width, least->width, &text);

	if (!error && *text == 'x') {
		text++;
		error = take_side(&paper->height, least->height, &text);
	}
	return error || *text ? -EINVAL : 0;
}

int draw_option(struct draw_paper *paper, const struct draw_paper *least, int option,
		   const char *text)
{
	switch (option) {
	case DRAW_OPTION_SIZE:
		return take_size(paper, least, text);
	case DRAW_OPTION_LIGHT:
		paper->light = true;
		return 0;
	case DRAW_OPTION_TITLE:
		paper->title = text;
		return 0;
	}
	return -EINVAL;
}
