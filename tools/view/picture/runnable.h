/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host's track of runnable tasks on a picture.
 *
 * Between scene.c, draw.c and runnable.c.
 */
#ifndef EVTLOG_VIEW_PICTURE_RUNNABLE_H
#define EVTLOG_VIEW_PICTURE_RUNNABLE_H

#include "layout.h"

struct session;

/* Pixels */
#define PICTURE_TRACK		40
#define PICTURE_TRACK_GAP	2

/*
 * Fills in @host->runnable: @bins bins of @edges, spread over @columns.  None if the log does not
 * tell what each CPU did.  0; -ENOMEM; -errno of reading.
 */
int picture_runnable_find(struct session *session, uint32_t number, const int64_t *edges,
			  size_t bins, size_t columns, struct picture_host *host);

/* How many tasks are as high as the track. */
unsigned int picture_runnable_top(const struct picture_scene *scene,
				  const struct picture_host *host);

/* With the upper edge at @y; nothing if the host has none. */
void picture_runnable_draw(const struct picture_canvas *canvas, const struct picture_host *host,
			   int y);

#endif /* EVTLOG_VIEW_PICTURE_RUNNABLE_H */
