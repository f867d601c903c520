/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time line as a picture: what is on it, and how it is drawn.
 *
 * The scene is made by scene.c out of a session, and drawn by draw.c, which
 * knows no log.
 */
#ifndef EVTLOG_VIEW_PICTURE_PICTURE_H
#define EVTLOG_VIEW_PICTURE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <evtlog/index.h>

#include "draw/paper.h"

struct session;
struct picture_tasks;

#define PICTURE_WIDTH_MIN	480u
#define PICTURE_WIDTH		1600u
#define PICTURE_HEIGHT_MIN	160u

/*
 * What the user wants.
 * @from_ns, @to_ns: since the session's begin; what is behind its end is cut off
 * @tracks: of counters, bits of enum track_kind; @per_cpu: below each CPU, not of each host
 * @paper: its height may be 0: as the lanes need; without a title it has the run's and
 *	the hosts' names
 */
struct picture_options {
	uint64_t from_ns;
	uint64_t to_ns;
	unsigned int tracks;
	bool per_cpu;
	struct draw_paper paper;
};

void picture_options_init(struct picture_options *opts);

/*
 * picture_write() - a picture of the session into a file, or to standard output if
 * @path is "-"
 *
 * Returns an exit status, after saying what is wrong.
 */
int picture_write(struct session *session, const struct picture_options *opts,
		  const char *path);

/* ---- The scene ---- */

/*
 * A stretch of bins of which nothing is known; @records, @buffers: how many are known to
 * be lost, 0 when nobody counted.
 */
struct picture_loss {
	size_t from;
	size_t to;
	uint64_t records;
	uint64_t buffers;
};

/*
 * Columns of a task's slice, with the interrupts in it.
 * @from, @to: where it is seen to run
 * @edge, @end: columns of the switches before and behind it
 * @joined: nothing idle is between it and the run before
 * @name: what the task was called when the slice began; stays the scene's
 */
struct picture_run {
	size_t from;
	size_t to;
	size_t edge;
	size_t end;
	bool joined;
	uint32_t task;
	const char *name;
	uint32_t colour;
};

/*
 * A registered event, by its name.
 * @colours: on dark and on light ground
 */
struct picture_event {
	char *name;
	uint32_t colours[2];
};

/* Where one is: its number among the scene's events */
struct picture_mark {
	size_t column;
	size_t event;
};

/* A counter in a column; @known: there are numbers; @unsure: not all of it is known */
struct picture_column {
	double full;
	double faint;
	bool outside;
	bool known;
	bool unsure;
};

/*
 * @top: what is as high as the track
 * @cpus: how many tasks can run at once; 0: it is not of tasks
 */
struct picture_track {
	const char *name;
	struct picture_column *columns;
	double top;
	uint32_t cpus;
};

struct picture_tracks {
	struct picture_track *at;
	size_t count;
};

/*
 * A CPU.
 * @bins: one for each column; without own events in them where @marks tell those
 * @colours: of each bin's task, 0xrrggbb
 * @lost: records, in all losses of the lane
 */
struct picture_lane {
	uint32_t cpu;
	struct evtlog_bin *bins;
	uint32_t *colours;
	struct picture_run *runs;
	size_t run_count;
	size_t run_capacity;
	struct picture_loss *losses;
	size_t loss_count;
	size_t loss_capacity;
	uint64_t lost;
	struct picture_mark *marks;
	size_t mark_count;
	size_t mark_capacity;
	struct picture_tracks tracks;
};

/*
 * @note: what else is to be said of it, of its clock above all
 * @is_of_tree: its log is of one tree: what is not shown to run may be outside of it
 * @tracks: of all its CPUs together
 */
struct picture_host {
	char *name;
	char *note;
	bool is_of_tree;
	struct picture_tracks tracks;
	struct picture_lane *lanes;
	size_t lane_count;
};

/*
 * A task whose time on the picture is @ns as far as it shows; @name begins with its host's if
 * there are several.
 */
struct picture_task {
	const char *name;
	uint32_t colour;
	uint64_t ns;
};

/*
 * Where a packet was at a station; those of a packet stand together.
 * @way: number of the packet
 * @lane: number of all hosts' lanes; more than there are: not on the picture
 * @column: may be before the first or behind the last
 */
struct picture_point {
	size_t way;
	uint32_t lane;
	double column;
	bool is_drop;
};

/* Visits of packets in two columns, where the packets are too many. */
struct picture_cell {
	uint32_t lane;
	double column;
	uint64_t visits;
	uint64_t drops;
};

/*
 * @columns: bins of each lane
 * @tasks: by time, most first
 * @events: registered ones, if they are few enough to be told apart
 * @points: of packets' ways; @cells: in their place
 * @names: what owns their names
 * @caption: lines below the picture
 */
struct picture_scene {
	uint64_t from_ns;
	uint64_t to_ns;
	size_t columns;
	char *title;
	char *subtitle;
	char *caption;
	struct picture_host *hosts;
	size_t host_count;
	struct picture_task *tasks;
	size_t task_count;
	struct picture_event *events;
	size_t event_count;
	struct picture_point *points;
	size_t point_count;
	size_t point_capacity;
	struct picture_cell *cells;
	size_t cell_count;
	struct picture_tasks *names;
};

/*
 * picture_scene_new() - what the session holds of the time wanted
 * @columns: as picture_columns() has it
 *
 * Return: 0; -ENOMEM; -errno of read().
 */
int picture_scene_new(struct session *session, const struct picture_options *opts,
		      size_t columns, struct picture_scene *scene);
void picture_scene_free(struct picture_scene *scene);

/* ---- Drawing ---- */

/* How many columns a picture has of which CPUs' labels are that long. */
size_t picture_columns(const struct picture_options *opts);

/*
 * picture_draw() - writes a PNG
 * @needed: the height it needs, with -E2BIG
 *
 * Return: 0; -E2BIG lanes do not fit into the height wanted, or into a picture at all;
 * -ENOMEM; -errno of writing.
 */
int picture_draw(const struct picture_scene *scene, const struct picture_options *opts,
		 FILE *out, unsigned int *needed);

#endif /* EVTLOG_VIEW_PICTURE_PICTURE_H */
