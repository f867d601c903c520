/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracks of counters on a picture: of a host above its lanes, or of each CPU below its lane.
 *
 * Between scene.c, draw.c and tracks.c.
 */
#ifndef EVTLOG_VIEW_PICTURE_TRACKS_H
#define EVTLOG_VIEW_PICTURE_TRACKS_H

#include "layout.h"

struct session;

/* Pixels */
#define PICTURE_TRACK		40
#define PICTURE_TRACK_GAP	2

/*
 * Fills in the tracks that @opts wants of a host: @bins bins of @edges, spread over the scene's
 * columns.  None if the log does not tell what each CPU did.  0; -ENOMEM; -errno of reading.
 */
int picture_tracks_find(struct session *session, uint32_t number,
			const struct picture_options *opts, const int64_t *edges, size_t bins,
			size_t columns, struct picture_host *host);
void picture_tracks_free(struct picture_tracks *tracks);

/* Of all tracks below each other */
int picture_tracks_height(const struct picture_tracks *tracks);

/* With the upper edge at @y. */
void picture_tracks_draw(const struct picture_canvas *canvas,
			 const struct picture_tracks *tracks, int y);

/* Tells programs where they are, a line each; @cpu: "all" or its number. */
void picture_tracks_describe(const struct picture_tracks *tracks, size_t host, const char *cpu,
			     int y, FILE *out);

#endif /* EVTLOG_VIEW_PICTURE_TRACKS_H */
