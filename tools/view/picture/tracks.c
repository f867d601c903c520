// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes and draws the tracks of counters of a host and its CPUs, as view/page/draw/track.js does.
 * The mean or count has the full colour; the maximum, or migrations away from the CPU, is faint.
 * Hatching above means that some of it is unknown.  Time that is not recorded has its own colour.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "view/session/counters.h"

#define FAINT	0.4

/* ---- Finding ---- */

static void set_state(struct picture_column *column, unsigned int state)
{
	column->outside = state == COUNTERS_OUTSIDE;
	column->known = state == COUNTERS_LEAST || state == COUNTERS_KNOWN;
	column->unsure = state == COUNTERS_LEAST || state == COUNTERS_UNKNOWN;
}

static const enum counter counter_of[TRACK_KINDS] = {
	[TRACK_SWITCHES] = COUNTER_SWITCHES,
	[TRACK_MIGRATIONS] = COUNTER_MIGRATIONS_IN,
	[TRACK_FORKS] = COUNTER_FORKS,
	[TRACK_EXITS] = COUNTER_EXITS,
};

static bool is_recorded(enum track_kind kind, const struct counters_answer *answer)
{
	return kind == TRACK_RUNNABLE ? answer->runnable_recorded :
	       answer->recorded[counter_of[kind]];
}

static struct picture_column column_of(enum track_kind kind, const struct counter_bin *bin,
				       bool recorded)
{
	struct picture_column column = { 0 };
	unsigned int state = kind == TRACK_RUNNABLE || kind == TRACK_MIGRATIONS ? bin->state :
			     bin->counts_state;

	set_state(&column, recorded ? state : COUNTERS_OUTSIDE);
	if (kind == TRACK_RUNNABLE) {
		column.full = bin->mean;
		column.faint = bin->most;
		return column;
	}
	column.full = column.faint = bin->counts[counter_of[kind]];
	if (kind == TRACK_MIGRATIONS)
		column.faint += bin->counts[COUNTER_MIGRATIONS_OUT];
	return column;
}

static double greatest(const struct picture_column *columns, size_t count, double least)
{
	for (size_t i = 0; i < count; i++)
		if (columns[i].known && columns[i].faint > least)
			least = columns[i].faint;
	return least;
}

static int make_tracks(const struct picture_options *opts, const struct counter_bin *bins,
		       size_t bin_count, size_t columns, uint32_t cpus,
		       const struct counters_answer *answer, struct picture_tracks *tracks)
{
	tracks->at = calloc(TRACK_KINDS, sizeof(*tracks->at));
	if (!tracks->at)
		return -ENOMEM;
	for (unsigned int kind = 0; kind < TRACK_KINDS; kind++) {
		struct picture_track *track = &tracks->at[tracks->count];

		if (!(opts->tracks & 1u << kind))
			continue;
		track->columns = calloc(columns + 1, sizeof(*track->columns));
		if (!track->columns)
			return -ENOMEM;
		tracks->count++;
		track->name = track_names[kind];
		track->cpus = kind == TRACK_RUNNABLE ? cpus : 0;
		for (size_t i = 0; i < columns; i++)
			track->columns[i] = column_of(kind, &bins[i * bin_count / columns],
						      is_recorded(kind, answer));
		track->top = greatest(track->columns, columns, cpus && track->cpus ? cpus : 1);
	}
	return 0;
}

static int spread(const struct picture_options *opts, const struct counters_question *question,
		  const struct counters_answer *answer, size_t columns, struct picture_host *host)
{
	int error = 0;

	if (!opts->per_cpu)
		return make_tracks(opts, answer->bins, question->count, columns, host->lane_count,
				   answer, &host->tracks);
	for (size_t i = 0; i < host->lane_count && !error; i++)
		error = make_tracks(opts, answer->bins + (i + 1) * question->count,
				    question->count, columns, 1, answer,
				    &host->lanes[i].tracks);
	return error;
}

int picture_tracks_find(struct session *session, uint32_t number,
			const struct picture_options *opts, const int64_t *edges, size_t bins,
			size_t columns, struct picture_host *host)
{
	const struct session_host *of = &session->hosts[number];
	uint32_t *slots = calloc(host->lane_count + 1, sizeof(*slots));
	struct counters_question question = {
		.host = number, .count = bins, .slots = slots,
		.slot_count = opts->per_cpu ? host->lane_count : 0,
	};
	struct counters_answer answer = {
		.bins = calloc(bins * (question.slot_count + 1) + 1, sizeof(*answer.bins)),
	};
	int error = slots && answer.bins ? 0 : -ENOMEM;

	for (size_t i = 0; slots && i < host->lane_count; i++)
		slots[i] = session->lanes[of->first_lane + i].slot;
	if (!error)
		error = session_counters_between(session, &question, edges, &answer);
	if (!error)
		error = spread(opts, &question, &answer, columns, host);
	free(answer.bins);
	free(slots);
	return error == -EOPNOTSUPP ? 0 : error;
}

void picture_tracks_free(struct picture_tracks *tracks)
{
	for (size_t i = 0; i < tracks->count; i++)
		free(tracks->at[i].columns);
	free(tracks->at);
}

/* ---- Drawing ---- */

int picture_tracks_height(const struct picture_tracks *tracks)
{
	return tracks->count * (PICTURE_TRACK + PICTURE_TRACK_GAP);
}

static int high(double number, double top)
{
	int pixels = (int)(number / top * PICTURE_TRACK + 0.5);

	return number > 0 && !pixels ? 1 : pixels;
}

static void bar(cairo_t *cr, int x, int foot, int height)
{
	cairo_rectangle(cr, x, foot - height, 1, height);
	cairo_fill(cr);
}

/* Diagonal lines, as on lanes. */
static void hatch(cairo_t *cr, int x, int y, int foot)
{
	for (int i = y; i < foot; i++)
		if ((x + i) % 8 < 4)
			cairo_rectangle(cr, x, i, 1, 1);
	cairo_fill(cr);
}

static void draw_column(const struct picture_canvas *canvas, const struct picture_column *column,
			double top, int x, int y)
{
	uint32_t load = canvas->ground->load;
	int foot = y + PICTURE_TRACK, most = column->known ? high(column->faint, top) : 0;
	cairo_t *cr = canvas->cr;

	draw_colour(cr, column->outside ? canvas->ground->outside : canvas->ground->idle);
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
	bar(cr, x, foot, high(column->full, top));
}

static void draw_track(const struct picture_canvas *canvas, const struct picture_track *track,
		       int y)
{
	cairo_t *cr = canvas->cr;
	char scale[32];

	for (int i = 0; i < canvas->columns; i++)
		draw_column(canvas, &track->columns[i], track->top, canvas->plot_x + i, y);
	draw_colour(cr, canvas->theme->text);
	/* A line at the number of CPUs: tasks above it wait. */
	if (track->cpus) {
		cairo_rectangle(cr, canvas->plot_x,
				y + PICTURE_TRACK - high(track->cpus, track->top),
				canvas->columns, 1);
		cairo_fill(cr);
	}
	snprintf(scale, sizeof(scale), "0\u2013%.0f", track->top);
	draw_font(cr, 11, false);
	draw_text_right(cr, canvas->plot_x - 8, y + PICTURE_TRACK / 2 - 2, track->name);
	draw_text_right(cr, canvas->plot_x - 8, y + PICTURE_TRACK / 2 + 11, scale);
}

void picture_tracks_draw(const struct picture_canvas *canvas,
			 const struct picture_tracks *tracks, int y)
{
	for (size_t i = 0; i < tracks->count; i++)
		draw_track(canvas, &tracks->at[i], y + i * (PICTURE_TRACK + PICTURE_TRACK_GAP));
}

void picture_tracks_describe(const struct picture_tracks *tracks, size_t host, const char *cpu,
			     int y, FILE *out)
{
	for (size_t i = 0; i < tracks->count; i++)
		fprintf(out, "%zu %d %d %.0f %s %s\n", host,
			y + (int)i * (PICTURE_TRACK + PICTURE_TRACK_GAP), PICTURE_TRACK,
			tracks->at[i].top, tracks->at[i].name, cpu);
}
