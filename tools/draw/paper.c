// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes the options of commands that draw a picture.
 */
#include <errno.h>

#include "common/number.h"
#include "paper.h"

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
