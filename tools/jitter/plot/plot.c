// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Puts curves of interruptions onto a chart.
 *
 * Stage: between the curves and the chart.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "draw/canvas.h"
#include "plot.h"

#define NS_PER_US	1000
/* Pixels per bar of a histogram, and per point of a density. */
#define BAR_WIDTH	4
#define POINT_WIDTH	2
/* Decades of the axis of densities: a source of constant length must not hide the others. */
#define DENSITY_DECADES	4

const char *const jitter_view_names[JITTER_VIEWS + 1] = {
	[JITTER_HISTOGRAM] = "histogram", [JITTER_DENSITY] = "density",
	[JITTER_SPECTRUM] = "spectrum",
};

static const uint32_t palette[] = { VIEW_CHART };

static unsigned int points_of(const struct jitter_show *show)
{
	static const unsigned int pixels[JITTER_VIEWS] = {
		[JITTER_HISTOGRAM] = BAR_WIDTH, [JITTER_DENSITY] = POINT_WIDTH, [JITTER_SPECTRUM] = 1,
	};
	unsigned int points = chart_columns(show->paper.width) / pixels[show->view];

	return points < JITTER_POINTS_MAX ? points : JITTER_POINTS_MAX;
}

/* Takes @name and @about, which may be NULL: no memory. */
static int add_curve(struct jitter_plot *plot, char *name, char *about, const double *values)
{
	size_t number = plot->chart.curve_count++;

	plot->curves[number] = (struct chart_curve) {
		.name = name,
		.about = about,
		.colour = palette[number % (sizeof(palette) / sizeof(palette[0]))],
		.values = values,
	};
	return name && about ? 0 : -ENOMEM;
}

/* EVTLOG_JITTER_NONE: whole interruptions.  NULL: no memory. */
static char *source_name(const struct jitter_data *data, uint32_t number)
{
	return number == EVTLOG_JITTER_NONE ? strdup("whole interruptions") :
	       utf8_clean(data->sources[number].name, EVTLOG_SOURCE_NAME);
}

/* ---- Histogram ---- */

static const char *const series_words[JITTER_SERIES] = {
	[JITTER_USER] = "samples of the program",
	[JITTER_INTERRUPTION] = "interruptions in the kernel's log",
	[JITTER_PART] = "tasks and interrupts in them",
};

/* "1,234 (5 outside)" */
static char *series_about(const struct jitter_histogram *histogram, enum jitter_series series)
{
	uint64_t seen = 0, out = histogram->below[series] + histogram->above[series];
	char count[32], outside[32], *about;

	for (unsigned int i = 0; i < histogram->bins; i++)
		seen += histogram->counts[series][i];
	draw_count(seen, count);
	draw_count(out, outside);
	return asprintf(&about, out ? "%s (%s outside)" : "%s", count, outside) < 0 ? NULL : about;
}

static int make_histogram(struct jitter_plot *plot, const struct jitter_data *data,
			  const struct jitter_choice *choice)
{
	struct jitter_histogram *histogram = plot->numbers = malloc(sizeof(*histogram));
	struct chart *chart = &plot->chart;
	int error = histogram ? 0 : -ENOMEM;

	if (!error)
		jitter_histogram(data, choice, histogram);
	for (int series = 0; !error && series < JITTER_SERIES; series++)
		error = add_curve(plot, strdup(series_words[series]),
				  series_about(histogram, series), histogram->counts[series]);
	if (error)
		return error;
	plot->curves[JITTER_USER].filled = true;
	chart->caption = "User and master histograms: the number of interruptions of each length, as the program measured them and as the kernel logged them; bars start at half a count.";
	chart->y_name = "number in a bin";
	chart->least = 0.5;
	chart->bins = histogram->bins;
	chart->edges = histogram->edges;
	return 0;
}

/* ---- Density ---- */

/* "1,234, h 0.05" */
static char *density_about(const struct jitter_density *curve, bool linear)
{
	char count[32], *about;

	draw_count(curve->count, count);
	return asprintf(&about, linear ? "%s, h %.3g µs" : "%s, h %.2g", count,
			linear ? curve->bandwidth / NS_PER_US : curve->bandwidth) < 0 ? NULL : about;
}

/* Start of the axis of densities: a power of ten, like its end. */
static double least_density(const struct chart *chart)
{
	double most = 0;

	for (size_t c = 0; c < chart->curve_count; c++)
		for (unsigned int i = 0; i < chart->bins; i++)
			most = fmax(most, chart->curves[c].values[i]);
	return most > 0 ? pow(10, ceil(log10(most * 1.25)) - DENSITY_DECADES) : 0;
}

static int make_density(struct jitter_plot *plot, const struct jitter_data *data,
			const struct jitter_choice *choice)
{
	struct jitter_densities *densities = plot->numbers = malloc(sizeof(*densities));
	struct chart *chart = &plot->chart;
	int error = densities ? jitter_densities(data, choice, densities) : -ENOMEM;

	for (size_t i = 0; !error && i < densities->count; i++) {
		struct jitter_density *curve = &densities->curves[i];

		for (unsigned int bin = 0; choice->linear && bin < densities->bins; bin++)
			curve->values[bin] *= NS_PER_US;
		error = add_curve(plot, source_name(data, curve->source),
				  density_about(curve, choice->linear), curve->values);
	}
	if (error)
		return error;
	chart->caption = choice->linear ?
		"Parzen-window density with Gaussian kernels of bandwidth h; the area under each curve is 1." :
		"Parzen-window density of the logarithm, with Gaussian kernels of h decades; the area under each curve is 1.";
	chart->y_name = choice->linear ? "density (1/µs)" : "density (1/decade)";
	chart->bins = densities->bins;
	chart->edges = densities->edges;
	chart->least = least_density(chart);
	return 0;
}

/* ---- Spectrum ---- */

/*
 * Frequency in the digits of the resolution, source, and number of other sources with this
 * frequency. NULL if out of memory.
 */
static char *peak_name(const struct jitter_data *data, const struct jitter_peak *peak,
		       unsigned int others, double resolution_hz)
{
	char *source = source_name(data, peak->source);
	int digits = resolution_hz > 0 ? ceil(-log10(resolution_hz)) : 0;
	char more[24] = "", *name = NULL;

	if (others)
		snprintf(more, sizeof(more), " +%u", others);
	if (!source || asprintf(&name, "%.*f Hz %s%s", digits < 0 ? 0 : digits > 6 ? 6 : digits,
				peak->hz, source, more) < 0)
		name = NULL;
	free(source);
	return name;
}

static int compare_peaks(const void *x, const void *y)
{
	const struct jitter_peak *const *a = x, *const *b = y;

	long left = lround((*a)->regularity * 10), right = lround((*b)->regularity * 10);

	if (left != right)
		return left < right ? 1 : -1;
	return ((*a)->power < (*b)->power) - ((*a)->power > (*b)->power);
}

/*
 * If several sources have the same frequency, the label names the most regular one; if they are
 * equally regular, the one with the greatest power.
 */
static int name_peaks(struct jitter_plot *plot, const struct jitter_data *data,
		      const struct jitter_spectrum *spectrum)
{
	const struct jitter_peak *order[JITTER_PEAKS_MAX];
	unsigned int others[JITTER_PEAKS_MAX] = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < spectrum->peak_count; i++)
		order[i] = &spectrum->peaks[i];
	if (spectrum->peak_count)
		qsort(order, spectrum->peak_count, sizeof(*order), compare_peaks);
	for (size_t i = 0; i < spectrum->peak_count; i++) {
		size_t same = 0;

		while (same < count &&
		       fabs(order[same]->hz - order[i]->hz) > spectrum->resolution_hz)
			same++;
		if (same < count)
			others[same]++;
		else
			order[count++] = order[i];
	}
	for (size_t i = 0; i < count; i++) {
		struct chart_mark *mark = &plot->marks[i];

		mark->at = order[i]->hz;
		while (spectrum->curves[mark->curve].source != order[i]->source)
			mark->curve++;
		mark->name = peak_name(data, order[i], others[i], spectrum->resolution_hz);
		if (!mark->name)
			return -ENOMEM;
		plot->chart.mark_count++;
	}
	return 0;
}

static int make_spectrum(struct jitter_plot *plot, const struct jitter_data *data,
			 const struct jitter_choice *choice)
{
	struct jitter_spectrum *spectrum = plot->numbers = malloc(sizeof(*spectrum));
	struct chart *chart = &plot->chart;
	int error = spectrum ? jitter_spectrum(data, choice, spectrum) : -ENOMEM;

	for (size_t i = 0; !error && i < spectrum->count; i++) {
		const struct jitter_power *curve = &spectrum->curves[i];
		char count[32];

		draw_count(curve->events, count);
		error = add_curve(plot, source_name(data, curve->source), strdup(count),
				  curve->values);
		plot->curves[i].clear = curve->clear;
		chart->level = fmax(chart->level, curve->level);
	}
	if (!error)
		error = name_peaks(plot, data, spectrum);
	if (error)
		return error;
	plot->spectrum = spectrum;
	plot->curves[0].filled = true;
	chart->caption = "Periodogram of starts. Random events have the power 1, periodic ones about two thirds of their number. Chance exceeds the line in one of a thousand pictures. Significant peaks are in strong colour; the lowest frequency of each series is labelled.";
	chart->x_name = "frequency (Hz)";
	chart->y_name = "power (random: 1)";
	chart->unit = 1;
	chart->least = 1;
	chart->bins = spectrum->bins;
	chart->edges = spectrum->edges;
	return 0;
}

/* ---- All views ---- */

int jitter_plot_make(struct jitter_plot *plot, const struct jitter_data *data,
		     const struct jitter_show *show)
{
	static int (*const make[JITTER_VIEWS])(struct jitter_plot *plot,
					       const struct jitter_data *data,
					       const struct jitter_choice *choice) = {
		[JITTER_HISTOGRAM] = make_histogram, [JITTER_DENSITY] = make_density,
		[JITTER_SPECTRUM] = make_spectrum,
	};
	struct jitter_choice choice = show->choice;
	int error;

	memset(plot, 0, sizeof(*plot));
	choice.points = points_of(show);
	plot->chart = (struct chart) {
		.title = show->paper.title, .subtitle = show->subtitle,
		.x_name = "length (µs)", .unit = NS_PER_US, .linear = choice.linear,
		.curves = plot->curves, .marks = plot->marks,
	};
	error = make[show->view](plot, data, &choice);
	if (error)
		jitter_plot_free(plot);
	return error;
}

void jitter_plot_free(struct jitter_plot *plot)
{
	for (size_t i = 0; i < plot->chart.mark_count; i++)
		free(plot->marks[i].name);
	for (size_t i = 0; i < plot->chart.curve_count; i++) {
		free(plot->curves[i].name);
		free(plot->curves[i].about);
	}
	free(plot->numbers);
	memset(plot, 0, sizeof(*plot));
}

int jitter_show(const struct jitter_data *data, const struct jitter_show *show, FILE *out)
{
	struct jitter_plot plot;
	int error = jitter_plot_make(&plot, data, show);

	if (error)
		return error;
	error = chart_draw(&plot.chart, &show->paper, out, NULL);
	jitter_plot_free(&plot);
	return error;
}

/* ---- The data of the curves ---- */

void jitter_data_of(struct jitter_data *data, const struct evtlog_jitter *jitter)
{
	data->ns_per_tick = evtlog_jitter_summary(jitter)->ns_per_tick;
	data->threads = evtlog_jitter_threads(jitter, &data->thread_count);
	data->sources = evtlog_jitter_sources(jitter, &data->source_count);
	data->interruptions = evtlog_jitter_interruptions(jitter, &data->interruption_count);
	data->parts = evtlog_jitter_parts(jitter, &data->part_count);
	data->samples = evtlog_jitter_samples(jitter, &data->sample_count);
}
