// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws the axes of a chart, and converts values to positions on the plot.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "draw/canvas.h"

#define LABEL_EVERY	90

int plot_x(const struct plot *plot, double at)
{
	const struct chart *chart = plot->chart;
	double from = chart->edges[0], to = chart->edges[chart->bins];
	double part = chart->linear ? (at - from) / (to - from) : log(at / from) / log(to / from);

	return plot->at.x + (int)lround(part * plot->at.columns);
}

int plot_height(const struct plot *plot, double value)
{
	double least = plot->chart->least, part;

	if (!(value > least))
		return 0;
	part = least > 0 ? log(value / least) / log(plot->at.top / least) :
	       value / plot->at.top;
	return lround(fmin(part, 1) * plot->at.rows);
}

double plot_step(double span, int count)
{
	double step = pow(10, floor(log10(span / count)));

	while (span / step > count) {
		static const double factors[] = { 2, 2.5, 2 };
		int digit = lround(step / pow(10, floor(log10(step) + 1e-9)));

		step *= factors[digit == 1 ? 0 : digit == 2 ? 1 : 2];
	}
	return step;
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
	draw_count(strtoull(part, NULL, 10), whole);
	snprintf(text, 64, "%s%.11s", whole, strchr(part, '.') ? strchr(part, '.') : "");
}

void plot_vertical(const struct plot *plot, int x, int from_y, int to_y)
{
	cairo_rectangle(plot->cr, x, from_y, 1, to_y - from_y);
	cairo_fill(plot->cr);
}

void plot_horizontal(const struct plot *plot, int y)
{
	cairo_rectangle(plot->cr, plot->at.x, y, plot->at.columns, 1);
	cairo_fill(plot->cr);
}

/* @last: right end of the previous label; a label that would touch it is left out. */
static void x_tick(const struct plot *plot, double at, double step, bool named,
		   double *last)
{
	int x = plot_x(plot, at), base = plot->at.y + plot->at.rows;
	double width, left;
	char text[64];

	draw_colour(plot->cr, plot->theme->dim);
	plot_vertical(plot, x, base, base + (named ? 6 : 3));
	if (!named)
		return;
	number_text(at / plot->chart->unit, step / plot->chart->unit, text);
	width = draw_text_width(plot->cr, text);
	left = x - width / 2;
	if (left < *last + 8)
		return;
	draw_colour(plot->cr, plot->theme->grid);
	plot_vertical(plot, x, plot->at.y, base);
	draw_colour(plot->cr, plot->theme->text);
	draw_text(plot->cr, floor(left), base + 18, text);
	*last = left + width;
}

static void x_steps(const struct plot *plot)
{
	const struct chart *chart = plot->chart;
	double from = chart->edges[0], to = chart->edges[chart->bins], last = -1e9;
	double step = plot_step(to - from, plot->at.columns / LABEL_EVERY + 1);

	double first = ceil(from / step - 1e-9);

	for (int i = 0; (first + i) * step <= to * (1 + 1e-12); i++)
		x_tick(plot, fmax((first + i) * step, from), step, true, &last);
}

/* Ticks at each digit of each decade; labels at 1 and, if there is room, at 2 and 5. */
static void x_decades(const struct plot *plot)
{
	const struct chart *chart = plot->chart;
	double from = chart->edges[0], to = chart->edges[chart->bins], last = -1e9;
	double decade = plot->at.columns / log10(to / from);

	for (double power = pow(10, floor(log10(from) + 1e-12)); power <= to; power *= 10)
		for (int digit = 1; digit < 10; digit++) {
			double at = power * digit;
			bool named = digit == 1 || (decade > 180 && (digit == 2 || digit == 5));

			if (at >= from * (1 - 1e-12) && at <= to * (1 + 1e-12))
				x_tick(plot, at, power, named, &last);
		}
}

static void draw_x_axis(const struct plot *plot)
{
	const struct chart *chart = plot->chart;

	draw_font(plot->cr, PLOT_FONT, false);
	if (chart->linear || chart->edges[chart->bins] / chart->edges[0] < 8)
		x_steps(plot);
	else
		x_decades(plot);
	draw_colour(plot->cr, plot->theme->dim);
	draw_text_right(plot->cr, plot->at.x + plot->at.columns,
			   plot->at.y + plot->at.rows + 36, chart->x_name);
}

static void y_tick(const struct plot *plot, double value, double step)
{
	int y = plot->at.y + plot->at.rows - plot_height(plot, value);
	char text[64];

	draw_colour(plot->cr, plot->theme->grid);
	plot_horizontal(plot, y);
	number_text(value, step, text);
	draw_colour(plot->cr, plot->theme->text);
	draw_text_right(plot->cr, plot->at.x - 8, y + 4, text);
}

static void draw_y_axis(const struct plot *plot)
{
	const struct chart *chart = plot->chart;

	draw_font(plot->cr, PLOT_FONT, false);
	if (chart->least > 0) {
		double decades = log10(plot->at.top / chart->least);
		int every = ceil(decades * 16 / plot->at.rows);
		int power = ceil(log10(chart->least) - 1e-9);

		for (; pow(10, power) <= plot->at.top * 1.001; power += every > 1 ? every : 1)
			y_tick(plot, pow(10, power), pow(10, power));
	} else {
		double step = plot_step(plot->at.top, 5);

		for (int i = 0; i * step <= plot->at.top * 1.001; i++)
			y_tick(plot, i * step, step);
	}
	draw_colour(plot->cr, plot->theme->dim);
	draw_text(plot->cr, 16, plot->head_y - 10, chart->y_name);
}

void plot_axes(const struct plot *plot)
{
	draw_y_axis(plot);
	draw_x_axis(plot);
}
