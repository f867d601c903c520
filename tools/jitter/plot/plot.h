/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures of interruptions: their curves and texts.
 *
 * Stage: between the curves and the chart.
 */
#ifndef EVTLOG_JITTER_PLOT_PLOT_H
#define EVTLOG_JITTER_PLOT_PLOT_H

#include <stdio.h>

#include "chart.h"
#include "curves.h"

enum jitter_view {
	JITTER_HISTOGRAM,
	JITTER_DENSITY,
	JITTER_SPECTRUM,
	JITTER_VIEWS
};

/* The last entry is NULL. */
extern const char *const jitter_view_names[JITTER_VIEWS + 1];

/*
 * @choice: @points is ignored: it follows from the size of @paper
 * @paper: its title is UTF-8 without control characters, as is @subtitle; NULL: only the plot
 */
struct jitter_show {
	enum jitter_view view;
	struct jitter_choice choice;
	struct draw_paper paper;
	const char *subtitle;
};

/*
 * struct jitter_plot - the chart of a view, with the memory of its numbers and names
 * @spectrum: NULL for the other views
 */
struct jitter_plot {
	struct chart chart;
	struct chart_curve curves[JITTER_CURVES_MAX];
	struct chart_mark marks[JITTER_PEAKS_MAX];
	const struct jitter_spectrum *spectrum;
	void *numbers;
};

/* Makes the chart for pictures and for the page; jitter_plot_free() it. Return: 0 or -ENOMEM. */
int jitter_plot_make(struct jitter_plot *plot, const struct jitter_data *data,
		     const struct jitter_show *show);
void jitter_plot_free(struct jitter_plot *plot);

/* Writes a picture. Return: 0; -ENOMEM; -errno of writing. */
int jitter_show(const struct jitter_data *data, const struct jitter_show *show, FILE *out);

void jitter_data_of(struct jitter_data *data, const struct evtlog_jitter *jitter);

#endif /* EVTLOG_JITTER_PLOT_PLOT_H */
