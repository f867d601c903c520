/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of all commands that draw a picture.
 */
#ifndef EVTLOG_DRAW_PAPER_H
#define EVTLOG_DRAW_PAPER_H

#include <getopt.h>
#include <stdbool.h>

#include "surface.h"

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

/* Entries for getopt_long(), of which draw_option() takes what it gives. */
enum {
	DRAW_OPTION_WIDTH = 0x3000, DRAW_OPTION_HEIGHT, DRAW_OPTION_LIGHT,
	DRAW_OPTION_DARK, DRAW_OPTION_TITLE,
};

#define DRAW_OPTIONS \
	{ "width", required_argument, NULL, DRAW_OPTION_WIDTH }, \
	{ "height", required_argument, NULL, DRAW_OPTION_HEIGHT }, \
	{ "light", no_argument, NULL, DRAW_OPTION_LIGHT }, \
	{ "dark", no_argument, NULL, DRAW_OPTION_DARK }, \
	{ "title", required_argument, NULL, DRAW_OPTION_TITLE }

/* Entries for struct options' values, for the same; the smallest sides as texts. */
#define DRAW_VALUES(width, height) \
	{ DRAW_OPTION_WIDTH, NULL, "a number of pixels from " width " to 32000" }, \
	{ DRAW_OPTION_HEIGHT, NULL, "a number of pixels from " height " to 32000" }

/*
 * Takes one of DRAW_OPTIONS: 0, or -EINVAL, also if it is another.
 * @least:	the smallest sides
 */
int draw_option(struct draw_paper *paper, const struct draw_paper *least, int option,
		   const char *text);

#endif /* EVTLOG_DRAW_PAPER_H */
