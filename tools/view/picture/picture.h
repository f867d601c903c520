/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The timeline as a picture.
 *
 * scene.c makes the scene from a session; draw.c draws the scene and reads no log.
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
 * Options of the user.
 * @from_ns, @to_ns: since the session's begin; time after its end is cut off
 * @tracks: bits of enum track_kind; @per_cpu: for each CPU instead of each host
 * @paper: with height 0, as high as the lanes need; the default title is the run and its hosts
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
 * picture_write() - draw the session into a file, or to standard output if @path is "-"
 *
 * Returns an exit status, after a message on failure.
 */
int picture_write(struct session *session, const struct picture_options *opts,
		  const char *path);

/* ---- The scene ---- */

/* Consecutive bins in which events are lost.  @records, @buffers: number lost; 0 if unknown */
struct picture_loss {
	size_t from;
	size_t to;
	uint64_t records;
	uint64_t buffers;
};

/*
 * Columns of a task's slice, including interrupts.
 * @from, @to: where the task is visible
 * @edge, @end: columns of the switches before and after it
 * @joined: no idle time since the previous run
 * @name: name of the task when the slice began; owned by the scene
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
 * A name of registered events.
 * @colours: on dark and on light ground
 */
struct picture_event {
	char *name;
	uint32_t colours[2];
};

/* A registered event.  @event: number in the scene's events */
struct picture_mark {
	size_t column;
	size_t event;
};

/* A counter in a column.  @known: it has a value; @unsure: some of it is unknown */
struct picture_column {
	double full;
	double faint;
	bool outside;
	bool known;
	bool unsure;
};

/*
 * @top: value at the full height of the track
 * @cpus: number of CPUs, for runnable tasks; 0 for other counters
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
 * @y: upper edge, once it is placed
 * @bins: one for each column; without the kind of registered events if these are in @marks
 * @colours: of each bin's task, 0xrrggbb
 * @lost: records in all losses of the lane
 */
struct picture_lane {
	uint32_t cpu;
	int y;
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
 * @y: upper edge, once it is placed
 * @note: text after the name: kernel, CPUs, clock
 * @is_of_tree: the log is of one tree, so CPUs shown as idle may run tasks outside the tree
 * @tracks: of all its CPUs together
 * @lanes: @lane_count of the scene's lanes
 */
struct picture_host {
	int y;
	char *name;
	char *note;
	bool is_of_tree;
	struct picture_tracks tracks;
	struct picture_lane *lanes;
	size_t lane_count;
};

/* A task with its visible time; @name begins with the host's if there are several hosts. */
struct picture_task {
	const char *name;
	uint32_t colour;
	uint64_t ns;
};

/*
 * A packet at a station; points of the same packet are consecutive.
 * @way: number of the packet
 * @lane: number of the scene's lane; not on the picture if it is too large
 * @column: may be in front of the first or after the last
 */
struct picture_point {
	size_t way;
	uint32_t lane;
	double column;
	bool is_drop;
};

/* Visits of packets in two columns, used if there are too many packets. */
struct picture_cell {
	uint32_t lane;
	double column;
	uint64_t visits;
	uint64_t drops;
};

/*
 * @columns: number of bins of each lane
 * @lanes: of all hosts, with the numbers that they have in the session
 * @tasks: by time, longest first
 * @events: names of registered events; empty if there are too many events
 * @points: paths of packets; @cells: instead, if there are too many
 * @names: owner of the tasks' names
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
	struct picture_lane *lanes;
	size_t lane_count;
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

/* ---- Drawing ---- */

/* Number of columns of a picture. */
size_t picture_columns(const struct picture_options *opts);

/*
 * picture_draw() - place hosts and lanes, and write a PNG
 * @needed: the height that is needed, with -E2BIG
 *
 * Return: 0; -E2BIG if the lanes need more than the given or the largest possible height;
 * -ENOMEM; -errno of writing.
 */
int picture_draw(struct picture_scene *scene, const struct picture_options *opts,
		 FILE *out, unsigned int *needed);

#endif /* EVTLOG_VIEW_PICTURE_PICTURE_H */
