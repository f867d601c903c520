// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The colours of tasks and ticks in pictures.
 *
 * The page's counterpart is view/page/draw/colours.js.
 */
#include <stddef.h>

#include "colours.h"

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
