// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The spectrum of interruptions: how regularly they come, and which source keeps to
 * which frequency.
 *
 * Stage: within the curves.  What begins on a CPU is a pulse, and nothing of its length is
 * in it; windows of Hann, whose powers are averaged over CPUs and, of long runs, over
 * stretches, so that pulses at random have the mean power 1.  A frequency counts as a
 * peak if a sum over the pulses themselves, without a grid, confirms it.
 */
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jitter-curves.h"

#define DEFAULT_TO_HZ	1250.0
#define LARGEST_HZ	1e5
/* All that is transformed for a picture: some seconds of work, however long the run is */
#define STEPS_IN_ALL	((size_t)1 << 26)
/* Steps of the grid in one period of the highest frequency */
#define STEPS_PER_PERIOD	8
#define STEPS_MAX	((size_t)1 << 20)
#define STEPS_MIN	((size_t)1 << 10)
/* Bins whose median tells what is around a peak */
#define NEIGHBOURS	256
#define CHANCE		1e-3
/* Half widths of a peak: of Hann's window, and of a source whose grid wavers */
#define PEAK_BINS	4
#define PEAK_PART	0.002

/* Of half a circle, in @count steps */
struct turns {
	size_t count;
	double complex *at;
};

struct pulses {
	double *at;	/* seconds from the window's begin */
	size_t count;
	double length;
};

/*
 * @steps: of a stretch, a power of two, of @step seconds each
 * @power: of frequencies that are multiples of 1 / (@steps * @step)
 * @turns: of the transformation, for all curves of a picture
 * @stretches: over which it is averaged
 */
struct spectrum {
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

/* ---- Pulses ---- */

static double seconds_of(const struct jitter_data *data, uint64_t begin, uint64_t ticks)
{
	return (double)(ticks - begin) * data->ns_per_tick / 1e9;
}

/* What of an interruption begins the source anew */
static bool begins(const struct jitter_data *data, const struct evtlog_jitter_part *part,
		   uint32_t source)
{
	return part->source == source &&
	       (part->activation || data->sources[source].kind != EVTLOG_SOURCE_TASK);
}

/* Its begins in an interruption, or of that itself, behind @at.  Returns how many. */
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
	size_t room = 0;

	pulses->length = seconds_of(data, thread->begin_ticks, thread->end_ticks);
	for (uint32_t i = 0; i < thread->interruptions; i++)
		room += collect_begins(data, thread, &first[i], source, NULL);
	pulses->at = reallocarray(NULL, room + 1, sizeof(*pulses->at));
	if (!pulses->at)
		return -ENOMEM;
	for (uint32_t i = 0; i < thread->interruptions; i++)
		if (jitter_chosen(data, choice, &first[i]))
			pulses->count += collect_begins(data, thread, &first[i], source,
							pulses->at + pulses->count);
	return 0;
}

static int collect(const struct jitter_data *data, const struct jitter_choice *choice,
		   uint32_t source, struct spectrum *spectrum)
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

/* Written out: with infinities in mind a product would be a call. */
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

/* In place; @count is a power of two. */
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
 * What pulses of [@from, @from + @length) have, into @values; each is shared by the two
 * steps next to it.  Returns the sum of the squares of their weights.
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
	/* Without their mean rate, which would show at the lowest frequencies */
	for (size_t i = 0; i < covered && i < steps; i++)
		windows += hann(i * step / length);
	for (size_t i = 0; windows > 0 && i < covered && i < steps; i++)
		values[i] -= weights / windows * hann(i * step / length);
	return squares;
}

/* Sharing between two steps has damped what is fast. */
static double undamped(double power, double hz, double step)
{
	double x = M_PI * hz * step, sinc = x > 0 ? sin(x) / x : 1;

	return power / (sinc * sinc * sinc * sinc);
}

static void add_stretch(struct spectrum *spectrum, const struct pulses *pulses, double from,
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

/* As many as the longest run needs, or as there is time for */
static void choose_steps(struct spectrum *spectrum)
{
	size_t curves = JITTER_SPECTRA_MAX * (spectrum->pulses_count + 1);

	spectrum->step = 1 / (STEPS_PER_PERIOD * spectrum->to_hz);
	spectrum->steps = STEPS_MIN;
	while (spectrum->steps < STEPS_MAX && 2 * spectrum->steps * curves <= STEPS_IN_ALL &&
	       spectrum->steps * spectrum->step < 2 * spectrum->longest)
		spectrum->steps *= 2;
}

/* Stretches of long runs overlap by half, or are spread over it, if there are too many. */
static int make_power(struct spectrum *spectrum)
{
	double complex *values;
	double room, most;

	choose_steps(spectrum);
	most = STEPS_IN_ALL / (JITTER_SPECTRA_MAX * (spectrum->pulses_count + 1)) /
	       spectrum->steps;
	room = (spectrum->steps - 1) * spectrum->step;
	spectrum->bins = spectrum->steps / STEPS_PER_PERIOD + 1;
	spectrum->power = calloc(spectrum->bins, sizeof(*spectrum->power));
	values = reallocarray(NULL, spectrum->steps, sizeof(*values));
	if (!spectrum->power || !values || make_turns(spectrum->turns, spectrum->steps / 2)) {
		free(values);
		return -ENOMEM;
	}
	for (size_t i = 0; i < spectrum->pulses_count; i++) {
		const struct pulses *pulses = &spectrum->pulses[i];
		double apart = most > 1 ? (pulses->length - room) / (most - 1) : pulses->length;

		apart = fmax(apart, room / 2);
		if (pulses->length <= room) {
			add_stretch(spectrum, pulses, 0, pulses->length, values);
			continue;
		}
		for (double from = 0; from + room <= pulses->length * (1 + 1e-12); from += apart)
			add_stretch(spectrum, pulses, from, room, values);
	}
	for (size_t i = 0; i < spectrum->bins && spectrum->stretches; i++)
		spectrum->power[i] /= spectrum->stretches;
	free(values);
	return 0;
}

/*
 * What powers averaged over @stretches exceed with the chance @chance, where all is at
 * random: then their sum is distributed as Erlang has it.
 */
static double level_of(size_t stretches, double chance)
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

/* ---- Peaks ---- */

/* Of all pulses at one frequency, without a grid; @weights: squares are added to it */
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
	/* The mean rate's: what Hann's window itself has there */
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

static double mean_power_at(const struct spectrum *spectrum, double hz)
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

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* What is usual around a bin; of powers at random, ln 2. */
static double around(const struct spectrum *spectrum, size_t bin)
{
	double near[NEIGHBOURS];
	size_t from = bin > NEIGHBOURS / 2 ? bin - NEIGHBOURS / 2 : 1, count = 0;

	for (; count < NEIGHBOURS && from + count < spectrum->bins; count++)
		near[count] = spectrum->power[from + count];
	if (!count)
		return 1;
	qsort(near, count, sizeof(*near), compare_doubles);
	return fmax(near[count / 2] / M_LN2, 1);
}

/* The greatest within its own width */
static bool is_top(const struct spectrum *spectrum, size_t bin)
{
	size_t reach = PEAK_BINS + bin * PEAK_PART;
	size_t from = bin > reach ? bin - reach : 1, to = bin + reach;

	for (size_t i = from; i <= to && i < spectrum->bins; i++)
		if (spectrum->power[i] > spectrum->power[bin] ||
		    (spectrum->power[i] == spectrum->power[bin] && i < bin))
			return false;
	return true;
}

/* Between three bins, by a parabola through their logarithms */
static double between(const struct spectrum *spectrum, size_t bin)
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

/* @times: of the multiple that told the base best */
struct base {
	struct jitter_peak *peak;
	unsigned int times;
};

static bool is_multiple(double hz, const struct base *base, double resolution,
			unsigned int *times)
{
	double ratio = hz / base->peak->hz;

	/* The base is known to a part of the resolution, by a multiple to as much less. */
	*times = ratio + 0.5;
	return *times >= 2 && fabs(hz - *times * base->peak->hz) <=
	       resolution * (0.5 + 0.05 * *times / base->times);
}

/* Of events that all keep to a grid, with Hann's window; as many on each stretch */
static double highest_power(const struct spectrum *spectrum)
{
	return 2.0 / 3 * spectrum->events / spectrum->stretches;
}

/*
 * Takes a peak in, unless it is a multiple of one before, or the sum over the pulses says
 * that it is a fold of something that is faster than the grid knows.
 */
static void take_peak(const struct spectrum *spectrum, double hz, double power,
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
		power = mean_power_at(spectrum, hz);
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

static void find_peaks(const struct spectrum *spectrum, uint32_t source,
		       struct jitter_spectrum *result)
{
	double grid = spectrum->steps * spectrum->step;
	struct base bases[JITTER_PEAKS_MAX];
	size_t base_count = 0;

	for (size_t i = 2; i + 1 < spectrum->bins; i++) {
		double hz = i / grid;

		if (hz < spectrum->from_hz || hz >= spectrum->to_hz ||
		    spectrum->power[i] < spectrum->level || !is_top(spectrum, i) ||
		    spectrum->power[i] < spectrum->level * around(spectrum, i))
			continue;
		take_peak(spectrum, between(spectrum, i) / grid, spectrum->power[i], source,
			  bases, &base_count, result);
	}
}

static int compare_hz(const void *a, const void *b)
{
	double x = ((const struct jitter_peak *)a)->hz, y = ((const struct jitter_peak *)b)->hz;

	return (x > y) - (x < y);
}

/* ---- What is shown ---- */

static void show_power(const struct spectrum *spectrum, const struct jitter_spectrum *result,
		       struct jitter_power *curve)
{
	double grid = spectrum->steps * spectrum->step;

	for (unsigned int i = 0; i < result->bins; i++) {
		double low = result->edges[i] * grid, high = result->edges[i + 1] * grid;
		size_t first = ceil(low), last = ceil(high);

		/* None between: the nearest */
		if (first >= last) {
			first = round((low + high) / 2);
			last = first + 1;
		}
		curve->values[i] = 0;
		for (size_t bin = first; bin < last && bin < spectrum->bins; bin++)
			curve->values[i] = fmax(curve->values[i], spectrum->power[bin]);
	}
}

/* From the second period in the longest window on, unless it is chosen */
static void set_axis(const struct jitter_choice *choice, const struct spectrum *spectrum,
		     struct jitter_spectrum *result)
{
	struct jitter_choice axis = *choice;

	axis.from = spectrum->from_hz;
	axis.to = spectrum->to_hz;
	result->bins = jitter_edges(&axis, axis.from, axis.to, result->edges);
	/* Hann's window tells two apart that are two of its own bins from another. */
	if (spectrum->longest > 0)
		result->resolution_hz = 2 / fmin(spectrum->longest,
						 spectrum->steps * spectrum->step);
}

static int add_curve(const struct jitter_data *data, const struct jitter_choice *choice,
		     uint32_t source, struct turns *turns, struct jitter_spectrum *result)
{
	struct jitter_power *curve = &result->curves[result->count];
	struct spectrum spectrum = {
		.turns = turns,
		.to_hz = fmin(choice->to > 0 ? choice->to : DEFAULT_TO_HZ, LARGEST_HZ),
	};
	int error = collect(data, choice, source, &spectrum);
	bool wanted = true;

	if (!error) {
		spectrum.from_hz = choice->from > 0 ? choice->from :
				   spectrum.longest > 0 ? 2 / spectrum.longest : 1;
		if (spectrum.from_hz >= spectrum.to_hz)
			spectrum.from_hz = spectrum.to_hz / 10;
		error = make_power(&spectrum);
	}
	if (!error) {
		spectrum.level = level_of(spectrum.stretches ? spectrum.stretches : 1,
					  CHANCE / spectrum.bins / JITTER_SPECTRA_MAX);
		/* Of too few nothing could be told, however regular they are. */
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

/* The way into the kernel and back comes with all others, and what is inferred at no time. */
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
	     result->count < JITTER_SPECTRA_MAX; s++)
		if ((!choice->sources || choice->sources[s]) && is_cause(&data->sources[s]))
			error = add_curve(data, choice, s, &turns, result);
	free(turns.at);
	qsort(result->peaks, result->peak_count, sizeof(*result->peaks), compare_hz);
	return error;
}
