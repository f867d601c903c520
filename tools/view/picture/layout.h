/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a picture: where they are, in which colours, and who finds and draws them.
 *
 * Between scene.c, draw.c and the parts.
 */
#ifndef EVTLOG_VIEW_PICTURE_LAYOUT_H
#define EVTLOG_VIEW_PICTURE_LAYOUT_H

#include <cairo/cairo.h>

#include "draw/canvas.h"
#include "draw/colours.h"
#include "picture.h"

/* Pixels; labels of CPUs are left of the plot. */
#define PICTURE_MARGIN	16
#define PICTURE_GUTTER	132

/* A lane's height and its parts, from the top as on the page. */
struct picture_lane_size {
	int height;
	int gap;
	int ticks;
	int bar;
	int band;		/* of softirqs, and the same of interrupts */
};

/*
 * @cr: NULL while heights are measured
 * @plot_x, @columns: where the first bin is, and how many there are
 */
struct picture_canvas {
	cairo_t *cr;
	cairo_surface_t *surface;
	const struct picture_scene *scene;
	const struct picture_options *opts;
	const struct draw_theme *theme;
	const struct view_ground *ground;
	struct picture_lane_size lane;
	int width;
	int plot_x;
	int columns;
};

/* Of ticks of a kind, on the picture's ground. */
static inline uint32_t picture_tick_colour(const struct picture_canvas *canvas, int kind)
{
	return canvas->opts->paper.light ? view_ticks[kind].light : view_ticks[kind].colour;
}

/* ---- lane.c ---- */

/* Its bins and names of tasks, with the upper edge at @y. */
void picture_lane_bins(const struct picture_canvas *canvas,
		       const struct picture_lane *lane, int y);
/* Counts on its losses, where they have room. */
void picture_lane_losses(const struct picture_canvas *canvas,
			 const struct picture_lane *lane, int y);

/* ---- legend.c ---- */

/* From @y on; only measured unless @draw.  Returns the height. */
int picture_legend(const struct picture_canvas *canvas, int y, bool draw);

/* The tasks that it names, a line each: "#rrggbb NAME".  free() it; NULL: no memory. */
char *picture_legend_tasks(const struct picture_canvas *canvas);

/* ---- What is written on a picture: title, notes on hosts, caption ---- */

/* Kernel, CPUs and clock of a host; free() it.  NULL: no memory. */
char *picture_host_note(struct session *session, const struct picture_scene *scene,
			uint32_t host);

/* Title, subtitle and caption, when all else of the scene is there.  0 or -ENOMEM. */
int picture_words(struct session *session, struct picture_scene *scene,
		  const struct picture_options *opts);

/* ---- Registered events on a picture, each by its name, if they are few enough ---- */

struct session;

/*
 * Puts them into the scene and its lanes, whose bins are there already, and takes their kind from
 * those; if there are too many nothing changes.  0 or -errno.
 */
int picture_events_find(struct session *session, struct picture_scene *scene);
void picture_events_free(struct picture_scene *scene);

/* ---- Packets' ways on a picture, as view/page/draw/paths.js draws them ---- */

/* Puts them into the scene: each, or where they are too many their visits' numbers.  0 or -errno. */
int picture_paths_find(struct session *session, struct picture_scene *scene);
void picture_paths_free(struct picture_scene *scene);

/* Over the lanes, that of number 0 at @tops[0]. */
void picture_paths_draw(const struct picture_canvas *canvas, const int *tops, size_t lanes);

/* ---- The tasks seen on a picture, with their colours, names and times ---- */

struct picture_tasks;

struct picture_tasks *picture_tasks_new(struct session *session);
void picture_tasks_free(struct picture_tasks *tasks);

/*
 * The colour and name of a host's task, which is seen for @ns on the picture; the name is
 * NULL for what is no task.  0 or -ENOMEM.
 */
int picture_tasks_see(struct picture_tasks *tasks, uint32_t host, uint32_t id,
		      uint64_t ns, uint32_t *colour, const char **name);

/*
 * The name of a task at a time, with its pid; the task is one that was seen.  @name is valid as long as @tasks.
 * Returns 0 or -ENOMEM.
 */
int picture_tasks_called(struct picture_tasks *tasks, uint32_t host, uint32_t id, uint64_t raw_ns,
			 const char **name);

/*
 * All that were seen, by time, told with their hosts if there are several; the names live as
 * long as @tasks.  0 or -ENOMEM.
 */
int picture_tasks_list(struct picture_tasks *tasks, struct picture_scene *scene);

/* ---- Tracks of counters ---- */

/*
 * On a picture: of a host above its lanes, or of each CPU below its lane.
 *
 * Between scene.c, draw.c and tracks.c.
 */

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

#endif /* EVTLOG_VIEW_PICTURE_LAYOUT_H */
