// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws a CPU's lane as view/page/draw/lanes.js does: ticks for events; a bar of the task that ran
 * longest, with other tasks, softirqs and interrupts on top; bands for softirqs and interrupts;
 * hatching over losses.
 *
 * Each column of pixels is one bin.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "layout.h"

struct pixels {
	unsigned char *data;
	int stride;
};

static uint32_t *pixel(const struct pixels *pixels, int x, int y)
{
	return (uint32_t *)(pixels->data + (size_t)y * pixels->stride + (size_t)x * 4);
}

static void fill(const struct pixels *pixels, int x, int y, int height, uint32_t colour)
{
	for (int i = 0; i < height; i++)
		*pixel(pixels, x, y + i) = colour;
}

/* Converts a share of 255 to pixels, at least one if the share is not 0. */
static int part(unsigned int share, int height)
{
	int pixels = (share * height + 127) / 255;

	return share && !pixels ? 1 : pixels;
}

/* Blends @share of 255 of @colour with @behind. */
static uint32_t mix(uint32_t colour, uint32_t behind, unsigned int share)
{
	uint32_t result = 0;

	for (int shift = 0; shift < 24; shift += 8) {
		uint32_t a = colour >> shift & 255, b = behind >> shift & 255;

		result |= (a * share + b * (255 - share) + 127) / 255 << shift;
	}
	return result;
}

/* The band is dim for little time, and absent for none. */
static void draw_band(const struct pixels *pixels, uint32_t colour, uint32_t idle,
		      unsigned int share, int x, int y, int height)
{
	if (share)
		fill(pixels, x, y, height, mix(colour, idle, 255 * VIEW_LANE_BAND + (1 - VIEW_LANE_BAND) * share));
}

/* From the bottom: the task that ran longest, other tasks, softirqs, interrupts. */
static void draw_bar(const struct pixels *pixels, const struct evtlog_bin *bin,
		     uint32_t colour, int x, int y, int height)
{
	int task = part(bin->task_share, height), busy = part(bin->busy, height);
	int softirq, other, end = y + height;

	if (task > busy)
		busy = task;
	softirq = busy - (bin->irq * height + 127) / 255;
	if (softirq < task)
		softirq = task;
	other = softirq - (bin->softirq * height + 127) / 255;
	if (other < task)
		other = task;
	fill(pixels, x, end - busy, busy - softirq, VIEW_IRQ);
	fill(pixels, x, end - softirq, softirq - other, VIEW_SOFTIRQ);
	fill(pixels, x, end - other, other - task, VIEW_OTHER);
	fill(pixels, x, end - task, task, colour);
}

/* Short ticks cover long ones.  @dim: both adjacent columns have ticks */
static void draw_ticks(const struct picture_canvas *canvas, const struct pixels *pixels,
		       unsigned int kinds, bool dim, int x, int y)
{
	int height = canvas->lane.ticks;

	for (int row = 0; row < height; row++) {
		int best = -1, best_rows = 0;
		uint32_t colour;

		for (int i = 0; i < EVTLOG_KINDS; i++) {
			int rows = (view_ticks[i].length * height + 50) / 100;

			if (!rows)
				rows = 1;
			if (!(kinds & 1u << i) || rows <= row ||
			    (best >= 0 && rows >= best_rows))
				continue;
			best = i;
			best_rows = rows;
		}
		if (best < 0)
			continue;
		colour = picture_tick_colour(canvas, best);
		fill(pixels, x, y + height - 1 - row, 1,
		     dim ? mix(colour, canvas->ground->idle, 255 * VIEW_LANE_DIM) : colour);
	}
}

/* If a column has several marks, the last one is visible. */
static void draw_marks(const struct picture_canvas *canvas, const struct pixels *pixels,
		       const struct picture_lane *lane, int y)
{
	const struct picture_event *events = canvas->scene->events;

	for (size_t i = 0; i < lane->mark_count; i++)
		fill(pixels, canvas->plot_x + lane->marks[i].column, y, canvas->lane.ticks,
		     events[lane->marks[i].event].colours[canvas->opts->paper.light]);
}

static void draw_column(const struct picture_canvas *canvas, const struct pixels *pixels,
			const struct picture_lane *lane, int i, int y)
{
	const struct picture_lane_size *size = &canvas->lane;
	const struct evtlog_bin *bin = &lane->bins[i];
	int x = canvas->plot_x + i, bar_y = y + size->ticks, band_y = bar_y + size->bar;
	uint32_t idle = canvas->ground->idle;
	bool dim = i && i + 1 < canvas->columns && bin[-1].kinds && bin[1].kinds;

	if (bin->flags & EVTLOG_BIN_OUTSIDE && !bin->busy && !bin->kinds && !bin->lost) {
		fill(pixels, x, y, size->height, canvas->ground->outside);
		return;
	}
	fill(pixels, x, y, size->height, bin->task != EVTLOG_TASK_UNKNOWN || bin->lost ? idle :
	     bin->flags & EVTLOG_BIN_OUTSIDE ? canvas->ground->outside : canvas->ground->unknown);
	draw_ticks(canvas, pixels, bin->kinds, dim, x, y);
	draw_bar(pixels, bin, lane->colours[i], x, bar_y, size->bar);
	draw_band(pixels, VIEW_SOFTIRQ, idle, bin->softirq, x, band_y, size->band);
	draw_band(pixels, VIEW_IRQ, idle, bin->irq, x, band_y + size->band, size->band);
	/* Diagonal lines, aligned over the whole picture; the lane shows through a small loss. */
	for (int at = y; bin->lost && at < y + size->height; at++)
		if ((x + at) % 8 < 4)
			*pixel(pixels, x, at) = VIEW_LOST;
		else if (bin->lost > 127)
			*pixel(pixels, x, at) = idle;
}

/* Draws the names of tasks where some letters fit. */
static void draw_names(const struct picture_canvas *canvas,
		       const struct picture_lane *lane, int y)
{
	const struct picture_lane_size *size = &canvas->lane;
	static const uint32_t inks[] = { VIEW_INKS };
	double font = fmin(size->height * VIEW_LANE_FONT, VIEW_LANE_FONTMOST);
	cairo_t *cr = canvas->cr;

	if (font < VIEW_LANE_FONTLEAST)
		return;
	draw_font(cr, font, false);
	for (size_t i = 0; i < lane->run_count; i++) {
		const struct picture_run *run = &lane->runs[i];
		double brightness = 0.299 * (run->colour >> 16) +
				    0.587 * (run->colour >> 8 & 255) + 0.114 * (run->colour & 255);

		if (run->to - run->from < VIEW_LANE_NAMED)
			continue;
		draw_colour(cr, inks[brightness <= 128]);
		draw_text_within(cr, canvas->plot_x + run->from + 4,
				    y + size->ticks + (int)((size->bar + font * 0.73) / 2),
				    run->to - run->from - 8, run->name);
	}
}

/* Draws lines between slices, as the page's drawLines() and Runs.lines() do. */
static void draw_lines(const struct picture_canvas *canvas,
		       const struct picture_lane *lane, int y)
{
	const struct picture_run *before = NULL;
	cairo_t *cr = canvas->cr;
	bool joined = true;

	cairo_set_source_rgba(cr, 0, 0, 0, 0.8);
	for (size_t i = 0; i < lane->run_count; i++) {
		const struct picture_run *run = &lane->runs[i];
		size_t x = run->edge;

		joined &= run->joined;
		if (run->end - run->edge < VIEW_LANE_LINED)
			continue;
		if (before && joined) {
			if (x < before->to)
				x = before->to;
			if (x > run->from)
				x = run->from;
			cairo_rectangle(cr, canvas->plot_x + (int)x, y + canvas->lane.ticks,
					1, canvas->lane.bar);
		}
		before = run;
		joined = true;
	}
	cairo_fill(cr);
}

static void loss_text(const struct picture_loss *loss, char text[64])
{
	char count[32];

	if (loss->records) {
		draw_count(loss->records, count);
		snprintf(text, 64, "%s lost", count);
	} else if (loss->buffers) {
		draw_count(loss->buffers, count);
		snprintf(text, 64, "%s buffers lost", count);
	} else {
		snprintf(text, 64, "unknown");
	}
}

static void draw_losses(const struct picture_canvas *canvas, const struct picture_lane *lane,
			int y)
{
	int height = canvas->lane.height;
	double size = height < 16 ? height - 3 : 11;
	cairo_t *cr = canvas->cr;

	if (size < 8)
		return;
	draw_font(cr, size, false);
	for (size_t i = 0; i < lane->loss_count; i++) {
		const struct picture_loss *loss = &lane->losses[i];
		double capacity = loss->to - loss->from, width, x;
		char text[64];

		loss_text(loss, text);
		width = draw_text_width(cr, text) + 8;
		if (width > capacity)
			continue;
		x = canvas->plot_x + loss->from + (int)((capacity - width) / 2);
		draw_colour(cr, 0x202020);
		cairo_rectangle(cr, x, y + (int)((height - size - 3) / 2), width,
				(int)size + 3);
		cairo_fill(cr);
		draw_colour(cr, 0xffffff);
		draw_text(cr, x + 4, y + (int)((height + size) / 2) - 1, text);
	}
}

void picture_lane_draw(const struct picture_canvas *canvas, const struct picture_lane *lane)
{
	struct pixels pixels;

	cairo_surface_flush(canvas->surface);
	pixels.data = cairo_image_surface_get_data(canvas->surface);
	pixels.stride = cairo_image_surface_get_stride(canvas->surface);
	for (int i = 0; i < canvas->columns; i++)
		draw_column(canvas, &pixels, lane, i, lane->y);
	draw_marks(canvas, &pixels, lane, lane->y);
	cairo_surface_mark_dirty(canvas->surface);
	draw_lines(canvas, lane, lane->y);
	draw_names(canvas, lane, lane->y);
	draw_losses(canvas, lane, lane->y);
}
