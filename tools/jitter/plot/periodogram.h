/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Power of the starts of interruptions and sources, by frequency.
 *
 * It does not search for peaks.
 */
#ifndef EVTLOG_JITTER_PLOT_PERIODOGRAM_H
#define EVTLOG_JITTER_PLOT_PERIODOGRAM_H

#include <complex.h>

#include "curves.h"

/* Steps of the grid in one period of the highest frequency. */
#define STEPS_PER_PERIOD	8

/* Roots of unity: half a circle in @count steps. */
struct turns {
	size_t count;
	double complex *at;
};

/* @at, @length: in seconds; @at is since the start of the window */
struct pulses {
	double *at;
	size_t count;
	double length;
};

/*
 * @steps: in a stretch, a power of two; each of @step seconds
 * @turns: roots of unity, shared by all curves of a picture
 * @power: at multiples of 1 / (@steps * @step) Hz
 * @stretches: number of stretches that are averaged
 * @pulses: of each thread
 * @longest: the longest window, in seconds
 */
struct periodogram {
	double from_hz;
	double to_hz;
	size_t steps;
	double step;
	struct turns *turns;
	double *power;
	size_t bins;
	size_t stretches;
	struct pulses *pulses;
	size_t pulses_count;
	size_t events;
	double longest;
	double level;
};

/*
 * Collects the starts of all interruptions (EVTLOG_JITTER_NONE), or of a source in them. Return:
 * 0 or -ENOMEM; the caller frees pulses and power in any case.
 */
int periodogram_collect(const struct jitter_data *data, const struct jitter_choice *choice,
			uint32_t source, struct periodogram *spectrum);

/*
 * Computes the powers up to @to_hz. Stretches of long runs overlap by half or, if they would be
 * too many, are spread over the run. Return: 0 or -ENOMEM.
 */
int periodogram_make(struct periodogram *spectrum);

/*
 * The power, averaged over @stretches, that random events exceed with probability @chance. The
 * sum of such powers has an Erlang distribution.
 */
double periodogram_level(size_t stretches, double chance);

/* The power of all pulses at one frequency, without a grid. */
double periodogram_at(const struct periodogram *spectrum, double hz);

#endif /* EVTLOG_JITTER_PLOT_PERIODOGRAM_H */
