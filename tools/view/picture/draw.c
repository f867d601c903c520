// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws a scene, from the top: title, ruler, lanes by host, legend and caption.
 *
 * Reads no log.
 */
#include <errno.h>
#include <inttypes.h>

#include "draw/paper.h"
#include "draw/ruler.h"
#include "layout.h"

#define TITLE_HEIGHT	44
#define RULER_HEIGHT	30
#define HOST_HEIGHT	22
#define HOST_GAP	8
#define LEGEND_GAP	12
#define CAPTION_GAP	4
#define CAPTION_LINE	16
#define CAPTION_FONT	11
/* Lower lanes are not readable. */
#define LANE_MIN	4
#define LANE_MAX	96

/* Idle lanes are white; the page between them has another colour. */
static const struct draw_theme light = {
	.page = 0xeef1f5, .text = 0x16191d, .dim = 0x5c6670, .grid = 0xc5cbd3,
	.host = 0xdfe5ec, .lost = 0xa84300,
};

size_t picture_columns(const struct picture_options *opts)
{
	return opts->paper.width - 2 * PICTURE_MARGIN - PICTURE_GUTTER;
}

/*
 * Sets the positions of hosts and lanes, below the ruler.  Returns where the last lane and its
 * tracks end.
 */
static int place(const struct picture_canvas *canvas)
{
	int y = PICTURE_MARGIN + TITLE_HEIGHT + RULER_HEIGHT;

	for (size_t h = 0; h < canvas->scene->host_count; h++) {
		struct picture_host *host = &canvas->scene->hosts[h];

		host->y = y + (h ? HOST_GAP : 0);
		y = host->y + HOST_HEIGHT + picture_tracks_height(&host->tracks);
		for (size_t i = 0; i < host->lane_count; i++) {
			host->lanes[i].y = y;
			y += canvas->lane.height + canvas->lane.gap +
			     picture_tracks_height(&host->lanes[i].tracks);
		}
	}
	return y;
}

/* ---- Heights ---- */

/* Draws the caption with the upper edge at @y, or only measures it.  Returns the height. */
static int draw_caption(const struct picture_canvas *canvas, int y, bool draw)
{
	draw_font(canvas->cr, CAPTION_FONT, false);
	draw_colour(canvas->cr, canvas->theme->dim);
	return CAPTION_LINE * draw_text_lines(canvas->cr, PICTURE_MARGIN, y + 12,
					      canvas->width - 2 * PICTURE_MARGIN, CAPTION_LINE,
					      canvas->scene->caption, draw);
}

/* Default height of a lane, by number of lanes */
static int usual_height(size_t lanes)
{
	if (lanes <= 4)
		return 52;
	if (lanes <= 8)
		return 40;
	if (lanes <= 16)
		return 30;
	if (lanes <= 32)
		return 22;
	return lanes <= 64 ? 14 : 10;
}

static void divide_lane(struct picture_lane_size *lane)
{
	int height = lane->height;

	lane->gap = height >= 8 ? 2 : 1;
	lane->band = height >= 40 ? 4 : height >= 20 ? 3 : height >= 12 ? 2 : 1;
	lane->ticks = height * 3 / 10;
	lane->bar = height - lane->ticks - 2 * lane->band;
}

/* Returns the height of the picture, or -E2BIG with the height in @needed. */
static int choose_heights(struct picture_canvas *canvas, unsigned int *needed)
{
	int lanes = canvas->scene->lane_count;
	/* Everything except the lanes, which have no height yet */
	int frame = place(canvas) + LEGEND_GAP + picture_legend(canvas, 0, false) + CAPTION_GAP +
		    draw_caption(canvas, 0, false) + PICTURE_MARGIN;
	int height = canvas->opts->paper.height ? (int)canvas->opts->paper.height :
		     (int)DRAW_SIDE_MAX, lane;

	*needed = frame + lanes * (LANE_MIN + 1);
	if ((int)*needed > height)
		return -E2BIG;
	lane = usual_height(lanes);
	if (canvas->opts->paper.height || frame + lanes * (lane + 2) > height) {
		lane = lanes ? (height - frame) / lanes - 2 : 0;
		if (lane < 8)
			lane++;
	}
	canvas->lane.height = lane < LANE_MIN ? LANE_MIN : lane > LANE_MAX ? LANE_MAX : lane;
	divide_lane(&canvas->lane);
	return canvas->opts->paper.height ? height :
	       frame + lanes * (canvas->lane.height + canvas->lane.gap);
}

/* ---- Drawing ---- */

static void draw_title(const struct picture_canvas *canvas)
{
	int width = canvas->width - 2 * PICTURE_MARGIN;
	cairo_t *cr = canvas->cr;

	draw_font(cr, 17, true);
	draw_colour(cr, canvas->theme->text);
	draw_text_within(cr, PICTURE_MARGIN, PICTURE_MARGIN + 15, width,
			    canvas->scene->title);
	draw_font(cr, 12, false);
	draw_colour(cr, canvas->theme->dim);
	draw_text_within(cr, PICTURE_MARGIN, PICTURE_MARGIN + 34, width,
			    canvas->scene->subtitle);
}

static void draw_line(const struct picture_canvas *canvas, double x, int y, int to_y)
{
	cairo_rectangle(canvas->cr, canvas->plot_x + (int)x, y, 1, to_y - y);
	cairo_fill(canvas->cr);
}

/* Draws times, and grid lines down to @end_y; the lanes are drawn over them. */
static void draw_ruler(const struct picture_canvas *canvas, int end_y)
{
	const struct picture_scene *scene = canvas->scene;
	cairo_t *cr = canvas->cr;
	int base = PICTURE_MARGIN + TITLE_HEIGHT + RULER_HEIGHT;
	struct ruler ruler;
	double last = -1e9;

	ruler_make(&ruler, scene->from_ns, scene->to_ns, canvas->columns / 95 + 2);
	draw_font(cr, 11, false);
	for (uint64_t t = (scene->from_ns + ruler.minor_ns - 1) / ruler.minor_ns *
			  ruler.minor_ns; t < scene->to_ns; t += ruler.minor_ns) {
		double x = (double)(t - scene->from_ns) * canvas->columns /
			   (double)(scene->to_ns - scene->from_ns), at, width;
		char label[RULER_LABEL_BYTES];

		if (t % ruler.step_ns) {
			draw_colour(cr, canvas->theme->dim);
			draw_line(canvas, x, base - 4, base);
			continue;
		}
		draw_colour(cr, canvas->theme->grid);
		draw_line(canvas, x, base - 8, end_y);
		draw_colour(cr, canvas->theme->text);
		draw_line(canvas, x, base - 9, base);
		ruler_label(&ruler, t, label);
		width = draw_text_width(cr, label);
		at = x - width / 2;
		/* Labels at the ends stay inside. */
		if (at + width > canvas->columns)
			at = canvas->columns - width;
		if (at < 0)
			at = 0;
		if (at < last + 8)
			continue;
		draw_text(cr, canvas->plot_x + (int)at, base - 14, label);
		last = at + width;
	}
	if (ruler.anchor_ns) {
		char text[RULER_LABEL_BYTES];

		ruler_time(ruler.anchor_ns, text);
		draw_font(cr, 11, true);
		draw_colour(cr, canvas->theme->text);
		draw_text_within(cr, PICTURE_MARGIN, base - 14, PICTURE_GUTTER - 8, text);
	}
}

/* Draws number and lost events of a CPU; on low lanes, only the number of every n-th CPU. */
static void draw_label(const struct picture_canvas *canvas,
		       const struct picture_lane *lane, size_t number)
{
	int pitch = canvas->lane.height + canvas->lane.gap;
	int every = (12 + pitch - 1) / pitch, base;
	double size = pitch >= 13 ? 11 : 9;
	cairo_t *cr = canvas->cr;
	char text[64], count[32];

	if (number % every)
		return;
	base = lane->y + (canvas->lane.height + (int)size) / 2 - 1;
	draw_font(cr, size, false);
	draw_colour(cr, canvas->theme->text);
	snprintf(text, sizeof(text), "CPU %u", lane->cpu);
	draw_text_right(cr, canvas->plot_x - 8, base, text);
	if (!lane->lost || every > 1)
		return;
	draw_count(lane->lost, count);
	snprintf(text, sizeof(text), "%s lost", count);
	draw_colour(cr, canvas->theme->lost);
	draw_text_within(cr, PICTURE_MARGIN, base, PICTURE_GUTTER - 62, text);
}

static void draw_host_name(const struct picture_canvas *canvas, const struct picture_host *host)
{
	cairo_t *cr = canvas->cr;
	double x = PICTURE_MARGIN + 8;

	draw_colour(cr, canvas->theme->host);
	cairo_rectangle(cr, PICTURE_MARGIN, host->y, canvas->width - 2 * PICTURE_MARGIN,
			HOST_HEIGHT - 3);
	cairo_fill(cr);
	draw_font(cr, 12, true);
	draw_colour(cr, canvas->theme->text);
	draw_text_within(cr, x, host->y + 14, (canvas->width - 2 * PICTURE_MARGIN) / 2.0,
			    host->name);
	x += draw_text_width(cr, host->name) + 14;
	if (x > canvas->width / 2.0)
		x = canvas->width / 2.0;
	draw_font(cr, 11, false);
	draw_colour(cr, canvas->theme->dim);
	draw_text_within(cr, x, host->y + 14, canvas->width - PICTURE_MARGIN - 8 - x,
			    host->note);
}

static void draw_host(const struct picture_canvas *canvas, const struct picture_host *host)
{
	draw_host_name(canvas, host);
	picture_tracks_draw(canvas, &host->tracks, host->y + HOST_HEIGHT);
	for (size_t i = 0; i < host->lane_count; i++) {
		const struct picture_lane *lane = &host->lanes[i];

		picture_lane_draw(canvas, lane);
		draw_label(canvas, lane, i);
		picture_tracks_draw(canvas, &lane->tracks,
				    lane->y + canvas->lane.height + canvas->lane.gap);
	}
}

static void draw_all(const struct picture_canvas *canvas)
{
	const struct picture_scene *scene = canvas->scene;
	int y = place(canvas);
	cairo_t *cr = canvas->cr;

	draw_colour(cr, canvas->theme->page);
	cairo_paint(cr);
	draw_title(canvas);
	draw_ruler(canvas, y);
	for (size_t i = 0; i < scene->host_count; i++)
		draw_host(canvas, &scene->hosts[i]);
	picture_paths_draw(canvas);
	y += LEGEND_GAP;
	y += picture_legend(canvas, y, true) + CAPTION_GAP;
	draw_caption(canvas, y, true);
}

/* ---- Texts for programs ---- */

static void print_plot(const void *drawing, FILE *out)
{
	const struct picture_canvas *canvas = drawing;

	fprintf(out, "%" PRIu64 " %" PRIu64 " %d %d", canvas->scene->from_ns, canvas->scene->to_ns,
		canvas->plot_x, canvas->columns);
}

/* Positions of lanes: host, CPU, upper edge, height, heights of ticks, bar, band. */
static void print_lanes(const void *drawing, FILE *out)
{
	const struct picture_canvas *canvas = drawing;
	const struct picture_scene *scene = canvas->scene;

	for (size_t h = 0; h < scene->host_count; h++)
		for (size_t i = 0; i < scene->hosts[h].lane_count; i++)
			fprintf(out, "%zu %u %d %d %d %d %d\n", h, scene->hosts[h].lanes[i].cpu,
				scene->hosts[h].lanes[i].y, canvas->lane.height,
				canvas->lane.ticks, canvas->lane.bar, canvas->lane.band);
}

/* Positions of tracks: host, upper edge, height, value at that height, name, CPU. */
static void print_tracks(const void *drawing, FILE *out)
{
	const struct picture_canvas *canvas = drawing;

	for (size_t h = 0; h < canvas->scene->host_count; h++) {
		const struct picture_host *host = &canvas->scene->hosts[h];

		picture_tracks_describe(&host->tracks, h, "all", host->y + HOST_HEIGHT, out);
		for (size_t i = 0; i < host->lane_count; i++) {
			const struct picture_lane *lane = &host->lanes[i];
			char cpu[16];

			snprintf(cpu, sizeof(cpu), "%u", lane->cpu);
			picture_tracks_describe(&lane->tracks, h, cpu,
						lane->y + canvas->lane.height + canvas->lane.gap,
						out);
		}
	}
}

static int write_picture(const struct picture_canvas *canvas, FILE *out)
{
	const struct png_text texts[] = {
		{ "Title", .value = canvas->scene->title },
		{ "Software", .value = "evtlog " EVTLOG_VERSION },
		{ "evtlog plot", .print = print_plot },
		{ "evtlog lanes", .print = print_lanes },
		{ "evtlog tasks", .print = picture_legend_print },
		{ "evtlog tracks", .print = print_tracks },
		{ }
	};

	return png_write(canvas->surface, texts, canvas, out);
}

static int status_error(cairo_status_t status)
{
	return status == CAIRO_STATUS_SUCCESS ? 0 :
	       status == CAIRO_STATUS_NO_MEMORY ? -ENOMEM : -EINVAL;
}

int picture_draw(struct picture_scene *scene, const struct picture_options *opts, FILE *out,
		 unsigned int *needed)
{
	struct picture_canvas canvas = {
		.scene = scene,
		.opts = opts,
		.theme = opts->paper.light ? &light : &draw_dark,
		.ground = opts->paper.light ? &view_light : &view_dark,
		.width = opts->paper.width,
		.plot_x = PICTURE_MARGIN + PICTURE_GUTTER,
		.columns = scene->columns,
	};
	cairo_surface_t *sheet;
	int height, error;

	/* Measure the texts on a separate surface, because the height is not yet known. */
	sheet = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1);
	canvas.cr = cairo_create(sheet);
	height = choose_heights(&canvas, needed);
	cairo_destroy(canvas.cr);
	cairo_surface_destroy(sheet);
	if (height < 0)
		return height;
	canvas.surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, opts->paper.width, height);
	canvas.cr = cairo_create(canvas.surface);
	error = status_error(cairo_status(canvas.cr));
	if (!error) {
		draw_all(&canvas);
		error = status_error(cairo_status(canvas.cr));
	}
	if (!error)
		error = write_picture(&canvas, out);
	cairo_destroy(canvas.cr);
	cairo_surface_destroy(canvas.surface);
	return error;
}
