// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Power of the starts of interruptions and sources, by frequency.
 *
 * Each start is a pulse; its length does not matter. Pulses are weighted by Hann windows. Powers
 * are averaged over CPUs and, for long runs, over stretches. Random pulses have the mean power 1.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "periodogram.h"

/* Steps that are transformed for a picture: some seconds of work for any length of the run. */
#define STEPS_IN_ALL	((size_t)1 << 26)
#define STEPS_MAX	((size_t)1 << 20)
#define STEPS_MIN	((size_t)1 << 10)

/* ---- Pulses ---- */

static double seconds_of(const struct jitter_data *data, uint64_t begin, uint64_t ticks)
{
	return (double)(ticks - begin) * data->ns_per_tick / 1e9;
}

/* Returns true if the part starts an activation of the source. */
static bool begins(const struct jitter_data *data, const struct evtlog_jitter_part *part,
		   uint32_t source)
{
	return part->source == source &&
	       (part->activation || data->sources[source].kind != EVTLOG_SOURCE_TASK);
}

/*
 * Stores the starts of a source, or of the interruption, in @at if not NULL. Returns their
 * number.
 */
static size_t collect_begins(const struct jitter_data *data,
			     const struct evtlog_jitter_thread *thread,
			     const struct evtlog_interruption *one, uint32_t source, double *at)
{
	size_t count = 0;

	if (one->leave_ticks < thread->begin_ticks)
		return 0;
	if (source == EVTLOG_JITTER_NONE) {
		if (at)
			*at = seconds_of(data, thread->begin_ticks, one->leave_ticks);
		return 1;
	}
	for (uint32_t i = 0; i < one->parts; i++) {
		const struct evtlog_jitter_part *part = &data->parts[one->first_part + i];

		if (!begins(data, part, source))
			continue;
		if (at)
			at[count] = seconds_of(data, thread->begin_ticks, part->begin_ticks);
		count++;
	}
	return count;
}

static int collect_thread(const struct jitter_data *data, const struct jitter_choice *choice,
			  uint32_t number, uint32_t source, struct pulses *pulses)
{
	const struct evtlog_jitter_thread *thread = &data->threads[number];
	const struct evtlog_interruption *first =
		data->interruptions + thread->first_interruption;
	size_t capacity = 0;

	pulses->length = seconds_of(data, thread->begin_ticks, thread->end_ticks);
	for (uint32_t i = 0; i < thread->interruptions; i++)
		capacity += collect_begins(data, thread, &first[i], source, NULL);
	pulses->at = reallocarray(NULL, capacity + 1, sizeof(*pulses->at));
	if (!pulses->at)
		return -ENOMEM;
	for (uint32_t i = 0; i < thread->interruptions; i++)
		if (jitter_chosen(data, choice, &first[i]))
			pulses->count += collect_begins(data, thread, &first[i], source,
							pulses->at + pulses->count);
	return 0;
}

int periodogram_collect(const struct jitter_data *data, const struct jitter_choice *choice,
			uint32_t source, struct periodogram *spectrum)
{
	spectrum->pulses = calloc(data->thread_count + 1, sizeof(*spectrum->pulses));
	if (!spectrum->pulses)
		return -ENOMEM;
	for (uint32_t i = 0; i < data->thread_count; i++) {
		struct pulses *pulses = &spectrum->pulses[spectrum->pulses_count];
		int error;

		if (choice->threads && !choice->threads[i])
			continue;
		spectrum->pulses_count++;
		error = collect_thread(data, choice, i, source, pulses);
		if (error)
			return error;
		spectrum->events += pulses->count;
		spectrum->longest = fmax(spectrum->longest, pulses->length);
	}
	return 0;
}

/* ---- Powers on a grid ---- */

/* Written out: a complex product would be a function call, because of infinities. */
static void turn_pairs(double complex *even, double complex *odd, size_t count,
		       const double complex *turns, size_t every)
{
	for (size_t k = 0; k < count; k++) {
		double re = creal(turns[k * every]), im = cimag(turns[k * every]);
		double x = creal(odd[k]), y = cimag(odd[k]);
		double complex turned = CMPLX(x * re - y * im, x * im + y * re);

		odd[k] = even[k] - turned;
		even[k] += turned;
	}
}

static int make_turns(struct turns *turns, size_t count)
{
	if (turns->at)
		return 0;
	turns->at = reallocarray(NULL, count, sizeof(*turns->at));
	if (!turns->at)
		return -ENOMEM;
	turns->count = count;
	for (size_t i = 0; i < count; i++)
		turns->at[i] = cexp(-I * M_PI * (double)i / (double)count);
	return 0;
}

/* Fourier transform in place; @count is a power of two. */
static void transform(double complex *values, size_t count, const struct turns *turns)
{
	for (size_t i = 1, j = 0; i < count; i++) {
		size_t bit = count >> 1;

		for (; j & bit; bit >>= 1)
			j ^= bit;
		j ^= bit;
		if (i < j) {
			double complex kept = values[i];

			values[i] = values[j];
			values[j] = kept;
		}
	}
	for (size_t half = 1; half < count; half *= 2) {
		size_t every = turns->count / half;

		for (size_t i = 0; i < count; i += 2 * half)
			turn_pairs(values + i, values + i + half, half, turns->at, every);
	}
}

static double hann(double part)
{
	return part > 0 && part < 1 ? 0.5 - 0.5 * cos(2 * M_PI * part) : 0;
}

/*
 * Puts the pulses of [@from, @from + @length), weighted by the window, into @values; each is
 * split between the two nearest steps. Returns the sum of the squared weights.
 */
static double place_pulses(const struct pulses *pulses, double from, double length,
			   double step, double complex *values, size_t steps)
{
	double squares = 0, weights = 0, windows = 0;
	size_t covered = ceil(length / step);

	memset(values, 0, steps * sizeof(*values));
	for (size_t i = 0; i < pulses->count; i++) {
		double at = pulses->at[i] - from, weight = hann(at / length), place;
		size_t low;

		if (!(weight > 0))
			continue;
		place = at / step;
		low = place;
		values[low % steps] += weight * (1 - (place - low));
		values[(low + 1) % steps] += weight * (place - low);
		squares += weight * weight;
		weights += weight;
	}
	/* Subtract the mean rate, which would show at the lowest frequencies. */
	for (size_t i = 0; i < covered && i < steps; i++)
		windows += hann(i * step / length);
	for (size_t i = 0; windows > 0 && i < covered && i < steps; i++)
		values[i] -= weights / windows * hann(i * step / length);
	return squares;
}

/* Undoes the damping of high frequencies by the split between two steps. */
static double undamped(double power, double hz, double step)
{
	double x = M_PI * hz * step, sinc = x > 0 ? sin(x) / x : 1;

	return power / (sinc * sinc * sinc * sinc);
}

static void add_stretch(struct periodogram *spectrum, const struct pulses *pulses, double from,
			double length, double complex *values)
{
	double squares = place_pulses(pulses, from, length, spectrum->step, values,
				      spectrum->steps);
	double grid = spectrum->steps * spectrum->step;

	if (!(squares > 0))
		return;
	transform(values, spectrum->steps, spectrum->turns);
	spectrum->stretches++;
	for (size_t i = 0; i < spectrum->bins; i++) {
		double size = cabs(values[i]);

		spectrum->power[i] += undamped(size * size / squares, i / grid, spectrum->step);
	}
}

/* As many steps as the longest run needs, within the limits. */
static void choose_steps(struct periodogram *spectrum)
{
	size_t curves = JITTER_CURVES_MAX * (spectrum->pulses_count + 1);

	spectrum->step = 1 / (STEPS_PER_PERIOD * spectrum->to_hz);
	spectrum->steps = STEPS_MIN;
	while (spectrum->steps < STEPS_MAX && 2 * spectrum->steps * curves <= STEPS_IN_ALL &&
	       spectrum->steps * spectrum->step < 2 * spectrum->longest)
		spectrum->steps *= 2;
}

int periodogram_make(struct periodogram *spectrum)
{
	double complex *values;
	double capacity, most;

	choose_steps(spectrum);
	most = STEPS_IN_ALL / (JITTER_CURVES_MAX * (spectrum->pulses_count + 1)) /
	       spectrum->steps;
	capacity = (spectrum->steps - 1) * spectrum->step;
	spectrum->bins = spectrum->steps / STEPS_PER_PERIOD + 1;
	spectrum->power = calloc(spectrum->bins, sizeof(*spectrum->power));
	values = reallocarray(NULL, spectrum->steps, sizeof(*values));
	if (!spectrum->power || !values || make_turns(spectrum->turns, spectrum->steps / 2)) {
		free(values);
		return -ENOMEM;
	}
	for (size_t i = 0; i < spectrum->pulses_count; i++) {
		const struct pulses *pulses = &spectrum->pulses[i];
		double apart = most > 1 ? (pulses->length - capacity) / (most - 1) : pulses->length;

		apart = fmax(apart, capacity / 2);
		if (pulses->length <= capacity) {
			add_stretch(spectrum, pulses, 0, pulses->length, values);
			continue;
		}
		for (double from = 0;
		     from + capacity <= pulses->length * (1 + 1e-12);
		     from += apart)
			add_stretch(spectrum, pulses, from, capacity, values);
	}
	for (size_t i = 0; i < spectrum->bins && spectrum->stretches; i++)
		spectrum->power[i] /= spectrum->stretches;
	free(values);
	return 0;
}

double periodogram_level(size_t stretches, double chance)
{
	double low = 1, high = 1000;

	if (stretches > 500)
		stretches = 500;
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2, x = middle * stretches;
		double log_term = -x, sum = 0;

		for (size_t j = 0; j < stretches; j++) {
			sum += exp(log_term);
			log_term += log(x) - log(j + 1.0);
		}
		if (sum > chance)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* ---- Without a grid ---- */

/* The power of all pulses of a thread at one frequency, without a grid. */
static double power_at(const struct pulses *pulses, double hz)
{
	double complex sum = 0, mean = 0;
	double squares = 0, weights = 0;

	for (size_t i = 0; i < pulses->count; i++) {
		double part = pulses->at[i] / pulses->length, weight = hann(part);

		sum += weight * cexp(-2 * M_PI * I * hz * pulses->at[i]);
		squares += weight * weight;
		weights += weight;
	}
	/* Subtract the mean rate, which has the transform of Hann's window. */
	if (pulses->length > 0 && hz > 0) {
		double x = hz * pulses->length;
		double complex whole = fabs(x) < 1e-9 ? 1 :
			(1 - cexp(-2 * M_PI * I * x)) / (2 * M_PI * I * x);

		if (fabs(x - 1) > 1e-6)
			mean = weights * whole / (1 - x * x);
		else
			mean = weights * -0.5;
	}
	sum -= mean;
	return squares > 0 ? creal(sum) * creal(sum) / squares + cimag(sum) * cimag(sum) / squares :
	       0;
}

double periodogram_at(const struct periodogram *spectrum, double hz)
{
	double sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < spectrum->pulses_count; i++) {
		if (!spectrum->pulses[i].count)
			continue;
		sum += power_at(&spectrum->pulses[i], hz);
		count++;
	}
	return count ? sum / count : 0;
}
