/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registered events on a picture, each by its name, if they are few enough.
 */
#ifndef EVTLOG_VIEW_PICTURE_EVENTS_H
#define EVTLOG_VIEW_PICTURE_EVENTS_H

#include "picture.h"

struct session;

/*
 * Puts them into the scene and its lanes, whose bins are there already, and takes their kind from
 * those; if there are too many nothing changes.  0 or -errno.
 */
int picture_events_find(struct session *session, struct picture_scene *scene);
void picture_events_free(struct picture_scene *scene);

#endif /* EVTLOG_VIEW_PICTURE_EVENTS_H */
