/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which colour means what on the time line, in pictures as on the page.
 *
 * The tables are made of view/page/draw/colours.js and themes.js; which colour a task has is chosen by
 * task-colours.c, for the page as well.
 */
#ifndef EVTLOG_DRAW_COLOURS_H
#define EVTLOG_DRAW_COLOURS_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/index.h>

/* VIEW_IDLE, VIEW_LOGGER and the other states, 0xrrggbb; the tables of colours.c */
#include "colours-table.h"

/* Of ticks, by kind; their lengths are percents of the room for them. */
struct view_tick {
	uint32_t colour;
	uint32_t light;		/* the same on a light ground */
	uint8_t length;
	const char *label;
};

/*
 * What lanes have where no task ran; the other states are the same on each ground.
 * @load: of counters' tracks
 */
struct view_ground {
	uint32_t idle;
	uint32_t outside;
	uint32_t unknown;
	uint32_t load;
};

extern const struct view_ground view_dark, view_light;
extern const struct view_tick view_ticks[EVTLOG_KINDS];

/* view_event_colour() - of a registered event with an id; 0: of own events that have none */
uint32_t view_event_colour(uint32_t id, bool light);

/* view_task_colour() - of a task that has this one of the default palette: task-colours.h */
uint32_t view_task_colour(unsigned int number);

#endif /* EVTLOG_DRAW_COLOURS_H */
