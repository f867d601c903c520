// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws a chart of curves over bins: axes, steps, marks, legend.
 *
 * Stage: between the curves and a picture file.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "draw/canvas.h"
#include "draw/paper.h"

#define LEFT		76
#define RIGHT		24
#define TOP		74
/* Without title */
#define TOP_ALONE	28
#define AXIS_HEIGHT	46
#define LEGEND_LINE	18
#define CAPTION_LINE	16
#define LABEL_ROWS	5
#define LABEL_LINE	15
/* Pixels of height, above the minimum, per additional row of labels. */
#define LABEL_SHARE	64
#define HEIGHT_MIN_ALONE	200
/* Opacity of a bin that is not highlighted, and of a highlighted bin without a mark. */
#define FAINT		0.3
#define CLEAR		0.65
/* Largest distance in bins from a mark to its peak. */
#define PEAK_REACH	40

static const struct draw_theme light_theme = {
	.page = 0xffffff, .text = 0x16191d, .dim = 0x5c6670, .grid = 0xcfd4da,
};

unsigned int chart_columns(unsigned int width)
{
	return width - LEFT - RIGHT;
}

static void find_top(struct plot *plot)
{
	const struct chart *chart = plot->chart;
	double most = chart->level;

	for (size_t c = 0; c < chart->curve_count; c++)
		for (unsigned int i = 0; i < chart->bins; i++)
			most = fmax(most, chart->curves[c].values[i]);
	if (chart->least > 0) {
		most = fmax(most, chart->least * 2);
		plot->at.top = pow(10, ceil(log10(most * 1.25)));
	} else {
		plot->at.top = most > 0 ? ceil(most / plot_step(most, 5) + 1e-9) *
			       plot_step(most, 5) : 1;
	}
}

/* ---- Curves ---- */

/* @colour over the page's colour, with opacity @part. */
static uint32_t blended(const struct plot *plot, uint32_t colour, double part)
{
	uint32_t result = 0;

	for (int shift = 0; shift < 24; shift += 8) {
		double over = colour >> shift & 0xff, page = plot->theme->page >> shift & 0xff;

		result |= (uint32_t)lround(page + part * (over - page)) << shift;
	}
	return result;
}

static void draw_steps(const struct plot *plot, const struct chart_curve *curve)
{
	const struct chart *chart = plot->chart;
	int base = plot->at.y + plot->at.rows, before = base;

	draw_colour(plot->cr, curve->clear ? blended(plot, curve->colour, FAINT) :
		       curve->colour);
	for (unsigned int i = 0; i <= chart->bins; i++) {
		bool ends = i == chart->bins;
		int x = plot_x(plot, chart->edges[i]);
		int to_x = ends ? x : plot_x(plot, chart->edges[i + 1]);
		int y = ends ? base : base - plot_height(plot, curve->values[i]);

		if (curve->filled)
			cairo_rectangle(plot->cr, x, y, to_x - x, base - y);
		else if (y < base)
			cairo_rectangle(plot->cr, x, y, to_x - x, 2);
		/* The vertical line from the previous bin. */
		if (!curve->filled && before != y)
			cairo_rectangle(plot->cr, x - (y > before), fmin(before, y), 1,
					abs(y - before));
		before = y;
	}
	cairo_fill(plot->cr);
}

/* ---- Highlighted bins and labels ---- */

/* The bin of a mark's peak: at the mark or, as the curve consists of bins, near it. */
static unsigned int bin_of(const struct chart *chart, const struct chart_mark *mark)
{
	const struct chart_curve *curve = &chart->curves[mark->curve];
	unsigned int low = 0, high = chart->bins, best;

	while (high - low > 1) {
		unsigned int middle = (low + high) / 2;

		if (mark->at < chart->edges[middle])
			high = middle;
		else
			low = middle;
	}
	best = low;
	for (unsigned int away = 0; away <= PEAK_REACH; away++) {
		if (low >= away && curve->clear[low - away] &&
		    (!curve->clear[best] || curve->values[low - away] > curve->values[best]))
			best = low - away;
		if (low + away < chart->bins && curve->clear[low + away] &&
		    (!curve->clear[best] || curve->values[low + away] > curve->values[best]))
			best = low + away;
		if (away && curve->clear[best])
			break;
	}
	return best;
}

static double highest(const struct chart *chart, unsigned int bin)
{
	double most = 0;

	for (size_t c = 0; c < chart->curve_count; c++)
		most = fmax(most, chart->curves[c].values[bin]);
	return most;
}

/* Draws a bar from the level up. @named: the bin has a mark. */
static void draw_bar(const struct plot *plot, size_t curve, unsigned int bin, bool named)
{
	const struct chart *chart = plot->chart;
	int x = plot_x(plot, chart->edges[bin]), to_x = plot_x(plot, chart->edges[bin + 1]);
	int height = plot_height(plot, chart->curves[curve].values[bin]);
	int down = height - plot_height(plot, chart->level);

	draw_colour(plot->cr, blended(plot, chart->curves[curve].colour, named ? 1 : CLEAR));
	cairo_rectangle(plot->cr, x, plot->at.y + plot->at.rows - height, to_x > x ? to_x - x : 1,
			down > 2 ? down : 2);
	cairo_fill(plot->cr);
}

static bool has_bar(const struct chart *chart, size_t curve, unsigned int bin)
{
	return chart->curves[curve].clear && chart->curves[curve].clear[bin];
}

/* Filled curves are in the background. Lower bars are in front of higher ones. */
static void draw_bin(const struct plot *plot, unsigned int bin, const bool *named)
{
	const struct chart *chart = plot->chart;
	double below = INFINITY, value;

	for (size_t c = 0; c < chart->curve_count; c++)
		if (chart->curves[c].filled && has_bar(chart, c, bin))
			draw_bar(plot, c, bin, false);
	do {
		value = 0;
		for (size_t c = 0; c < chart->curve_count; c++)
			if (!chart->curves[c].filled && has_bar(chart, c, bin) &&
			    chart->curves[c].values[bin] < below)
				value = fmax(value, chart->curves[c].values[bin]);
		for (size_t c = 0; c < chart->curve_count && value > 0; c++)
			if (!chart->curves[c].filled && has_bar(chart, c, bin) &&
			    chart->curves[c].values[bin] == value)
				draw_bar(plot, c, bin, named[c * chart->bins + bin]);
		below = value;
	} while (value > 0);
}

static int draw_clear(const struct plot *plot)
{
	const struct chart *chart = plot->chart;
	bool *named = calloc(chart->curve_count * chart->bins + 1, sizeof(*named));

	if (!named)
		return -ENOMEM;
	for (size_t i = 0; i < chart->mark_count; i++)
		named[chart->marks[i].curve * chart->bins + bin_of(chart, &chart->marks[i])] = true;
	for (unsigned int bin = 0; bin < chart->bins; bin++)
		draw_bin(plot, bin, named);
	free(named);
	return 0;
}

/* Places as many labels as fit above the plot. */
static int place_labels(struct plot *plot)
{
	const struct chart *chart = plot->chart;
	int least = chart->title ? (int)CHART_HEIGHT_MIN : HEIGHT_MIN_ALONE;
	int most = plot->height < least ? 0 : 1 + (plot->height - least) / LABEL_SHARE;
	int *x = calloc(chart->mark_count + 1, sizeof(*x));
	double *widths = calloc(chart->mark_count + 1, sizeof(*widths));

	plot->labels = calloc(chart->mark_count + 1, sizeof(*plot->labels));
	draw_font(plot->cr, PLOT_FONT, false);
	for (size_t i = 0; x && widths && i < chart->mark_count; i++) {
		x[i] = plot_x(plot, chart->edges[bin_of(chart, &chart->marks[i])]);
		widths[i] = draw_text_width(plot->cr, chart->marks[i].name);
	}
	if (x && widths && plot->labels)
		plot->label_count = chart_labels_place(x, widths, chart->mark_count, plot->at.x,
						       plot->at.x + plot->at.columns,
						       most < LABEL_ROWS ? most : LABEL_ROWS,
						       plot->labels);
	free(x);
	free(widths);
	return plot->labels && x && widths ? 0 : -ENOMEM;
}

static int label_rows(const struct plot *plot)
{
	unsigned int rows = 0;

	for (size_t i = 0; i < plot->label_count; i++)
		if (plot->labels[i].row >= rows)
			rows = plot->labels[i].row + 1;
	return rows;
}

static void draw_labels(const struct plot *plot)
{
	const struct chart *chart = plot->chart;

	draw_font(plot->cr, PLOT_FONT, false);
	for (size_t i = 0; i < plot->label_count; i++) {
		const struct chart_label *label = &plot->labels[i];
		const struct chart_mark *mark = &chart->marks[label->mark];
		int base = plot->at.y - 8 - (int)label->row * LABEL_LINE;

		draw_colour(plot->cr, plot->theme->dim);
		plot_vertical(plot, label->x, base - 9, plot->at.y + plot->at.rows -
			      plot_height(plot, highest(chart, bin_of(chart, mark))) - 1);
		draw_colour(plot->cr, plot->theme->text);
		draw_text(plot->cr, label->left, base, mark->name);
	}
}

/* ---- The picture ---- */

static int draw_legend(const struct plot *plot, int y, bool draw)
{
	const struct chart *chart = plot->chart;
	double x = plot->at.x;
	int lines = 1;

	draw_font(plot->cr, PLOT_FONT, false);
	for (size_t i = 0; i < chart->curve_count; i++) {
		char text[512];
		double width;

		snprintf(text, sizeof(text), "%s: %s", chart->curves[i].name, chart->curves[i].about);
		width = 18 + draw_text_width(plot->cr, text);
		if (x > plot->at.x && x + width > plot->at.x + plot->at.columns) {
			x = plot->at.x;
			lines++;
		}
		if (draw) {
			int base = y + (lines - 1) * LEGEND_LINE;

			draw_colour(plot->cr, chart->curves[i].colour);
			cairo_rectangle(plot->cr, floor(x), base + 3, 10,
					chart->curves[i].filled ? 10 : 3);
			cairo_fill(plot->cr);
			draw_colour(plot->cr, plot->theme->text);
			draw_text_within(plot->cr, floor(x) + 15, base + 12,
					 plot->at.columns - 15, text);
		}
		x += width + 16;
	}
	return lines * LEGEND_LINE;
}

/* Draws the caption, or only measures it.  Returns the height. */
static int draw_caption(const struct plot *plot, int y, bool draw)
{
	draw_font(plot->cr, PLOT_FONT, false);
	draw_colour(plot->cr, plot->theme->dim);
	return CAPTION_LINE * draw_text_lines(plot->cr, plot->at.x, y, plot->at.columns,
					      CAPTION_LINE, plot->chart->caption, draw);
}

static void draw_words(const struct plot *plot)
{
	const struct chart *chart = plot->chart;

	draw_font(plot->cr, 17, true);
	draw_colour(plot->cr, plot->theme->text);
	draw_text_within(plot->cr, 16, 28, plot->width - 32, chart->title);
	draw_font(plot->cr, 12, false);
	draw_colour(plot->cr, plot->theme->dim);
	draw_text_within(plot->cr, 16, 46, plot->width - 32, chart->subtitle);
}

static int draw_curves(const struct plot *plot)
{
	const struct chart *chart = plot->chart;
	int error;

	for (size_t i = 0; i < chart->curve_count; i++)
		draw_steps(plot, &chart->curves[i]);
	if (chart->level > 0) {
		draw_colour(plot->cr, plot->theme->dim);
		plot_horizontal(plot, plot->at.y + plot->at.rows - plot_height(plot, chart->level));
	}
	error = draw_clear(plot);
	draw_labels(plot);
	draw_colour(plot->cr, plot->theme->dim);
	plot_horizontal(plot, plot->at.y + plot->at.rows);
	return error;
}

static int draw_all(struct plot *plot)
{
	const struct chart *chart = plot->chart;
	int below = 0, legend = 0, y, error = place_labels(plot);

	if (error)
		return error;
	if (chart->title) {
		legend = draw_legend(plot, 0, false);
		below = legend + draw_caption(plot, 0, false);
	}
	plot->head_y = chart->title ? TOP : TOP_ALONE;
	plot->at.y = plot->head_y + label_rows(plot) * LABEL_LINE;
	plot->at.rows = plot->height - plot->at.y - AXIS_HEIGHT - below - 14;
	if (plot->at.rows < 60)
		plot->at.rows = 60;
	find_top(plot);
	draw_colour(plot->cr, plot->theme->page);
	cairo_paint(plot->cr);
	plot_axes(plot);
	error = draw_curves(plot);
	if (!chart->title)
		return error;
	draw_words(plot);
	y = plot->at.y + plot->at.rows + AXIS_HEIGHT;
	draw_legend(plot, y, true);
	draw_caption(plot, y + legend + 12, true);
	return error;
}

/* ---- Texts for programs that read the PNG ---- */

static void print_place(const void *drawing, FILE *out)
{
	const struct plot *plot = drawing;
	const struct chart_place *at = &plot->at;

	fprintf(out, "%d %d %d %d %.17g %.17g", at->x, at->y, at->columns, at->rows,
		plot->chart->least, at->top);
}

/* The pixels and the edges of each bin. */
static void print_bins(const void *drawing, FILE *out)
{
	const struct plot *plot = drawing;
	const struct chart *chart = plot->chart;

	for (unsigned int i = 0; i < chart->bins; i++)
		fprintf(out, "%d %d %.3f %.3f\n", plot_x(plot, chart->edges[i]),
			plot_x(plot, chart->edges[i + 1]), chart->edges[i],
			chart->edges[i + 1]);
}

/* All marks, including those without a label. */
static void print_marks(const void *drawing, FILE *out)
{
	const struct chart *chart = ((const struct plot *)drawing)->chart;

	for (size_t i = 0; i < chart->mark_count; i++)
		fprintf(out, "%.6f %s\n", chart->marks[i].at, chart->marks[i].name);
}

/* The placed labels: row, position of the line, ends of the text, and number of the mark. */
static void print_labels(const void *drawing, FILE *out)
{
	const struct plot *plot = drawing;

	for (size_t i = 0; i < plot->label_count; i++) {
		const struct chart_label *label = &plot->labels[i];

		fprintf(out, "%u %d %.1f %.1f %zu\n", label->row, label->x, label->left,
			label->right, label->mark);
	}
}

static int write_chart(const struct plot *plot, cairo_surface_t *surface, FILE *out)
{
	const struct png_text texts[] = {
		{ "Title", .value = plot->chart->title },
		{ "Software", .value = "evtlog " EVTLOG_VERSION },
		{ "evtlog chart", .print = print_place },
		{ "evtlog bins", .print = print_bins },
		{ "evtlog marks", .print = print_marks },
		{ "evtlog labels", .print = print_labels },
		{ }
	};

	return png_write(surface, texts, plot, out);
}

int chart_draw(const struct chart *chart, const struct draw_paper *paper, FILE *out,
	       struct chart_place *place)
{
	unsigned int width = paper->width, height = paper->height;
	cairo_surface_t *surface = draw_surface(paper->format, width, height, chart->title, out);
	struct plot plot = {
		.cr = cairo_create(surface),
		.chart = chart,
		.theme = paper->light ? &light_theme : &draw_dark,
		.width = width,
		.height = height,
		.at = { .x = LEFT, .columns = chart_columns(width) },
	};
	int error = cairo_status(plot.cr) == CAIRO_STATUS_SUCCESS ? 0 : -ENOMEM;

	if (!error) {
		error = draw_all(&plot);
		if (cairo_status(plot.cr) != CAIRO_STATUS_SUCCESS)
			error = -ENOMEM;
	}
	/* Only a PNG can contain the texts for programs. */
	if (!error)
		error = paper->format == DRAW_PNG ? write_chart(&plot, surface, out) :
			draw_surface_finish(surface);
	if (place)
		*place = plot.at;
	free(plot.labels);
	cairo_destroy(plot.cr);
	cairo_surface_destroy(surface);
	return error;
}
