/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a picture: positions, colours, and functions that find and draw them.
 *
 * Shared by scene.c, draw.c and the files of the parts.
 */
#ifndef EVTLOG_VIEW_PICTURE_LAYOUT_H
#define EVTLOG_VIEW_PICTURE_LAYOUT_H

#include <cairo/cairo.h>

#include "draw/canvas.h"
#include "picture.h"

/* Pixels; the gutter, left of the plot, has the labels of CPUs. */
#define PICTURE_MARGIN	16
#define PICTURE_GUTTER	132

/* Heights of a lane and its parts, in the order from the top */
struct picture_lane_size {
	int height;
	int gap;
	int ticks;
	int bar;
	int band;		/* one for softirqs, one for interrupts */
};

/*
 * @surface: NULL while heights are measured
 * @plot_x: x of the first column; @columns: number of columns
 */
struct picture_canvas {
	cairo_t *cr;
	cairo_surface_t *surface;
	struct picture_scene *scene;
	const struct picture_options *opts;
	const struct draw_theme *theme;
	const struct view_ground *ground;
	struct picture_lane_size lane;
	int width;
	int plot_x;
	int columns;
};

/* Colour of the ticks of a kind, for light or dark ground. */
static inline uint32_t picture_tick_colour(const struct picture_canvas *canvas, int kind)
{
	return canvas->opts->paper.light ? view_ticks[kind].light : view_ticks[kind].colour;
}

/* ---- lane.c ---- */

/* Draws bins, names of tasks, and numbers of lost events on the losses where they fit. */
void picture_lane_draw(const struct picture_canvas *canvas, const struct picture_lane *lane);

/* ---- legend.c ---- */

/* Draws the legend from @y on, or only measures it.  Returns the height. */
int picture_legend(const struct picture_canvas *canvas, int y, bool draw);

/* Writes the tasks in the legend, a line for each: "#rrggbb NAME".  @canvas: a picture_canvas */
void picture_legend_print(const void *canvas, FILE *out);

/* ---- Texts on a picture: title, notes on hosts, caption ---- */

/* Kernel, CPUs and clock of a host.  free() it; NULL if no memory. */
char *picture_host_note(struct session *session, const struct picture_scene *scene,
			uint32_t host);

/* Writes title, subtitle and caption of a scene that is otherwise complete.  0 or -ENOMEM. */
int picture_words(struct session *session, struct picture_scene *scene,
		  const struct picture_options *opts);

/* ---- Registered events on a picture, by name, if they are few enough ---- */

struct session;

/*
 * Adds marks of registered events to the scene and its lanes, and removes their kind from the
 * lanes' bins.  If there are too many events, changes nothing.  0 or -errno.
 */
int picture_events_find(struct session *session, struct picture_scene *scene);
void picture_events_free(struct picture_scene *scene);

/* ---- Paths of packets on a picture, as view/page/draw/paths.js draws them ---- */

/* Adds the paths to the scene, or numbers of visits if there are too many.  0 or -errno. */
int picture_paths_find(struct session *session, struct picture_scene *scene);
void picture_paths_free(struct picture_scene *scene);

/* Draws the paths over the lanes. */
void picture_paths_draw(const struct picture_canvas *canvas);

/* ---- Tasks on a picture, with their colours, names and times ---- */

struct picture_tasks;

struct picture_tasks *picture_tasks_new(struct session *session);
void picture_tasks_free(struct picture_tasks *tasks);

/*
 * Adds @ns to the visible time of a host's task, and gets its colour and name.  The name is NULL
 * for idle and for an unknown task.  0 or -ENOMEM.
 */
int picture_tasks_see(struct picture_tasks *tasks, uint32_t host, uint32_t id,
		      uint64_t ns, uint32_t *colour, const char **name);

/*
 * The name, with the pid, that a task had at a time; call picture_tasks_see() for the task first.
 * @name is valid as long as @tasks.  Returns 0 or -ENOMEM.
 */
int picture_tasks_called(struct picture_tasks *tasks, uint32_t host, uint32_t id, uint64_t raw_ns,
			 const char **name);

/*
 * Lists all visible tasks by time, with their host if there are several hosts.  The names are valid
 * as long as @tasks.  0 or -ENOMEM.
 */
int picture_tasks_list(struct picture_tasks *tasks, struct picture_scene *scene);

/* ---- Tracks of counters ---- */

/*
 * The tracks of a host are above its lanes; the tracks of a CPU are below its lane.
 *
 * Shared by scene.c, draw.c and tracks.c.
 */

/* Pixels */
#define PICTURE_TRACK		40
#define PICTURE_TRACK_GAP	2

/*
 * Makes the tracks in @opts for a host, from @bins bins spread over the scene's columns; none if
 * the log does not have the events of each CPU.  0; -ENOMEM; -errno of reading.
 */
int picture_tracks_find(struct session *session, uint32_t number,
			const struct picture_options *opts, const int64_t *edges, size_t bins,
			size_t columns, struct picture_host *host);
void picture_tracks_free(struct picture_tracks *tracks);

/* Height of all tracks, one below the other */
int picture_tracks_height(const struct picture_tracks *tracks);

/* Draws the tracks with the upper edge at @y. */
void picture_tracks_draw(const struct picture_canvas *canvas,
			 const struct picture_tracks *tracks, int y);

/* Writes the positions of tracks for programs, a line for each.  @cpu: "all" or the CPU's number */
void picture_tracks_describe(const struct picture_tracks *tracks, size_t host, const char *cpu,
			     int y, FILE *out);

#endif /* EVTLOG_VIEW_PICTURE_LAYOUT_H */
