// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds a host's runnable tasks, and draws them as view/page/draw/track.js does: the mean of a
 * column full, the most of it faint, and hatched above them where not all is known.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "runnable.h"
#include "view/session/runnable.h"

#define FAINT	0.4

/* ---- Finding ---- */

static struct picture_runnable column_of(const struct runnable_bin *bin)
{
	return (struct picture_runnable) {
		.mean = bin->mean,
		.most = bin->most,
		.outside = bin->state == RUNNABLE_OUTSIDE,
		.known = bin->state == RUNNABLE_LEAST || bin->state == RUNNABLE_KNOWN,
		.unsure = bin->state == RUNNABLE_LEAST || bin->state == RUNNABLE_UNKNOWN,
	};
}

int picture_runnable_find(struct session *session, uint32_t number, const int64_t *edges,
			  size_t bins, size_t columns, struct picture_host *host)
{
	struct runnable_bin *read = calloc(bins + 1, sizeof(*read));
	int error = -ENOMEM;

	host->runnable = calloc(columns + 1, sizeof(*host->runnable));
	if (read && host->runnable)
		error = session_runnable_between(session, number, edges, bins, read);
	for (size_t i = 0; !error && i < columns; i++)
		host->runnable[i] = column_of(&read[i * bins / columns]);
	free(read);
	if (error != -EOPNOTSUPP)
		return error;
	free(host->runnable);
	host->runnable = NULL;
	return 0;
}

/* ---- Drawing ---- */

unsigned int picture_runnable_top(const struct picture_scene *scene,
				  const struct picture_host *host)
{
	unsigned int top = host->lane_count;

	for (size_t i = 0; i < scene->columns; i++)
		if (host->runnable[i].known && host->runnable[i].most > top)
			top = host->runnable[i].most;
	return top ? top : 1;
}

static int high(double number, unsigned int top)
{
	int pixels = (int)(number / top * PICTURE_TRACK + 0.5);

	return number > 0 && !pixels ? 1 : pixels;
}

static void bar(cairo_t *cr, int x, int foot, int height)
{
	cairo_rectangle(cr, x, foot - height, 1, height);
	cairo_fill(cr);
}

/* Diagonals, as of lanes. */
static void hatch(cairo_t *cr, int x, int y, int foot)
{
	for (int i = y; i < foot; i++)
		if ((x + i) % 8 < 4)
			cairo_rectangle(cr, x, i, 1, 1);
	cairo_fill(cr);
}

static void draw_column(const struct picture_canvas *canvas, const struct picture_runnable *column,
			unsigned int top, int x, int y)
{
	uint32_t load = canvas->ground->load;
	int foot = y + PICTURE_TRACK, most = column->known ? high(column->most, top) : 0;
	cairo_t *cr = canvas->cr;

	draw_colour(cr, canvas->ground->idle);
	if (!column->outside)
		bar(cr, x, foot, PICTURE_TRACK);
	draw_colour(cr, VIEW_LOST);
	if (column->unsure)
		hatch(cr, x, y, foot - most);
	if (!column->known)
		return;
	cairo_set_source_rgba(cr, (load >> 16) / 255.0, (load >> 8 & 255) / 255.0,
			      (load & 255) / 255.0, FAINT);
	bar(cr, x, foot, most);
	draw_colour(cr, load);
	bar(cr, x, foot, high(column->mean, top));
}

void picture_runnable_draw(const struct picture_canvas *canvas, const struct picture_host *host,
			   int y)
{
	cairo_t *cr = canvas->cr;
	char text[64];
	unsigned int top;

	if (!host->runnable)
		return;
	top = picture_runnable_top(canvas->scene, host);
	for (int i = 0; i < canvas->columns; i++)
		draw_column(canvas, &host->runnable[i], top, canvas->plot_x + i, y);
	/* More than can run wait. */
	draw_colour(cr, canvas->theme->text);
	cairo_rectangle(cr, canvas->plot_x, y + PICTURE_TRACK - high(host->lane_count, top),
			canvas->columns, 1);
	cairo_fill(cr);
	snprintf(text, sizeof(text), "runnable 0\u2013%u", top);
	draw_font(cr, 11, false);
	draw_text_right(cr, canvas->plot_x - 8, y + PICTURE_TRACK / 2 + 4, text);
}
