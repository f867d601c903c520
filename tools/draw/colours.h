/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The colours of the timeline and their meaning, the same in pictures as on the page.
 *
 * The tables are generated from view/page/draw/colours.js and themes.js.  task-colours.c chooses
 * the colour of each task, for pictures and for the page.
 */
#ifndef EVTLOG_DRAW_COLOURS_H
#define EVTLOG_DRAW_COLOURS_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/index.h>

/* VIEW_IDLE, VIEW_LOGGER and the other states as 0xrrggbb, and the tables of colours.c */
#include "colours-table.h"

/* How the ticks of one kind of event look */
struct view_tick {
	uint32_t colour;
	uint32_t light;		/* colour on a light background */
	uint8_t length;		/* percent of the height for ticks */
	const char *label;
};

/*
 * Colours that depend on the background: lanes where no task ran, and tracks.
 * @load: tracks of counters
 */
struct view_ground {
	uint32_t idle;
	uint32_t outside;
	uint32_t unknown;
	uint32_t load;
};

extern const struct view_ground view_dark, view_light;
extern const struct view_tick view_ticks[EVTLOG_KINDS];

/* view_event_colour() - colour of a registered event; @id is 0 for own events without an id */
uint32_t view_event_colour(uint32_t id, bool light);

/* view_task_colour() - a colour of the default palette; task_colour() returns the @number */
uint32_t view_task_colour(unsigned int number);

#endif /* EVTLOG_DRAW_COLOURS_H */
