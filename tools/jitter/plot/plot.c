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

#include "chart.h"
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

static uint32_t colour_of(size_t number)
{
	return palette[number % (sizeof(palette) / sizeof(palette[0]))];
}

static struct jitter_choice with_points(const struct jitter_show *show, unsigned int pixels)
{
	struct jitter_choice choice = show->choice;

	choice.points = chart_columns(show->paper.width) / pixels;
	if (choice.points > JITTER_POINTS_MAX)
		choice.points = JITTER_POINTS_MAX;
	return choice;
}

static int draw(struct chart *chart, const struct jitter_show *show, FILE *out)
{
	chart->title = show->paper.title;
	chart->subtitle = show->subtitle;
	return chart_draw(chart, &show->paper, out);
}

/* "timer interrupt: 1,234"; EVTLOG_JITTER_NONE: whole interruptions. NULL if out of memory. */
static char *count_name(const struct jitter_data *data, uint32_t number, uint64_t count)
{
	char *source = number == EVTLOG_JITTER_NONE ? strdup("whole interruptions") :
		       utf8_clean(data->sources[number].name, EVTLOG_SOURCE_NAME);
	char digits[32], *name = NULL;

	draw_count(count, digits);
	if (!source || asprintf(&name, "%s: %s", source, digits) < 0)
		name = NULL;
	free(source);
	return name;
}

/* ---- Histogram ---- */

static const char *const series_words[JITTER_SERIES] = {
	[JITTER_USER] = "samples of the program",
	[JITTER_INTERRUPTION] = "interruptions in the kernel's log",
	[JITTER_PART] = "tasks and interrupts in them",
};

static void series_name(const struct jitter_histogram *histogram, enum jitter_series series,
			char *name, size_t size)
{
	uint64_t seen = 0, out = histogram->below[series] + histogram->above[series];
	char count[32], outside[32];

	for (unsigned int i = 0; i < histogram->bins; i++)
		seen += histogram->counts[series][i];
	draw_count(seen, count);
	draw_count(out, outside);
	snprintf(name, size, out ? "%s: %s (%s outside)" : "%s: %s", series_words[series],
		 count, outside);
}

static int show_histogram(const struct jitter_data *data, const struct jitter_show *show,
			  FILE *out)
{
	struct jitter_choice choice = with_points(show, BAR_WIDTH);
	struct jitter_histogram *histogram = malloc(sizeof(*histogram));
	struct chart_curve curves[JITTER_SERIES];
	double *values = calloc((size_t)JITTER_SERIES * JITTER_POINTS_MAX, sizeof(*values));
	char names[JITTER_SERIES][128];
	struct chart chart = {
		.caption = "User and master histograms: the number of interruptions of each length, as the program measured them and as the kernel logged them; bars start at half a count.",
		.x_name = "length (µs)",
		.y_name = "number in a bin",
		.unit = NS_PER_US,
		.linear = choice.linear,
		.least = 0.5,
		.curves = curves,
		.curve_count = JITTER_SERIES,
	};
	int error = histogram && values ? 0 : -ENOMEM;

	if (!error)
		jitter_histogram(data, &choice, histogram);
	for (int series = 0; !error && series < JITTER_SERIES; series++) {
		double *own = values + (size_t)series * JITTER_POINTS_MAX;

		for (unsigned int i = 0; i < histogram->bins; i++)
			own[i] = histogram->counts[series][i];
		series_name(histogram, series, names[series], sizeof(names[series]));
		curves[series] = (struct chart_curve) {
			.name = names[series],
			.colour = colour_of(series),
			.filled = series == JITTER_USER,
			.values = own,
		};
	}
	if (!error) {
		chart.bins = histogram->bins;
		chart.edges = histogram->edges;
		error = draw(&chart, show, out);
	}
	free(values);
	free(histogram);
	return error;
}

/* ---- Density ---- */

static char *curve_name(const struct jitter_data *data, const struct jitter_density *curve,
			bool linear)
{
	char *source = count_name(data, curve->source, curve->count), *name = NULL;

	if (!source ||
	    asprintf(&name, linear ? "%s, h %.3g µs" : "%s, h %.2g", source,
		     linear ? curve->bandwidth / NS_PER_US : curve->bandwidth) < 0)
		name = NULL;
	free(source);
	return name;
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

static int show_density(const struct jitter_data *data, const struct jitter_show *show,
			FILE *out)
{
	struct jitter_choice choice = with_points(show, POINT_WIDTH);
	struct jitter_densities *densities = malloc(sizeof(*densities));
	struct chart_curve curves[JITTER_DENSITIES_MAX] = { 0 };
	struct chart chart = {
		.caption = choice.linear ?
			"Parzen-window density with Gaussian kernels of bandwidth h; the area under each curve is 1." :
			"Parzen-window density of the logarithm, with Gaussian kernels of h decades; the area under each curve is 1.",
		.x_name = "length (µs)",
		.y_name = choice.linear ? "density (1/µs)" : "density (1/decade)",
		.unit = NS_PER_US,
		.linear = choice.linear,
		.curves = curves,
	};
	int error = densities ? jitter_densities(data, &choice, densities) : -ENOMEM;

	for (size_t i = 0; !error && i < densities->count; i++) {
		struct jitter_density *curve = &densities->curves[i];

		for (unsigned int bin = 0; choice.linear && bin < densities->bins; bin++)
			curve->values[bin] *= NS_PER_US;
		curves[i] = (struct chart_curve) {
			.name = curve_name(data, curve, choice.linear),
			.colour = colour_of(i),
			.values = curve->values,
		};
		if (!curves[i].name)
			error = -ENOMEM;
		chart.curve_count++;
	}
	if (!error) {
		chart.bins = densities->bins;
		chart.edges = densities->edges;
		chart.least = least_density(&chart);
		error = draw(&chart, show, out);
	}
	for (size_t i = 0; i < JITTER_DENSITIES_MAX; i++)
		free((char *)curves[i].name);
	free(densities);
	return error;
}

/* ---- Spectrum ---- */

/*
 * Frequency in the digits of the resolution, source, and number of other sources with this
 * frequency. NULL if out of memory.
 */
static char *peak_name(const struct jitter_data *data, const struct jitter_peak *peak,
		       unsigned int others, double resolution_hz)
{
	char *source = utf8_clean(data->sources[peak->source].name, EVTLOG_SOURCE_NAME);
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
static int name_peaks(const struct jitter_data *data, const struct jitter_spectrum *spectrum,
		      struct chart *chart, struct chart_mark *marks)
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
		marks[i].at = order[i]->hz;
		while (spectrum->curves[marks[i].curve].source != order[i]->source)
			marks[i].curve++;
		marks[i].name = peak_name(data, order[i], others[i], spectrum->resolution_hz);
		if (!marks[i].name)
			return -ENOMEM;
		chart->mark_count++;
	}
	return 0;
}

static int show_spectrum(const struct jitter_data *data, const struct jitter_show *show,
			 FILE *out)
{
	struct jitter_choice choice = with_points(show, 1);
	struct jitter_spectrum *spectrum = malloc(sizeof(*spectrum));
	struct chart_mark marks[JITTER_PEAKS_MAX] = { { 0 } };
	struct chart_curve curves[JITTER_SPECTRA_MAX] = { { 0 } };
	struct chart chart = {
		.caption = "Periodogram of starts. Random events have the power 1, periodic ones about two thirds of their number. Chance exceeds the line in one of a thousand pictures. Significant peaks are in strong colour; the lowest frequency of each series is labelled.",
		.x_name = "frequency (Hz)",
		.y_name = "power",
		.unit = 1,
		.linear = choice.linear,
		.least = 1,
		.curves = curves,
		.marks = marks,
	};
	int error = spectrum ? jitter_spectrum(data, &choice, spectrum) : -ENOMEM;

	if (!error)
		error = name_peaks(data, spectrum, &chart, marks);
	for (size_t i = 0; !error && i < spectrum->count; i++) {
		const struct jitter_power *curve = &spectrum->curves[i];

		curves[i] = (struct chart_curve) {
			.name = count_name(data, curve->source, curve->events),
			.colour = colour_of(i),
			.filled = !i,
			.values = curve->values,
			.clear = curve->clear,
		};
		if (!curves[i].name)
			error = -ENOMEM;
		chart.curve_count++;
		chart.level = fmax(chart.level, curve->level);
	}
	if (!error) {
		chart.bins = spectrum->bins;
		chart.edges = spectrum->edges;
		error = draw(&chart, show, out);
	}
	for (size_t i = 0; i < JITTER_PEAKS_MAX; i++)
		free((char *)marks[i].name);
	for (size_t i = 0; i < JITTER_SPECTRA_MAX; i++)
		free((char *)curves[i].name);
	free(spectrum);
	return error;
}

int jitter_show(const struct jitter_data *data, const struct jitter_show *show, FILE *out)
{
	switch (show->view) {
	case JITTER_DENSITY:
		return show_density(data, show, out);
	case JITTER_SPECTRUM:
		return show_spectrum(data, show, out);
	default:
		return show_histogram(data, show, out);
	}
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
