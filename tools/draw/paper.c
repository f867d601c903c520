// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes the options of commands that draw a picture.
 *
 * Stage: between argv and the drawing.
 */
#include <errno.h>

#include "common/number.h"
#include "paper.h"

int picture_option(struct picture_paper *paper, const struct picture_paper *least, int option,
		   const char *text)
{
	switch (option) {
	case PICTURE_OPTION_WIDTH:
		return number_parse_u32(&paper->width, text, least->width, PICTURE_SIDE_MAX);
	case PICTURE_OPTION_HEIGHT:
		return number_parse_u32(&paper->height, text, least->height, PICTURE_SIDE_MAX);
	case PICTURE_OPTION_LIGHT:
	case PICTURE_OPTION_DARK:
		paper->light = option == PICTURE_OPTION_LIGHT;
		return 0;
	case PICTURE_OPTION_TITLE:
		paper->title = text;
		return 0;
	}
	return -EINVAL;
}
