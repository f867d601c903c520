// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes the options of commands that draw a picture.
 */
#include <errno.h>

#include "common/number.h"
#include "paper.h"

const struct option_desc draw_options[] = {
	{ DRAW_OPTION_LIGHT, "light", .help = "draw on a light background" },
	{ DRAW_OPTION_DARK, "dark", .help = "draw on a dark background (default)" },
	{ DRAW_OPTION_TITLE, "title", "TEXT", "title of the picture (default the run and its hosts)",
	  .kind = VALUE_TEXT },
	{ }
};

int draw_option(struct draw_paper *paper, const struct draw_paper *least, int option,
		   const char *text)
{
	switch (option) {
	case DRAW_OPTION_WIDTH:
		return number_parse_u32(&paper->width, text, least->width, DRAW_SIDE_MAX);
	case DRAW_OPTION_HEIGHT:
		return number_parse_u32(&paper->height, text, least->height, DRAW_SIDE_MAX);
	case DRAW_OPTION_LIGHT:
	case DRAW_OPTION_DARK:
		paper->light = option == DRAW_OPTION_LIGHT;
		return 0;
	case DRAW_OPTION_TITLE:
		paper->title = text;
		return 0;
	}
	return -EINVAL;
}
