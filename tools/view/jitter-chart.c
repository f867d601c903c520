// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws a chart of curves over bins: axes, steps, marks, legend.
 *
 * Stage: between the curves and a PNG file.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jitter-chart.h"
#include "picture-layout.h"
#include "picture-png.h"

#define LEFT		76
#define RIGHT		24
#define TOP		74
#define AXIS_HEIGHT	46
#define LEGEND_LINE	18
#define CAPTION_LINE	16
#define MARK_ROWS	5
#define MARK_LINE	14
#define LABEL_EVERY	90
#define FONT		11

static const struct picture_theme dark = {
	.page = 0x14171c, .text = 0xe8eaed, .dim = 0x9aa3ad, .grid = 0x39404a,
};

static const struct picture_theme light_theme = {
	.page = 0xffffff, .text = 0x16191d, .dim = 0x5c6670, .grid = 0xcfd4da,
};

/* @top: the value at the upper end of the vertical axis */
struct drawing {
	cairo_t *cr;
	const struct chart *chart;
	const struct picture_theme *theme;
	int width;
	int height;
	int x;
	int y;
	int columns;
	int rows;
	double top;
};

unsigned int chart_columns(unsigned int width)
{
	return width - LEFT - RIGHT;
}

/* ---- Axes ---- */

static double x_part(const struct chart *chart, double at)
{
	double from = chart->edges[0], to = chart->edges[chart->bins];

	return chart->linear ? (at - from) / (to - from) : log(at / from) / log(to / from);
}

static int x_of(const struct drawing *drawing, double at)
{
	return drawing->x + (int)lround(x_part(drawing->chart, at) * drawing->columns);
}

/* How many pixels a value is above the base line. */
static int height_of(const struct drawing *drawing, double value)
{
	double least = drawing->chart->least, part;

	if (!(value > least))
		return 0;
	part = least > 0 ? log(value / least) / log(drawing->top / least) :
	       value / drawing->top;
	return lround(fmin(part, 1) * drawing->rows);
}

/* 1, 2 or 5 times a power of ten, so that @span has at most @count of them. */
static double nice_step(double span, int count)
{
	double step = pow(10, floor(log10(span / count)));

	while (span / step > count) {
		static const double factors[] = { 2, 2.5, 2 };
		int digit = lround(step / pow(10, floor(log10(step) + 1e-9)));

		step *= factors[digit == 1 ? 0 : digit == 2 ? 1 : 2];
	}
	return step;
}

static void find_top(struct drawing *drawing)
{
	const struct chart *chart = drawing->chart;
	double most = chart->level;

	for (size_t c = 0; c < chart->curve_count; c++)
		for (unsigned int i = 0; i < chart->bins; i++)
			most = fmax(most, chart->curves[c].values[i]);
	if (chart->least > 0) {
		most = fmax(most, chart->least * 2);
		drawing->top = pow(10, ceil(log10(most * 1.25)));
	} else {
		drawing->top = most > 0 ? ceil(most / nice_step(most, 5) + 1e-9) *
			       nice_step(most, 5) : 1;
	}
}

/* 1234567.8: "1,234,567.8" */
static void number_text(double value, double step, char text[64])
{
	int digits = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
	char whole[32], part[48];

	if (fabs(value) >= 1e15 || digits > 9) {
		snprintf(text, 64, "%.3g", value);
		return;
	}
	snprintf(part, sizeof(part), "%.*f", digits, value);
	picture_count(strtoull(part, NULL, 10), whole);
	snprintf(text, 64, "%s%.11s", whole, strchr(part, '.') ? strchr(part, '.') : "");
}

static void vertical(const struct drawing *drawing, int x, int from_y, int to_y)
{
	cairo_rectangle(drawing->cr, x, from_y, 1, to_y - from_y);
	cairo_fill(drawing->cr);
}

static void horizontal(const struct drawing *drawing, int y)
{
	cairo_rectangle(drawing->cr, drawing->x, y, drawing->columns, 1);
	cairo_fill(drawing->cr);
}

/* @last: where the label before ended; it is left out if it would touch that. */
static void x_tick(const struct drawing *drawing, double at, double step, bool named,
		   double *last)
{
	int x = x_of(drawing, at), base = drawing->y + drawing->rows;
	double width, left;
	char text[64];

	picture_colour(drawing->cr, drawing->theme->dim);
	vertical(drawing, x, base, base + (named ? 6 : 3));
	if (!named)
		return;
	number_text(at / drawing->chart->unit, step / drawing->chart->unit, text);
	width = picture_text_width(drawing->cr, text);
	left = x - width / 2;
	if (left < *last + 8)
		return;
	picture_colour(drawing->cr, drawing->theme->grid);
	vertical(drawing, x, drawing->y, base);
	picture_colour(drawing->cr, drawing->theme->text);
	picture_text(drawing->cr, floor(left), base + 18, text);
	*last = left + width;
}

static void x_steps(const struct drawing *drawing)
{
	const struct chart *chart = drawing->chart;
	double from = chart->edges[0], to = chart->edges[chart->bins], last = -1e9;
	double step = nice_step(to - from, drawing->columns / LABEL_EVERY + 1);

	double first = ceil(from / step - 1e-9);

	for (int i = 0; (first + i) * step <= to * (1 + 1e-12); i++)
		x_tick(drawing, fmax((first + i) * step, from), step, true, &last);
}

/* Each power of ten, and what is between where there is room for it. */
static void x_decades(const struct drawing *drawing)
{
	const struct chart *chart = drawing->chart;
	double from = chart->edges[0], to = chart->edges[chart->bins], last = -1e9;
	double decade = drawing->columns / log10(to / from);

	for (double power = pow(10, floor(log10(from) + 1e-12)); power <= to; power *= 10)
		for (int digit = 1; digit < 10; digit++) {
			double at = power * digit;
			bool named = digit == 1 || (decade > 180 && (digit == 2 || digit == 5));

			if (at >= from * (1 - 1e-12) && at <= to * (1 + 1e-12))
				x_tick(drawing, at, power, named, &last);
		}
}

static void draw_x_axis(const struct drawing *drawing)
{
	const struct chart *chart = drawing->chart;

	picture_font(drawing->cr, FONT, false);
	if (chart->linear || chart->edges[chart->bins] / chart->edges[0] < 8)
		x_steps(drawing);
	else
		x_decades(drawing);
	picture_colour(drawing->cr, drawing->theme->dim);
	picture_text_right(drawing->cr, drawing->x + drawing->columns,
			   drawing->y + drawing->rows + 36, chart->x_name);
}

static void y_tick(const struct drawing *drawing, double value, double step)
{
	int y = drawing->y + drawing->rows - height_of(drawing, value);
	char text[64];

	picture_colour(drawing->cr, drawing->theme->grid);
	horizontal(drawing, y);
	number_text(value, step, text);
	picture_colour(drawing->cr, drawing->theme->text);
	picture_text_right(drawing->cr, drawing->x - 8, y + 4, text);
}

static void draw_y_axis(const struct drawing *drawing)
{
	const struct chart *chart = drawing->chart;

	picture_font(drawing->cr, FONT, false);
	if (chart->least > 0) {
		double decades = log10(drawing->top / chart->least);
		int every = ceil(decades * 16 / drawing->rows);
		int power = ceil(log10(chart->least) - 1e-9);

		for (; pow(10, power) <= drawing->top * 1.001; power += every > 1 ? every : 1)
			y_tick(drawing, pow(10, power), pow(10, power));
	} else {
		double step = nice_step(drawing->top, 5);

		for (int i = 0; i * step <= drawing->top * 1.001; i++)
			y_tick(drawing, i * step, step);
	}
	picture_colour(drawing->cr, drawing->theme->dim);
	picture_text(drawing->cr, 16, drawing->y - 10, chart->y_name);
}

/* ---- Curves ---- */

static void draw_steps(const struct drawing *drawing, const struct chart_curve *curve)
{
	const struct chart *chart = drawing->chart;
	int base = drawing->y + drawing->rows, before = base;

	picture_colour(drawing->cr, curve->colour);
	for (unsigned int i = 0; i <= chart->bins; i++) {
		bool ends = i == chart->bins;
		int x = x_of(drawing, chart->edges[i]);
		int to_x = ends ? x : x_of(drawing, chart->edges[i + 1]);
		int y = ends ? base : base - height_of(drawing, curve->values[i]);

		if (curve->filled)
			cairo_rectangle(drawing->cr, x, y, to_x - x, base - y);
		else if (y < base)
			cairo_rectangle(drawing->cr, x, y, to_x - x, 2);
		/* The step up or down to it */
		if (!curve->filled && before != y)
			cairo_rectangle(drawing->cr, x - (y > before), fmin(before, y), 1,
					abs(y - before));
		before = y;
	}
	cairo_fill(drawing->cr);
}

/* As many names as there is room for, in rows above the curves. */
static void draw_marks(const struct drawing *drawing)
{
	const struct chart *chart = drawing->chart;
	struct { double from, to; } *taken;
	int *rows, count = 0;

	taken = calloc(chart->mark_count + 1, sizeof(*taken));
	rows = calloc(chart->mark_count + 1, sizeof(*rows));
	picture_font(drawing->cr, FONT, false);
	for (size_t i = 0; taken && rows && i < chart->mark_count; i++) {
		int x = x_of(drawing, chart->marks[i].at), row;
		double width = picture_text_width(drawing->cr, chart->marks[i].name);
		double left = fmin(x + 3, drawing->x + drawing->columns - width);

		for (row = 0; row < MARK_ROWS; row++) {
			int other;

			for (other = 0; other < count; other++)
				if (rows[other] == row && left - 2 < taken[other].to + 8 &&
				    taken[other].from - 10 < left + width)
					break;
			if (other == count)
				break;
		}
		if (row == MARK_ROWS)
			continue;
		taken[count].from = left;
		taken[count].to = left + width;
		rows[count++] = row;
		picture_colour(drawing->cr, drawing->theme->dim);
		vertical(drawing, x, drawing->y + row * MARK_LINE + 2,
			 drawing->y + row * MARK_LINE + 14);
		picture_colour(drawing->cr, drawing->theme->page);
		cairo_rectangle(drawing->cr, floor(left) - 1,
				drawing->y + row * MARK_LINE + 2, ceil(width) + 3, 12);
		cairo_fill(drawing->cr);
		picture_colour(drawing->cr, drawing->theme->text);
		picture_text(drawing->cr, left, drawing->y + row * MARK_LINE + 12,
			     chart->marks[i].name);
	}
	free(taken);
	free(rows);
}

/* ---- The rest ---- */

static int draw_legend(const struct drawing *drawing, int y, bool draw)
{
	const struct chart *chart = drawing->chart;
	double x = drawing->x;
	int lines = 1;

	picture_font(drawing->cr, FONT, false);
	for (size_t i = 0; i < chart->curve_count; i++) {
		double width = 18 + picture_text_width(drawing->cr, chart->curves[i].name);

		if (x > drawing->x && x + width > drawing->x + drawing->columns) {
			x = drawing->x;
			lines++;
		}
		if (draw) {
			int base = y + (lines - 1) * LEGEND_LINE;

			picture_colour(drawing->cr, chart->curves[i].colour);
			cairo_rectangle(drawing->cr, floor(x), base + 3, 10,
					chart->curves[i].filled ? 10 : 3);
			cairo_fill(drawing->cr);
			picture_colour(drawing->cr, drawing->theme->text);
			picture_text_within(drawing->cr, floor(x) + 15, base + 12,
					    drawing->columns - 15, chart->curves[i].name);
		}
		x += width + 16;
	}
	return lines * LEGEND_LINE;
}

static int caption_height(const struct drawing *drawing)
{
	picture_font(drawing->cr, FONT, false);
	return CAPTION_LINE * picture_text_lines(drawing->cr, 0, 0, drawing->columns,
						 CAPTION_LINE, drawing->chart->caption, false);
}

static void draw_all(struct drawing *drawing)
{
	const struct chart *chart = drawing->chart;
	int caption = caption_height(drawing), legend = draw_legend(drawing, 0, false), y;

	drawing->x = LEFT;
	drawing->y = TOP;
	drawing->rows = drawing->height - TOP - AXIS_HEIGHT - legend - caption - 14;
	if (drawing->rows < 60)
		drawing->rows = 60;
	find_top(drawing);
	picture_colour(drawing->cr, drawing->theme->page);
	cairo_paint(drawing->cr);
	picture_font(drawing->cr, 17, true);
	picture_colour(drawing->cr, drawing->theme->text);
	picture_text_within(drawing->cr, 16, 28, drawing->width - 32, chart->title);
	picture_font(drawing->cr, 12, false);
	picture_colour(drawing->cr, drawing->theme->dim);
	picture_text_within(drawing->cr, 16, 46, drawing->width - 32, chart->subtitle);
	draw_y_axis(drawing);
	draw_x_axis(drawing);
	for (size_t i = 0; i < chart->curve_count; i++)
		draw_steps(drawing, &chart->curves[i]);
	if (chart->level > 0) {
		picture_colour(drawing->cr, drawing->theme->dim);
		horizontal(drawing, drawing->y + drawing->rows - height_of(drawing, chart->level));
	}
	draw_marks(drawing);
	picture_colour(drawing->cr, drawing->theme->dim);
	horizontal(drawing, drawing->y + drawing->rows);
	y = drawing->y + drawing->rows + AXIS_HEIGHT;
	y += draw_legend(drawing, y, true);
	picture_font(drawing->cr, FONT, false);
	picture_colour(drawing->cr, drawing->theme->dim);
	picture_text_lines(drawing->cr, drawing->x, y + 12, drawing->columns, CAPTION_LINE,
			   chart->caption, true);
}

/* Where each bin is, and its edges. */
static void print_bins(const struct drawing *drawing, FILE *out)
{
	const struct chart *chart = drawing->chart;

	for (unsigned int i = 0; i < chart->bins; i++)
		fprintf(out, "%d %d %.3f %.3f\n", x_of(drawing, chart->edges[i]),
			x_of(drawing, chart->edges[i + 1]), chart->edges[i],
			chart->edges[i + 1]);
}

/* All marks, also those without room. */
static void print_marks(const struct drawing *drawing, FILE *out)
{
	const struct chart *chart = drawing->chart;

	for (size_t i = 0; i < chart->mark_count; i++)
		fprintf(out, "%.6f %s\n", chart->marks[i].at, chart->marks[i].name);
}

/* For programs: free() it; NULL: no memory. */
static char *describe(const struct drawing *drawing,
		      void (*print)(const struct drawing *drawing, FILE *out))
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	print(drawing, out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static int write_chart(const struct drawing *drawing, cairo_surface_t *surface, FILE *out)
{
	char *bins = describe(drawing, print_bins), *marks = describe(drawing, print_marks);
	char plot[160];
	const struct picture_png_text texts[] = {
		{ "Title", drawing->chart->title },
		{ "Software", "evtlog " EVTLOG_VERSION },
		{ "evtlog chart", plot },
		{ "evtlog bins", bins },
		{ "evtlog marks", marks },
		{ }
	};
	int error = -ENOMEM;

	if (!bins || !marks)
		goto out;
	snprintf(plot, sizeof(plot), "%d %d %d %d %.17g %.17g", drawing->x, drawing->y,
		 drawing->columns, drawing->rows, drawing->chart->least, drawing->top);
	error = picture_png_write(surface, texts, out);
out:
	free(bins);
	free(marks);
	return error;
}

int chart_draw(const struct chart *chart, unsigned int width, unsigned int height, bool light,
	       FILE *out)
{
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	struct drawing drawing = {
		.cr = cairo_create(surface),
		.chart = chart,
		.theme = light ? &light_theme : &dark,
		.width = width,
		.height = height,
		.columns = chart_columns(width),
	};
	int error = cairo_status(drawing.cr) == CAIRO_STATUS_SUCCESS ? 0 : -ENOMEM;

	if (!error) {
		draw_all(&drawing);
		error = cairo_status(drawing.cr) == CAIRO_STATUS_SUCCESS ? 0 : -ENOMEM;
	}
	if (!error)
		error = write_chart(&drawing, surface, out);
	cairo_destroy(drawing.cr);
	cairo_surface_destroy(surface);
	return error;
}
