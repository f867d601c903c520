// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The spectrum of interruptions: how regular they are, and the frequencies of each source.
 *
 * A frequency counts as a peak if a sum over the pulses, without a grid, confirms it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "periodogram.h"

#define DEFAULT_TO_HZ	1250.0
#define LARGEST_HZ	1e5
/* Bins around a peak whose median is the usual power there. */
#define NEIGHBOURS	256
#define CHANCE		1e-3
/* Half width of a peak: bins for Hann's window, and a share for sources with unsteady periods. */
#define PEAK_BINS	4
#define PEAK_PART	0.002
/* Peaks kept per source, the highest: a source with two periods also has all their sums. */
#define PEAKS_OF_SOURCE	7

/* ---- Peaks ---- */

/* The usual power around a bin. The median of random powers is ln 2. */
static double around(const struct periodogram *spectrum, size_t bin)
{
	double near[NEIGHBOURS];
	size_t from = bin > NEIGHBOURS / 2 ? bin - NEIGHBOURS / 2 : 1, count = 0;

	for (; count < NEIGHBOURS && from + count < spectrum->bins; count++)
		near[count] = spectrum->power[from + count];
	if (!count)
		return 1;
	qsort(near, count, sizeof(*near), array_by_double);
	return fmax(near[count / 2] / M_LN2, 1);
}

static bool is_clear(const struct periodogram *spectrum, size_t bin)
{
	return spectrum->power[bin] >= spectrum->level &&
	       spectrum->power[bin] >= spectrum->level * around(spectrum, bin);
}

/* Returns true if the bin is the greatest within the width of a peak. */
static bool is_top(const struct periodogram *spectrum, size_t bin)
{
	size_t reach = PEAK_BINS + bin * PEAK_PART;
	size_t from = bin > reach ? bin - reach : 1, to = bin + reach;

	for (size_t i = from; i <= to && i < spectrum->bins; i++)
		if (spectrum->power[i] > spectrum->power[bin] ||
		    (spectrum->power[i] == spectrum->power[bin] && i < bin))
			return false;
	return true;
}

/* The peak's position between three bins, by a parabola through their logarithms. */
static double between(const struct periodogram *spectrum, size_t bin)
{
	double a, b, c, bend;

	if (bin + 1 >= spectrum->bins)
		return bin;
	a = log(spectrum->power[bin - 1] + 1e-12);
	b = log(spectrum->power[bin] + 1e-12);
	c = log(spectrum->power[bin + 1] + 1e-12);
	bend = a - 2 * b + c;
	return bend < 0 ? bin + 0.5 * (a - c) / bend : bin;
}

/* ---- Peaks of a source ---- */

/* @times: the multiple that gives the base most precisely */
struct base {
	struct jitter_peak *peak;
	unsigned int times;
};

static bool is_multiple(double hz, const struct base *base, double resolution,
			unsigned int *times)
{
	double ratio = hz / base->peak->hz;

	/* The error of the base is a part of the resolution, divided by the multiple used. */
	*times = ratio + 0.5;
	return *times >= 2 && fabs(hz - *times * base->peak->hz) <=
	       resolution * (0.5 + 0.05 * *times / base->times);
}

/* The power of events that are all on a grid, with Hann's window, equal in each stretch. */
static double highest_power(const struct periodogram *spectrum)
{
	return 2.0 / 3 * spectrum->events / spectrum->stretches;
}

/*
 * Adds a peak, unless it is a multiple of an earlier peak, or the sum over the pulses shows that
 * it is an alias of a frequency above the limit of the grid.
 */
static void take_peak(const struct periodogram *spectrum, double hz, double power,
		      uint32_t source, struct base *bases, size_t *base_count,
		      struct jitter_spectrum *result)
{
	struct jitter_peak *peak = &result->peaks[result->peak_count];

	for (size_t i = 0; i < *base_count; i++) {
		unsigned int times;

		if (!is_multiple(hz, &bases[i], result->resolution_hz, &times))
			continue;
		bases[i].peak->multiples++;
		if (times > bases[i].times && times < 3 * bases[i].times + 3) {
			bases[i].peak->hz = hz / times;
			bases[i].times = times;
		}
		return;
	}
	if (spectrum->longest < spectrum->steps * spectrum->step)
		power = periodogram_at(spectrum, hz);
	if (power < spectrum->level || result->peak_count == JITTER_PEAKS_MAX)
		return;
	*peak = (struct jitter_peak) {
		.hz = hz,
		.power = power,
		.regularity = fmin(power / highest_power(spectrum), 1),
		.source = source,
	};
	bases[(*base_count)++] = (struct base) { peak, 1 };
	result->peak_count++;
}

static int compare_power(const void *a, const void *b)
{
	double x = ((const struct jitter_peak *)a)->power;
	double y = ((const struct jitter_peak *)b)->power;

	return (x < y) - (x > y);
}

/* Keeps the highest peaks of a source, to leave room for other sources. */
static void find_peaks(const struct periodogram *spectrum, uint32_t source,
		       struct jitter_spectrum *result)
{
	double grid = spectrum->steps * spectrum->step;
	struct base bases[JITTER_PEAKS_MAX];
	size_t base_count = 0, first = result->peak_count;

	for (size_t i = 2; i + 1 < spectrum->bins; i++) {
		double hz = i / grid;

		if (hz < spectrum->from_hz || hz >= spectrum->to_hz ||
		    spectrum->power[i] < spectrum->level || !is_top(spectrum, i) ||
		    !is_clear(spectrum, i))
			continue;
		take_peak(spectrum, between(spectrum, i) / grid, spectrum->power[i], source,
			  bases, &base_count, result);
	}
	qsort(&result->peaks[first], result->peak_count - first, sizeof(*result->peaks),
	      compare_power);
	if (result->peak_count > first + PEAKS_OF_SOURCE)
		result->peak_count = first + PEAKS_OF_SOURCE;
}

static int compare_hz(const void *a, const void *b)
{
	double x = ((const struct jitter_peak *)a)->hz, y = ((const struct jitter_peak *)b)->hz;

	return (x > y) - (x < y);
}

/* ---- Curves ---- */

static void show_power(const struct periodogram *spectrum, const struct jitter_spectrum *result,
		       struct jitter_power *curve)
{
	double grid = spectrum->steps * spectrum->step;

	for (unsigned int i = 0; i < result->bins; i++) {
		double low = result->edges[i] * grid, high = result->edges[i + 1] * grid;
		size_t first = ceil(low), last = ceil(high), top = 0;

		bool between = first < last;

		/* No frequency in the bin: use the nearest, highlighted only in its own. */
		if (!between) {
			first = round((low + high) / 2);
			last = first + 1;
		}
		curve->values[i] = 0;
		for (size_t bin = first; bin < last && bin < spectrum->bins; bin++)
			if (spectrum->power[bin] > curve->values[i]) {
				curve->values[i] = spectrum->power[bin];
				top = bin;
			}
		curve->clear[i] = between && top && is_clear(spectrum, top);
	}
}

/* The axis starts at two periods per longest window, unless the user selects a start. */
static void set_axis(const struct jitter_choice *choice, const struct periodogram *spectrum,
		     struct jitter_spectrum *result)
{
	struct jitter_choice axis = *choice;

	axis.from = spectrum->from_hz;
	axis.to = spectrum->to_hz;
	result->bins = jitter_edges(&axis, axis.from, axis.to, result->edges);
	/* Hann's window separates frequencies that are two of its bins apart. */
	if (spectrum->longest > 0)
		result->resolution_hz = 2 / fmin(spectrum->longest,
						 spectrum->steps * spectrum->step);
}

static int add_curve(const struct jitter_data *data, const struct jitter_choice *choice,
		     uint32_t source, struct turns *turns, struct jitter_spectrum *result)
{
	struct jitter_power *curve = &result->curves[result->count];
	struct periodogram spectrum = {
		.turns = turns,
		.to_hz = fmin(choice->to > 0 ? choice->to : DEFAULT_TO_HZ, LARGEST_HZ),
	};
	int error = periodogram_collect(data, choice, source, &spectrum);
	bool wanted = true;

	if (!error) {
		spectrum.from_hz = choice->from > 0 ? choice->from :
				   spectrum.longest > 0 ? 2 / spectrum.longest : 1;
		if (spectrum.from_hz >= spectrum.to_hz)
			spectrum.from_hz = spectrum.to_hz / 10;
		error = periodogram_make(&spectrum);
	}
	if (!error) {
		spectrum.level = periodogram_level(spectrum.stretches ? spectrum.stretches : 1,
					  CHANCE / spectrum.bins / JITTER_CURVES_MAX);
		/* Even if they are regular, too few events cannot exceed the level. */
		wanted = source == EVTLOG_JITTER_NONE ||
			 (spectrum.stretches && highest_power(&spectrum) > spectrum.level);
	}
	if (!error && wanted) {
		if (!result->count)
			set_axis(choice, &spectrum, result);
		curve->source = source;
		curve->events = spectrum.events;
		curve->level = spectrum.level;
		show_power(&spectrum, result, curve);
		if (source != EVTLOG_JITTER_NONE)
			find_peaks(&spectrum, source, result);
		result->count++;
	}
	for (size_t i = 0; i < spectrum.pulses_count; i++)
		free(spectrum.pulses[i].at);
	free(spectrum.pulses);
	free(spectrum.power);
	return error;
}

/* Kernel entry and exit are in all interruptions, and inferred sources have no times. */
static bool is_cause(const struct evtlog_jitter_source *source)
{
	return !source->inferred && source->kind != EVTLOG_SOURCE_ENTRY &&
	       source->kind != EVTLOG_SOURCE_IDLE;
}

int jitter_spectrum(const struct jitter_data *data, const struct jitter_choice *choice,
		    struct jitter_spectrum *result)
{
	struct turns turns = { 0 };
	int error;

	memset(result, 0, sizeof(*result));
	error = add_curve(data, choice, EVTLOG_JITTER_NONE, &turns, result);
	for (uint32_t s = 0; !error && s < data->source_count &&
	     result->count < JITTER_CURVES_MAX; s++)
		if ((!choice->sources || choice->sources[s]) && is_cause(&data->sources[s]))
			error = add_curve(data, choice, s, &turns, result);
	free(turns.at);
	qsort(result->peaks, result->peak_count, sizeof(*result->peaks), compare_hz);
	return error;
}
