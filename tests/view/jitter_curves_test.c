// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Curves of interruptions made by hand: counts are those of a naive recount, densities are the sum
 * of kernels, and spectra have peaks where the grid is, and none by chance.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "jitter/plot/curves.h"
#include "jitter_made.h"

static uint64_t seed;

static struct made many(size_t count, uint32_t *sources)
{
	uint64_t state = seed;
	struct made made;

	made_begin(&made, 2, 10);
	for (int i = 0; i < 3; i++) {
		char name[32];

		snprintf(name, sizeof(name), "source %d", i);
		sources[i] = made_source(&made, name);
	}
	for (size_t i = 0; i < count; i++) {
		uint64_t ns = 100 * pow(1e4, made_random(&state));

		made_add(&made, i % 2, 9.9 * made_random(&state), ns,
			 i % 5 ? ns + 40 : 0, sources[i % 3]);
		if (i % 7 == 0)
			made.interruptions[i].flags |= EVTLOG_JITTER_EXCLUDED;
	}
	made_end(&made);
	return made;
}

/* Counts one by one, by the definition. */
static void recount(const struct made *made, const bool *sources, const bool *threads,
		    double from, double to, uint64_t *counts)
{
	memset(counts, 0, JITTER_SERIES * sizeof(*counts));
	for (size_t i = 0; i < made->data.interruption_count; i++) {
		const struct evtlog_interruption *one = &made->interruptions[i];
		uint32_t source = made->parts[one->first_part].source;
		double ns = (one->enter_ticks - one->leave_ticks) / 2.0;

		if ((sources && !sources[source]) || (threads && !threads[one->thread]))
			continue;
		if (one->sample != EVTLOG_JITTER_NONE && ns + 40 >= from && ns + 40 < to)
			counts[JITTER_USER]++;
		if (one->flags & EVTLOG_JITTER_EXCLUDED || ns < from || ns >= to)
			continue;
		counts[JITTER_INTERRUPTION]++;
		counts[JITTER_PART]++;
	}
}

static void agrees(const struct made *made, const struct jitter_choice *choice)
{
	struct jitter_histogram *histogram = malloc(sizeof(*histogram));
	uint64_t counts[JITTER_SERIES];

	jitter_histogram(&made->data, choice, histogram);
	assert_true(histogram->bins > 0 && histogram->bins <= choice->points);
	for (unsigned int i = 0; i < histogram->bins; i++) {
		double from = histogram->edges[i], to = histogram->edges[i + 1];

		assert_true(from < to);
		recount(made, choice->sources, choice->threads, from, to, counts);
		for (int series = 0; series < JITTER_SERIES; series++)
			assert_int_equal(histogram->counts[series][i], counts[series]);
	}
	recount(made, choice->sources, choice->threads, 0, histogram->edges[0], counts);
	for (int series = 0; series < JITTER_SERIES; series++)
		assert_int_equal(histogram->below[series], counts[series]);
	recount(made, choice->sources, choice->threads, histogram->edges[histogram->bins],
		INFINITY, counts);
	for (int series = 0; series < JITTER_SERIES; series++)
		assert_int_equal(histogram->above[series], counts[series]);
	free(histogram);
}

static void a_histogram_counts_what_a_naive_recount_counts(void **state)
{
	bool sources[3] = { false, true, false }, threads[2] = { false, true };
	uint32_t numbers[3];
	struct made made = many(3000, numbers);

	agrees(&made, &(struct jitter_choice) { .points = 100 });
	agrees(&made, &(struct jitter_choice) { .points = 250, .linear = true });
	agrees(&made, &(struct jitter_choice) { .points = 60, .sources = sources });
	agrees(&made, &(struct jitter_choice) { .points = 60, .threads = threads });
	agrees(&made, &(struct jitter_choice) { .points = 33, .from = 500, .to = 600,
						.linear = true });
	agrees(&made, &(struct jitter_choice) { .points = 1000, .from = 500, .to = 500.1 });
	agrees(&made, &(struct jitter_choice) { .points = 10, .from = 5e6, .to = 1e9 });
	made_free(&made);
}

static void edges_hold_the_smallest_and_the_largest(void **state)
{
	uint32_t numbers[3];
	struct made made = many(500, numbers);
	struct jitter_histogram *histogram = malloc(sizeof(*histogram));

	for (int linear = 0; linear < 2; linear++) {
		struct jitter_choice choice = { .points = 77, .linear = linear };

		jitter_histogram(&made.data, &choice, histogram);
		for (int series = 0; series < JITTER_SERIES; series++)
			assert_int_equal(histogram->below[series] + histogram->above[series], 0);
	}
	free(histogram);
	made_free(&made);
}

static void nothing_has_curves_too(void **state)
{
	struct jitter_choice choice = { .points = 50 };
	struct jitter_histogram *histogram = malloc(sizeof(*histogram));
	struct jitter_densities *densities = malloc(sizeof(*densities));
	struct jitter_spectrum *spectrum = malloc(sizeof(*spectrum));
	struct jitter_item item;
	struct made made;
	size_t found;

	for (unsigned int threads = 0; threads < 3; threads++) {
		made_begin(&made, threads, threads);
		made_end(&made);
		jitter_histogram(&made.data, &choice, histogram);
		assert_int_equal(histogram->bins, 50);
		assert_int_equal(jitter_densities(&made.data, &choice, densities), 0);
		assert_int_equal(jitter_spectrum(&made.data, &choice, spectrum), 0);
		assert_int_equal(spectrum->peak_count, 0);
		choice.to = 1e9;
		assert_int_equal(jitter_list(&made.data, &choice, JITTER_USER, 1, &item, &found),
				 0);
		choice.to = 0;
		assert_int_equal(found, 0);
		made_free(&made);
	}
	free(histogram);
	free(densities);
	free(spectrum);
}

static double area(const struct jitter_density *density, const double *edges,
		   unsigned int bins, bool linear)
{
	double sum = 0;

	for (unsigned int i = 0; i < bins; i++)
		sum += density->values[i] * (linear ? edges[i + 1] - edges[i] :
					     log10(edges[i + 1] / edges[i]));
	return sum;
}

static void a_density_has_an_area_of_one(void **state)
{
	struct jitter_densities *densities = malloc(sizeof(*densities));
	uint32_t numbers[3];
	struct made made = many(4000, numbers);

	for (int linear = 0; linear < 2; linear++) {
		struct jitter_choice choice = { .points = 400, .linear = linear,
						.from = linear ? -1e7 : 1e-2, .to = 1e8 };

		assert_int_equal(jitter_densities(&made.data, &choice, densities), 0);
		assert_int_equal(densities->count, 4);
		for (size_t i = 0; i < densities->count; i++)
			assert_float_equal(area(&densities->curves[i], densities->edges,
						densities->bins, linear), 1, 0.02);
	}
	free(densities);
	made_free(&made);
}

/* The density is the sum of the kernels, at the middle of narrow bins. */
static void a_density_is_the_sum_of_its_kernels(void **state)
{
	static const double values[] = { 100, 250, 260, 270, 900, 4000 };
	enum { COUNT = sizeof(values) / sizeof(values[0]), BINS = 1000 };
	struct jitter_density *density = malloc(sizeof(*density));
	double edges[JITTER_POINTS_MAX + 1];

	for (int linear = 0; linear < 2; linear++) {
		struct jitter_choice choice = { .points = BINS, .linear = linear, .from = 10,
						.to = 8000,
						.bandwidth = linear ? 60 : 0.08 };
		unsigned int bins = jitter_edges(&choice, 0, 0, edges);

		assert_int_equal(bins, BINS);
		assert_int_equal(jitter_density(values, COUNT, edges, bins, &choice, density), 0);
		for (unsigned int i = 0; i < bins; i++) {
			double x = linear ? (edges[i] + edges[i + 1]) / 2 :
				   log10(edges[i] * edges[i + 1]) / 2, sum = 0;

			for (int k = 0; k < COUNT; k++) {
				double at = linear ? values[k] : log10(values[k]);
				double z = (x - at) / choice.bandwidth;

				sum += exp(-z * z / 2);
			}
			sum /= COUNT * choice.bandwidth * sqrt(2 * M_PI);
			assert_true(fabs(density->values[i] - sum) <
				    1e-6 + sum * 2e-3 + (linear ? 1e-6 : 2e-3));
		}
	}
	free(density);
}

static void a_bandwidth_is_as_silverman_has_it(void **state)
{
	struct jitter_choice choice = { .points = 100, .linear = true, .to = 1000 };
	struct jitter_density *density = malloc(sizeof(*density));
	double edges[JITTER_POINTS_MAX + 1], values[200];
	unsigned int bins = jitter_edges(&choice, 0, 0, edges);

	/* 1 to 200: s 57.88, IQR / 1.34 = 99.5 / 1.34 = 74.25 */
	for (int i = 0; i < 200; i++)
		values[i] = i + 1;
	assert_int_equal(jitter_density(values, 200, edges, bins, &choice, density), 0);
	assert_float_equal(density->bandwidth, 0.9 * 57.879 * pow(200, -0.2), 0.01);
	/* Equal values have a width, too. */
	for (int i = 0; i < 200; i++)
		values[i] = 500;
	assert_int_equal(jitter_density(values, 200, edges, bins, &choice, density), 0);
	assert_true(density->bandwidth > 0);
	assert_float_equal(area(density, edges, bins, true), 1, 1e-6);
	free(density);
}

static void a_list_has_the_longest_of_a_range(void **state)
{
	enum { LIMIT = 40 };
	struct jitter_choice choice = { .from = 300, .to = 20000 };
	uint64_t counts[JITTER_SERIES];
	uint32_t numbers[3];
	struct made made = many(3000, numbers);
	struct jitter_item *items = calloc(3000, sizeof(*items));
	struct jitter_item few[LIMIT];

	recount(&made, NULL, NULL, choice.from, choice.to, counts);
	for (int series = 0; series < JITTER_SERIES; series++) {
		size_t found, count = jitter_list(&made.data, &choice, series, 3000, items,
						  &found);

		assert_int_equal(count, counts[series]);
		assert_int_equal(found, counts[series]);
		for (size_t i = 0; i < count; i++) {
			const struct evtlog_interruption *one =
				&made.interruptions[items[i].interruption];

			assert_true(!i || items[i].ns <= items[i - 1].ns);
			assert_float_equal(items[i].ns, (one->enter_ticks - one->leave_ticks) /
					   2.0 + (series == JITTER_USER ? 40 : 0), 1e-9);
		}
		assert_int_equal(jitter_list(&made.data, &choice, series, LIMIT, few, &found),
				 LIMIT);
		assert_int_equal(found, counts[series]);
		assert_memory_equal(few, items, sizeof(few));
	}
	free(items);
	made_free(&made);
}

/* ---- Spectra ---- */

static const struct jitter_peak *peak_at(const struct jitter_spectrum *spectrum, double hz,
					 uint32_t source)
{
	for (size_t i = 0; i < spectrum->peak_count; i++)
		if (fabs(spectrum->peaks[i].hz - hz) < spectrum->resolution_hz / 2 &&
		    spectrum->peaks[i].source == source)
			return &spectrum->peaks[i];
	return NULL;
}

static void grid(struct made *made, uint32_t thread, uint32_t source, double hz,
		 double seconds, double waver)
{
	uint64_t state = seed + source;

	for (unsigned int i = 0; i / hz + 0.003 < seconds; i++)
		made_add(made, thread, i / hz + 0.001 + waver * made_random(&state), 1000, 1100,
			 source);
}

static void a_train_of_100_hz_peaks_there(void **state)
{
	struct jitter_choice choice = { .points = 1000 };
	struct jitter_spectrum *spectrum = malloc(sizeof(*spectrum));
	const struct jitter_peak *peak;
	struct made made;
	uint32_t timer;

	made_begin(&made, 1, 10);
	timer = made_source(&made, "timer");
	grid(&made, 0, timer, 100, 10, 0);
	made_end(&made);
	assert_int_equal(jitter_spectrum(&made.data, &choice, spectrum), 0);
	assert_int_equal(spectrum->peak_count, 1);
	peak = peak_at(spectrum, 100, timer);
	assert_non_null(peak);
	assert_float_equal(peak->hz, 100, 0.01);
	/* Multiples from 200 to 1200 */
	assert_int_equal(peak->multiples, 11);
	assert_float_equal(peak->power, 2.0 / 3 * 1000, 5);
	assert_float_equal(peak->regularity, 1, 0.01);
	assert_int_equal(spectrum->count, 2);
	for (size_t c = 0; c < spectrum->count; c++) {
		double most = 0, at = 0;

		for (unsigned int i = 0; i < spectrum->bins && spectrum->edges[i] < 150; i++)
			if (spectrum->curves[c].values[i] > most) {
				most = spectrum->curves[c].values[i];
				at = spectrum->edges[i];
			}
		assert_float_equal(at, 100, 1);
		assert_true(most > 500);
		assert_int_equal(spectrum->curves[c].events, 1000);
	}
	free(spectrum);
	made_free(&made);
}

/* Ticks of two CPUs that are not in step, a daemon that wavers, and events without a period */
static void peaks_belong_to_their_sources(void **state)
{
	struct jitter_choice choice = { .points = 1000 };
	struct jitter_spectrum *spectrum = malloc(sizeof(*spectrum));
	uint64_t random = seed;
	uint32_t timer, beat, noise;
	struct made made;

	made_begin(&made, 2, 20);
	timer = made_source(&made, "timer");
	beat = made_source(&made, "daemon");
	noise = made_source(&made, "noise");
	grid(&made, 0, timer, 250, 20, 0.00001);
	grid(&made, 1, timer, 250, 19.9, 0.00001);
	grid(&made, 0, beat, 7.3, 20, 0.002);
	for (int i = 0; i < 2000; i++)
		made_add(&made, i % 2, 19.9 * made_random(&random), 700, 0, noise);
	made_end(&made);
	for (int only = 0; only < 2; only++) {
		bool sources[] = { false, true, false };

		choice.sources = only ? sources : NULL;
		assert_int_equal(jitter_spectrum(&made.data, &choice, spectrum), 0);
		assert_int_equal(spectrum->count, only ? 2 : 4);
		assert_int_equal(spectrum->peak_count, only ? 1 : 2);
		assert_non_null(peak_at(spectrum, 7.3, beat));
		assert_true(peak_at(spectrum, 7.3, beat)->multiples > 10);
		assert_float_equal(peak_at(spectrum, 7.3, beat)->hz, 7.3, 0.01);
		if (only)
			continue;
		assert_non_null(peak_at(spectrum, 250, timer));
		assert_int_equal(peak_at(spectrum, 250, timer)->multiples, 3);
	}
	free(spectrum);
	made_free(&made);
}

/* Ticks wake sleepers, so the sleepers' peaks are at all sums of both frequencies. */
static void sums_of_frequencies_leave_room_for_a_third(void **state)
{
	static const double hz[] = { 9.27, 11.3, 13.7 };
	struct jitter_choice choice = { .points = 1000 };
	struct jitter_spectrum *spectrum = malloc(sizeof(*spectrum));
	struct made made;
	uint32_t timer;

	made_begin(&made, 1, 20);
	for (int i = 0; i < 3; i++) {
		uint32_t sleeper = made_source(&made, "sleeper");

		for (int k = 1; k / hz[i] < 19.9; k++)
			made_add(&made, 0, ceil(k / hz[i] / 0.004) * 0.004 + 0.0005 * (i + 1),
				 1000, 1100, sleeper);
	}
	timer = made_source(&made, "timer");
	grid(&made, 0, timer, 250, 20, 0);
	made_end(&made);
	assert_int_equal(jitter_spectrum(&made.data, &choice, spectrum), 0);
	assert_non_null(peak_at(spectrum, 250, timer));
	free(spectrum);
	made_free(&made);
}

/* Where columns are narrower than the resolution.  Each Hz has the same weight. */
static double mean_power(const struct jitter_spectrum *spectrum, const double *values)
{
	double sum = 0, all = 0;

	for (unsigned int i = 0; i < spectrum->bins; i++) {
		double hz = spectrum->edges[i + 1] - spectrum->edges[i];

		if (hz > spectrum->resolution_hz / 4)
			break;
		sum += hz * values[i];
		all += hz;
	}
	assert_true(all > 40 * spectrum->resolution_hz);
	return sum / all;
}

static void events_at_random_have_no_peaks(void **state)
{
	struct jitter_spectrum *spectrum = malloc(sizeof(*spectrum));
	unsigned int wrong = 0;
	double mean = 0;

	for (int trial = 0; trial < 20; trial++) {
		struct jitter_choice choice = { .points = 2000 };
		uint64_t random = seed * 31 + trial;
		struct made made;

		made_begin(&made, 1 + trial % 2, 10);
		made_source(&made, "noise");
		for (int i = 0; i < 5000; i++)
			made_add(&made, trial % 2 ? i % 2 : 0, 9.99 * made_random(&random), 500,
				 0, 0);
		made_end(&made);
		assert_int_equal(jitter_spectrum(&made.data, &choice, spectrum), 0);
		wrong += spectrum->peak_count;
		mean += mean_power(spectrum, spectrum->curves[1].values) / 20;
		made_free(&made);
	}
	/* One spectrum in a thousand has a peak. */
	assert_true(wrong <= 1);
	/* The mean of some 1,500 powers, each with a deviation as large as itself: 2.5 % */
	print_message("mean power %.3f\n", mean);
	assert_true(mean > 0.85 && mean < 1.15);
	free(spectrum);
}

/* A train faster than the axis must not be folded back onto it. */
static void what_is_faster_than_the_axis_is_not_seen(void **state)
{
	struct jitter_choice choice = { .points = 500, .to = 100 };
	struct jitter_spectrum *spectrum = malloc(sizeof(*spectrum));
	struct made made;

	/* So many that the rest of them, after the grid's damping, is above the level at 75 Hz */
	made_begin(&made, 1, 500);
	made_source(&made, "fast");
	grid(&made, 0, 0, 725, 500, 0);
	made_end(&made);
	assert_int_equal(jitter_spectrum(&made.data, &choice, spectrum), 0);
	assert_int_equal(spectrum->peak_count, 0);
	free(spectrum);
	made_free(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_histogram_counts_what_a_naive_recount_counts),
		cmocka_unit_test(edges_hold_the_smallest_and_the_largest),
		cmocka_unit_test(nothing_has_curves_too),
		cmocka_unit_test(a_density_has_an_area_of_one),
		cmocka_unit_test(a_density_is_the_sum_of_its_kernels),
		cmocka_unit_test(a_bandwidth_is_as_silverman_has_it),
		cmocka_unit_test(a_list_has_the_longest_of_a_range),
		cmocka_unit_test(a_train_of_100_hz_peaks_there),
		cmocka_unit_test(peaks_belong_to_their_sources),
		cmocka_unit_test(sums_of_frequencies_leave_room_for_a_third),
		cmocka_unit_test(events_at_random_have_no_peaks),
		cmocka_unit_test(what_is_faster_than_the_axis_is_not_seen),
	};
	const char *given = getenv("SEED");

	seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
	printf("SEED=%llu\n", (unsigned long long)seed);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
