// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws the legend of a picture: colours of tasks, states and kinds of events.
 *
 * It contains only what is visible on the picture.
 */
#include <stdio.h>

#include "layout.h"

#define LINE		18
#define TASK_LINES	3
#define EVENT_LINES	2
#define SWATCH		12
/* Headings of lines are in the gutter. */
#define FONT		11.5

enum swatch { PLAIN, BAND, TICK, HATCH };

/* Position of the next entry */
struct flow {
	const struct picture_canvas *canvas;
	cairo_t *cr;
	int x;
	int y;
	bool draw;
};

static int left(const struct flow *flow)
{
	return flow->canvas->plot_x;
}

static int right(const struct flow *flow)
{
	return flow->canvas->plot_x + flow->canvas->columns;
}

static void heading(struct flow *flow, const char *text)
{
	flow->x = left(flow);
	if (!flow->draw)
		return;
	draw_font(flow->cr, FONT, true);
	draw_colour(flow->cr, flow->canvas->theme->text);
	draw_text_right(flow->cr, left(flow) - 12, flow->y + 11, text);
}

static void draw_swatch(const struct flow *flow, enum swatch swatch, uint32_t colour)
{
	cairo_t *cr = flow->cr;
	int x = flow->x, y = flow->y + 1;

	draw_colour(cr, swatch == PLAIN ? colour : flow->canvas->ground->idle);
	cairo_rectangle(cr, x, y, SWATCH, SWATCH);
	cairo_fill(cr);
	draw_colour(cr, colour);
	if (swatch == BAND)
		cairo_rectangle(cr, x, y + SWATCH - 4, SWATCH, 4);
	else if (swatch == TICK)
		cairo_rectangle(cr, x + SWATCH / 2 - 1, y + 1, 2, SWATCH - 2);
	else if (swatch == HATCH)
		for (int i = 0; i < SWATCH; i++)
			for (int k = 0; k < SWATCH; k++)
				if ((x + i + y + k) % 8 < 4)
					cairo_rectangle(cr, x + i, y + k, 1, 1);
	cairo_fill(cr);
	/* An edge, because a colour may be like the page's. */
	draw_colour(cr, flow->canvas->theme->dim);
	cairo_set_line_width(cr, 1);
	cairo_rectangle(cr, x - 0.5, y - 0.5, SWATCH + 1, SWATCH + 1);
	cairo_stroke(cr);
}

/*
 * Adds an entry; false if it does not fit on this line or the next of @lines lines.
 * @reserve: width to keep free at the end of the last line
 */
static bool entry(struct flow *flow, enum swatch swatch, uint32_t colour,
		  const char *text, int reserve, unsigned int *lines)
{
	int width;

	draw_font(flow->cr, FONT, false);
	width = SWATCH + 6 + draw_text_width(flow->cr, text);
	if (flow->x > left(flow) &&
	    flow->x + width + (*lines == 1 ? reserve : 0) > right(flow)) {
		if (*lines == 1)
			return false;
		--*lines;
		flow->x = left(flow);
		flow->y += LINE;
	}
	if (flow->draw) {
		draw_swatch(flow, swatch, colour);
		draw_colour(flow->cr, flow->canvas->theme->text);
		draw_text_within(flow->cr, flow->x + SWATCH + 6, flow->y + 11,
				    right(flow) - flow->x - SWATCH - 6, text);
	}
	flow->x += width + 18;
	return true;
}

/* Writes the number of entries that do not fit. */
static void rest(struct flow *flow, size_t count)
{
	char text[48];

	if (count && flow->draw) {
		snprintf(text, sizeof(text), "and %zu more", count);
		draw_colour(flow->cr, flow->canvas->theme->dim);
		draw_text(flow->cr, flow->x, flow->y + 11, text);
	}
	flow->y += LINE;
}

/* Returns how many tasks fit. */
static size_t tasks(struct flow *flow)
{
	const struct picture_scene *scene = flow->canvas->scene;
	unsigned int lines = TASK_LINES;
	size_t i;

	if (!scene->task_count)
		return 0;
	heading(flow, "Tasks");
	for (i = 0; i < scene->task_count; i++) {
		const struct picture_task *task = &scene->tasks[i];

		if (!entry(flow, PLAIN, task->colour, task->name, 110, &lines))
			break;
	}
	rest(flow, scene->task_count - i);
	return i;
}

/* States and kinds that are visible on the picture */
struct seen {
	bool idle, not_tree, other, irq, softirq, lost, unknown, outside;
	unsigned int kinds;
};

static void look(const struct picture_canvas *canvas, struct seen *seen)
{
	for (size_t h = 0; h < canvas->scene->host_count; h++) {
		const struct picture_host *host = &canvas->scene->hosts[h];

		for (size_t l = 0; l < host->lane_count; l++)
			for (int i = 0; i < canvas->columns; i++) {
				const struct evtlog_bin *bin = &host->lanes[l].bins[i];

				if (bin->flags & EVTLOG_BIN_OUTSIDE)
					seen->outside = true;
				else if (bin->busy < 255 && bin->lost < 255)
					*(host->is_of_tree ? &seen->not_tree : &seen->idle) = true;
				seen->other |= bin->busy > bin->task_share + bin->softirq +
							   bin->irq + 2;
				seen->irq |= bin->irq;
				seen->softirq |= bin->softirq;
				seen->lost |= bin->lost;
				seen->unknown |= bin->task == EVTLOG_TASK_UNKNOWN &&
						 !bin->lost && !(bin->flags & EVTLOG_BIN_OUTSIDE);
				seen->kinds |= bin->kinds;
			}
	}
}

static void states(struct flow *flow, const struct seen *seen)
{
	const struct view_ground *ground = flow->canvas->ground;
	unsigned int lines = UINT32_MAX;

	if (!(seen->idle | seen->not_tree | seen->other | seen->softirq | seen->irq | seen->unknown |
	      seen->lost | seen->outside))
		return;
	heading(flow, "CPUs");
	if (seen->idle || seen->not_tree)
		entry(flow, PLAIN, ground->idle, !seen->not_tree ? "idle" :
		      !seen->idle ? "outside the tree" : "idle, or outside the tree", 0, &lines);
	if (seen->other)
		entry(flow, PLAIN, VIEW_OTHER, "several other tasks", 0, &lines);
	if (seen->softirq)
		entry(flow, BAND, VIEW_SOFTIRQ, "softirqs", 0, &lines);
	if (seen->irq)
		entry(flow, BAND, VIEW_IRQ, "interrupts", 0, &lines);
	if (seen->unknown)
		entry(flow, PLAIN, ground->unknown, "task unknown", 0, &lines);
	if (seen->lost)
		entry(flow, HATCH, VIEW_LOST, "lost events", 0, &lines);
	if (seen->outside)
		entry(flow, PLAIN, ground->outside, "not recorded", 0, &lines);
	flow->y += LINE;
}

static void kinds(struct flow *flow, const struct seen *seen)
{
	unsigned int lines = UINT32_MAX;

	if (!seen->kinds)
		return;
	heading(flow, "Events");
	for (int i = 0; i < EVTLOG_KINDS; i++)
		if (seen->kinds & 1u << i)
			entry(flow, TICK, picture_tick_colour(flow->canvas, i),
			      view_ticks[i].label, 0, &lines);
	flow->y += LINE;
}

static void events(struct flow *flow)
{
	const struct picture_scene *scene = flow->canvas->scene;
	unsigned int lines = EVENT_LINES;
	size_t i;

	if (!scene->event_count)
		return;
	heading(flow, "Own events");
	for (i = 0; i < scene->event_count; i++) {
		const struct picture_event *event = &scene->events[i];

		if (!entry(flow, TICK, event->colours[flow->canvas->opts->paper.light],
			   event->name, 110, &lines))
			break;
	}
	rest(flow, scene->event_count - i);
}

/* The entry for drops appears only if one is visible. */
static void packets(struct flow *flow)
{
	const struct picture_scene *scene = flow->canvas->scene;
	bool light = flow->canvas->opts->paper.light, drops = false;
	unsigned int lines = UINT32_MAX;

	if (!scene->point_count && !scene->cell_count)
		return;
	for (size_t i = 0; i < scene->point_count; i++)
		drops |= scene->points[i].is_drop && scene->points[i].column >= 0 &&
			 scene->points[i].column < scene->columns;
	for (size_t i = 0; i < scene->cell_count; i++)
		drops |= scene->cells[i].drops > 0;
	heading(flow, "Packets");
	entry(flow, PLAIN, light ? VIEW_PATH_LIGHT : VIEW_PATH,
	      scene->cell_count ? "at a station; the fainter, the fewer" : "from station to station",
	      0, &lines);
	if (drops)
		entry(flow, PLAIN, light ? VIEW_DROP_LIGHT : VIEW_DROP, VIEW_DROP_LABEL, 0, &lines);
	flow->y += LINE;
}

int picture_legend(const struct picture_canvas *canvas, int y, bool draw)
{
	struct flow flow = { .canvas = canvas, .cr = canvas->cr, .y = y, .draw = draw };
	struct seen seen = { 0 };

	look(canvas, &seen);
	tasks(&flow);
	states(&flow, &seen);
	kinds(&flow, &seen);
	events(&flow);
	packets(&flow);
	return flow.y - y;
}

void picture_legend_print(const void *drawing, FILE *out)
{
	const struct picture_canvas *canvas = drawing;
	struct flow flow = { .canvas = canvas, .cr = canvas->cr };
	size_t count = tasks(&flow);

	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s#%06x %s", i ? "\n" : "", canvas->scene->tasks[i].colour,
			canvas->scene->tasks[i].name);
}
