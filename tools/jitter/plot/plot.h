/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures of interruptions: their curves and texts.
 *
 * Stage: between the curves and the chart.
 */
#ifndef EVTLOG_JITTER_PLOT_PLOT_H
#define EVTLOG_JITTER_PLOT_PLOT_H

#include <stdio.h>

#include "curves.h"
#include "draw/paper.h"

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
 * @paper: its title is UTF-8 without control characters, as is @subtitle
 */
struct jitter_show {
	enum jitter_view view;
	struct jitter_choice choice;
	struct draw_paper paper;
	const char *subtitle;
};

/* Writes a picture. Return: 0; -ENOMEM; -errno of writing. */
int jitter_show(const struct jitter_data *data, const struct jitter_show *show, FILE *out);

void jitter_data_of(struct jitter_data *data, const struct evtlog_jitter *jitter);

#endif /* EVTLOG_JITTER_PLOT_PLOT_H */
