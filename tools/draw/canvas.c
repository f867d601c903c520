// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The colours and the text of pictures.
 *
 * The page's counterpart is view/page/draw/colours.js.
 */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"

/* ---- Colours ---- */

static const uint32_t palette[] = { VIEW_PALETTE };

#define COLOURS	(sizeof(palette) / sizeof(*palette))

const struct view_ground view_dark = { VIEW_IDLE, VIEW_OUTSIDE, VIEW_UNKNOWN, VIEW_LOAD };
const struct view_ground view_light = {
	VIEW_LIGHT_IDLE, VIEW_LIGHT_OUTSIDE, VIEW_LIGHT_UNKNOWN, VIEW_LIGHT_LOAD
};

const struct view_tick view_ticks[EVTLOG_KINDS] = { VIEW_TICKS };

uint32_t view_event_colour(uint32_t id, bool light)
{
	static const uint32_t colours[] = { VIEW_CHART };

	if (id)
		return colours[(id - 1) % (sizeof(colours) / sizeof(*colours))];
	return light ? view_ticks[EVTLOG_KIND_PUT].light : view_ticks[EVTLOG_KIND_PUT].colour;
}

uint32_t view_task_colour(unsigned int number)
{
	return palette[number % COLOURS];
}

const struct draw_theme draw_dark = {
	.page = 0x14171c, .text = 0xe8eaed, .dim = 0x9aa3ad, .grid = 0x39404a,
	.host = 0x232830, .lost = 0xffb74d,
};

/* ---- Text ---- */

#define DOTS	"…"

void draw_colour(cairo_t *cr, uint32_t colour)
{
	cairo_set_source_rgb(cr, (colour >> 16) / 255.0, (colour >> 8 & 255) / 255.0,
			     (colour & 255) / 255.0);
}

void draw_font(cairo_t *cr, double size, bool bold)
{
	cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
			       bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cr, size);
}

double draw_text_width(cairo_t *cr, const char *text)
{
	cairo_text_extents_t extents;

	cairo_text_extents(cr, text, &extents);
	return ceil(extents.x_advance);
}

void draw_text(cairo_t *cr, double x, double y, const char *text)
{
	cairo_move_to(cr, x, y);
	cairo_show_text(cr, text);
}

void draw_text_right(cairo_t *cr, double x, double y, const char *text)
{
	draw_text(cr, x - draw_text_width(cr, text), y, text);
}

/* Removes the last character. */
static void shorten(char *text, size_t *length)
{
	char last;

	do {
		last = text[--*length];
		text[*length] = '\0';
	} while (*length && (last & 0xc0) == 0x80);
}

void draw_text_within(cairo_t *cr, double x, double y, double width,
			 const char *text)
{
	double capacity = width - draw_text_width(cr, DOTS);
	size_t length = strlen(text);
	char *cut;

	if (draw_text_width(cr, text) <= width) {
		draw_text(cr, x, y, text);
		return;
	}
	cut = malloc(length + sizeof(DOTS));
	if (!cut)
		return;
	memcpy(cut, text, length + 1);
	while (length && draw_text_width(cr, cut) > capacity)
		shorten(cut, &length);
	strcpy(cut + length, DOTS);
	draw_text(cr, x, y, cut);
	free(cut);
}

unsigned int draw_text_lines(cairo_t *cr, double x, double y, double width,
				double line, const char *text, bool draw)
{
	char *copy = strdup(text), *begin = copy, *end;
	unsigned int lines = 0;

	while (begin && *begin) {
		char *next = begin + strcspn(begin, "\n"), *fits = NULL;

		/* As many words as fit, at least one. */
		for (end = begin;; end++) {
			char kept;

			end += strcspn(end, " \n");
			kept = *end;
			*end = '\0';
			if (draw_text_width(cr, begin) <= width || !fits)
				fits = end;
			*end = kept;
			if (fits != end || end >= next)
				break;
		}
		next = *fits ? fits + 1 : fits;
		*fits = '\0';
		if (draw)
			draw_text_within(cr, x, y + lines * line, width, begin);
		lines++;
		begin = next;
	}
	free(copy);
	return lines;
}

void draw_count(uint64_t count, char text[32])
{
	char digits[24], *to = text;
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, count);

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
}
