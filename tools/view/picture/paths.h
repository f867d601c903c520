/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets' ways on a picture, as view/page/draw/paths.js draws them.
 */
#ifndef EVTLOG_VIEW_PICTURE_PATHS_H
#define EVTLOG_VIEW_PICTURE_PATHS_H

#include "layout.h"

struct session;

/* Puts them into the scene: each, or where they are too many their visits' numbers.  0 or -errno. */
int picture_paths_find(struct session *session, struct picture_scene *scene);
void picture_paths_free(struct picture_scene *scene);

/* Over the lanes, that of number 0 at @tops[0]. */
void picture_paths_draw(const struct picture_canvas *canvas, const int *tops, size_t lanes);

#endif /* EVTLOG_VIEW_PICTURE_PATHS_H */
