/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Powers of what begins on CPUs, by frequency.
 *
 * It looks for no peaks.
 */
#ifndef EVTLOG_JITTER_PLOT_PERIODOGRAM_H
#define EVTLOG_JITTER_PLOT_PERIODOGRAM_H

#include <complex.h>

#include "curves.h"

/* Steps of the grid in one period of the highest frequency */
#define STEPS_PER_PERIOD	8

/* Of half a circle, in @count steps */
struct turns {
	size_t count;
	double complex *at;
};

/* @at: seconds from the window's begin */
struct pulses {
	double *at;
	size_t count;
	double length;
};

/*
 * @steps: of a stretch, a power of two, of @step seconds each
 * @turns: of the transformation, for all curves of a picture
 * @power: of frequencies that are multiples of 1 / (@steps * @step)
 * @stretches: over which it is averaged
 * @pulses: of each thread
 * @longest: window, in seconds
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
 * The begins of interruptions (EVTLOG_JITTER_NONE), or of a source in them.  Return: 0 or
 * -ENOMEM; free pulses and power in any case.
 */
int periodogram_collect(const struct jitter_data *data, const struct jitter_choice *choice,
			uint32_t source, struct periodogram *spectrum);

/*
 * Their powers up to @to_hz.  Stretches of long runs overlap by half, or are spread over it,
 * if there are too many.  Return: 0 or -ENOMEM.
 */
int periodogram_make(struct periodogram *spectrum);

/*
 * What powers averaged over @stretches exceed with the chance @chance, where all is at
 * random: then their sum is distributed as Erlang has it.
 */
double periodogram_level(size_t stretches, double chance);

/* The power at one frequency, of all pulses themselves, without a grid */
double periodogram_at(const struct periodogram *spectrum, double hz);

#endif /* EVTLOG_JITTER_PLOT_PERIODOGRAM_H */
