// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the paths of packets, and draws them over the lanes.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "layout.h"
#include "lib/base/array.h"
#include "view/api/lane-events.h"

/* As on the page: more paths would cover each other. */
#define WAYS_MAX	1000
#define BIN_COLUMNS	2
#define SLOTS		5
#define STRIP		6

/* ---- Finding ---- */

static int take_way(struct picture_scene *scene, const struct paths_view *view, size_t number)
{
	const struct path_packet *packet = view->paths->ways[number].packet;

	for (size_t i = 0; i < packet->count; i++) {
		const struct path_visit *visit = &packet->visits[i];

		if (array_reserve(&scene->points, &scene->point_capacity, scene->point_count,
				  sizeof(*scene->points)))
			return -ENOMEM;
		scene->points[scene->point_count++] = (struct picture_point){
			.way = number, .lane = session_visit_lane(view->paths, visit),
			.column = (double)(visit->time_ns - (int64_t)scene->from_ns) *
				  scene->columns / (double)(scene->to_ns - scene->from_ns),
			.is_drop = visit->station == PATH_DROP,
		};
	}
	return 0;
}

static int take_cells(struct picture_scene *scene, const struct paths_view *view)
{
	scene->cells = calloc(view->cell_count + 1, sizeof(*scene->cells));
	if (!scene->cells)
		return -ENOMEM;
	for (size_t i = 0; i < view->cell_count; i++) {
		const struct paths_cell *cell = &view->cells[i];

		scene->cells[i] = (struct picture_cell){
			.lane = cell->lane, .column = (double)cell->bin * BIN_COLUMNS,
			.visits = cell->visits, .drops = cell->drops,
		};
	}
	scene->cell_count = view->cell_count;
	return 0;
}

int picture_paths_find(struct session *session, struct picture_scene *scene)
{
	const struct session_paths *paths;
	struct paths_view view = { 0 };
	int error = session_follow(session, NULL, NULL, &paths);

	if (!error)
		error = paths_view_make(&view, session, paths, scene->from_ns, scene->to_ns, WAYS_MAX,
					scene->columns / BIN_COLUMNS);
	for (size_t i = 0; view.ways && i < view.count && !error; i++)
		error = take_way(scene, &view, view.ways[i]);
	if (!error)
		error = take_cells(scene, &view);
	paths_view_free(&view);
	return error;
}

void picture_paths_free(struct picture_scene *scene)
{
	free(scene->points);
	free(scene->cells);
}

/* ---- Drawing ---- */

static uint32_t path_colour(const struct picture_canvas *canvas)
{
	return canvas->opts->paper.light ? VIEW_PATH_LIGHT : VIEW_PATH;
}

static uint32_t drop_colour(const struct picture_canvas *canvas)
{
	return canvas->opts->paper.light ? VIEW_DROP_LIGHT : VIEW_DROP;
}

static void draw_head(cairo_t *cr, double x1, double y1, double x2, double y2)
{
	double angle = atan2(y2 - y1, x2 - x1);

	cairo_move_to(cr, x2, y2);
	cairo_line_to(cr, x2 - 6 * cos(angle - 0.45), y2 - 6 * sin(angle - 0.45));
	cairo_line_to(cr, x2 - 6 * cos(angle + 0.45), y2 - 6 * sin(angle + 0.45));
	cairo_fill(cr);
}

static void draw_drop(const struct picture_canvas *canvas, double x, double y)
{
	cairo_t *cr = canvas->cr;

	draw_colour(cr, drop_colour(canvas));
	cairo_set_line_width(cr, 2);
	cairo_move_to(cr, x - 4, y - 4);
	cairo_line_to(cr, x + 4, y + 4);
	cairo_move_to(cr, x - 4, y + 4);
	cairo_line_to(cr, x + 4, y - 4);
	cairo_stroke(cr);
}

static void place(const struct picture_canvas *canvas, const struct picture_point *point,
		  double *x, double *y)
{
	*x = canvas->plot_x + point->column;
	*y = round(canvas->scene->lanes[point->lane].y +
		   canvas->lane.height * (0.4 + 0.4 * (point->way % SLOTS) / (SLOTS - 1)));
}

/* Draws the step from the previous station, if that is on the picture, to this one. */
static void draw_step(const struct picture_canvas *canvas, const struct picture_point *from,
		      const struct picture_point *to)
{
	cairo_t *cr = canvas->cr;
	double x1, y1, x2, y2;

	place(canvas, from ? from : to, &x1, &y1);
	place(canvas, to, &x2, &y2);
	draw_colour(cr, path_colour(canvas));
	cairo_set_line_width(cr, 2);
	cairo_move_to(cr, x1, y1);
	cairo_line_to(cr, x2, y2);
	cairo_stroke(cr);
	if (y1 != y2)
		draw_head(cr, x1, y1, x2, y2);
	cairo_rectangle(cr, round(x2) - 2, y2 - 2, 4, 4);
	cairo_fill(cr);
	if (to->is_drop)
		draw_drop(canvas, x2, y2);
}

static void draw_ways(const struct picture_canvas *canvas)
{
	const struct picture_scene *scene = canvas->scene;
	const struct picture_point *before = NULL;

	for (size_t i = 0; i < scene->point_count; i++) {
		const struct picture_point *point = &scene->points[i];

		if (point->lane >= scene->lane_count) {
			before = NULL;
			continue;
		}
		draw_step(canvas, before && before->way == point->way ? before : NULL, point);
		before = point;
	}
}

static void draw_cells(const struct picture_canvas *canvas)
{
	const struct picture_scene *scene = canvas->scene;
	double bin = (double)canvas->columns / (scene->columns / BIN_COLUMNS), most = 1;
	cairo_t *cr = canvas->cr;

	for (size_t i = 0; i < scene->cell_count; i++)
		most = fmax(most, scene->cells[i].visits);
	for (size_t i = 0; i < scene->cell_count; i++) {
		const struct picture_cell *cell = &scene->cells[i];
		double x = canvas->plot_x + cell->column / BIN_COLUMNS * bin, y;
		uint32_t colour = path_colour(canvas);

		if (cell->lane >= scene->lane_count)
			continue;
		y = scene->lanes[cell->lane].y + canvas->lane.height * 0.6;
		cairo_set_source_rgba(cr, (colour >> 16) / 255.0, (colour >> 8 & 255) / 255.0,
				      (colour & 255) / 255.0,
				      0.35 + 0.65 * log1p(cell->visits) / log1p(most));
		cairo_rectangle(cr, x, y, bin, STRIP);
		cairo_fill(cr);
		if (!cell->drops)
			continue;
		draw_colour(cr, drop_colour(canvas));
		cairo_rectangle(cr, x, y - 4, bin, 3);
		cairo_fill(cr);
	}
}

void picture_paths_draw(const struct picture_canvas *canvas)
{
	const struct picture_scene *scene = canvas->scene;
	cairo_t *cr = canvas->cr;
	int top, end;

	if (!scene->lane_count)
		return;
	top = scene->lanes[0].y;
	end = scene->lanes[scene->lane_count - 1].y + canvas->lane.height;
	cairo_save(cr);
	cairo_rectangle(cr, canvas->plot_x, top, canvas->columns, end - top);
	cairo_clip(cr);
	draw_ways(canvas);
	draw_cells(canvas);
	cairo_restore(cr);
}
