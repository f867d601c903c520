/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interruptions as curves: histograms, Parzen-window densities, a spectrum; and lists of
 * those behind a bar.
 *
 * Stage: between evtlog_jitter_new() and what shows it: pictures and the page have the same
 * numbers from here.  It draws nothing and reads no log.
 */
#ifndef EVTLOG_JITTER_PLOT_CURVES_H
#define EVTLOG_JITTER_PLOT_CURVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/jitter.h>

/* Edges are multiples of it, so that as decimals they are what was counted by. */
#define JITTER_GRAINS		1000.0	/* in 1 ns */
#define JITTER_GRAIN_NS		(1 / JITTER_GRAINS)
#define JITTER_POINTS_MAX	2000u

/* Whose lengths */
enum jitter_series {
	JITTER_USER,		/* samples: what the program saw beyond its undisturbed round */
	JITTER_INTERRUPTION,	/* the kernel's: from leaving user mode to entering it again */
	JITTER_PART,		/* the kernel's: what each task and interrupt in them took itself */
	JITTER_SERIES
};

extern const char *const jitter_series_names[JITTER_SERIES];

/* What an evtlog_jitter holds, as arrays that stay its own. */
struct jitter_data {
	double ns_per_tick;
	const struct evtlog_jitter_thread *threads;
	size_t thread_count;
	const struct evtlog_jitter_source *sources;
	size_t source_count;
	const struct evtlog_interruption *interruptions;
	size_t interruption_count;
	const struct evtlog_jitter_part *parts;
	size_t part_count;
	const struct evtlog_jitter_sample *samples;
	size_t sample_count;
};

/*
 * What is to be seen of it.
 * @sources: by number; NULL: all.  Of interruptions and samples those that have a part of
 *	one of them
 * @threads: by number; NULL: all
 * @from, @to: ns, of a spectrum Hz; [from, to); 0: as far as there is something
 * @linear: steps of the axis are equal, not their ratios
 * @points: bins, or points of a curve
 * @bandwidth: of densities: ns, on an axis that is not linear decades; 0: by Silverman's rule
 */
struct jitter_choice {
	const bool *sources;
	const bool *threads;
	double from;
	double to;
	bool linear;
	unsigned int points;
	double bandwidth;
};

/*
 * jitter_values() - lengths in ns, ascending; free() them
 * @source: only of this, EVTLOG_JITTER_NONE: of all that are chosen
 *
 * What is excluded is left out.  Return: 0 or -ENOMEM.
 */
int jitter_values(const struct jitter_data *data, const struct jitter_choice *choice,
		  enum jitter_series series, uint32_t source, double **values, size_t *count);

/* The least of ascending values that is not 0, with which an axis can begin; else INFINITY */
double jitter_least(const double *values, size_t count);

/*
 * jitter_edges() - of @choice->points bins, or fewer where they would be narrower than
 * the grain
 * @lowest, @highest: of what is to be seen, where the choice leaves an end open
 * @edges: room for JITTER_POINTS_MAX + 1
 *
 * Returns how many bins.
 */
unsigned int jitter_edges(const struct jitter_choice *choice, double lowest, double highest,
			  double *edges);

/*
 * struct jitter_histogram - samples, and what the kernel's log says, over the same bins
 * @edges: @bins + 1; bin i is [edges[i], edges[i + 1])
 * @below, @above: of all, those that are in no bin
 */
struct jitter_histogram {
	unsigned int bins;
	double edges[JITTER_POINTS_MAX + 1];
	uint64_t counts[JITTER_SERIES][JITTER_POINTS_MAX];
	uint64_t below[JITTER_SERIES];
	uint64_t above[JITTER_SERIES];
};

void jitter_histogram(const struct jitter_data *data, const struct jitter_choice *choice,
		      struct jitter_histogram *histogram);

/*
 * struct jitter_density - a Parzen window estimate with Gaussian kernels
 * @source: whose; EVTLOG_JITTER_NONE: of all
 * @bandwidth: as of the choice
 * @values: the mean density in each bin: per ns, on an axis that is not linear per decade
 */
struct jitter_density {
	enum jitter_series series;
	uint32_t source;
	size_t count;
	double bandwidth;
	double values[JITTER_POINTS_MAX];
};

/*
 * jitter_density() - of @count ascending @values over @bins bins
 *
 * All of it, also beyond the edges, is 1.  Return: 0 or -ENOMEM.
 */
int jitter_density(const double *values, size_t count, const double *edges,
		   unsigned int bins, const struct jitter_choice *choice,
		   struct jitter_density *density);

/* Of more sources there are no curves. */
#define JITTER_DENSITIES_MAX	9

/*
 * struct jitter_densities - of whole interruptions, then of the parts of the sources that
 * are chosen and took the most
 */
struct jitter_densities {
	unsigned int bins;
	double edges[JITTER_POINTS_MAX + 1];
	struct jitter_density curves[JITTER_DENSITIES_MAX];
	size_t count;
};

/* 0 or -ENOMEM */
int jitter_densities(const struct jitter_data *data, const struct jitter_choice *choice,
		     struct jitter_densities *densities);

/* ---- What is behind a bar ---- */

/*
 * @ns: the length by which it was found
 * @interruption: EVTLOG_JITTER_NONE: of a sample that no interruption explains
 * @sample: EVTLOG_JITTER_NONE: of what no sample saw
 * @part: EVTLOG_JITTER_NONE unless parts were asked for
 */
struct jitter_item {
	double ns;
	uint32_t interruption;
	uint32_t sample;
	uint32_t part;
};

/*
 * jitter_list() - those of [choice->from, choice->to), the longest first
 * @items: room for @limit
 * @found: how many there are in all
 *
 * Returns how many are in @items.
 */
size_t jitter_list(const struct jitter_data *data, const struct jitter_choice *choice,
		enum jitter_series series, size_t limit, struct jitter_item *items,
		size_t *found);

/* ---- Spectrum ---- */

#define JITTER_SPECTRA_MAX	9
#define JITTER_PEAKS_MAX	128

/*
 * struct jitter_power - how regularly something comes
 * @source: whose activations; EVTLOG_JITTER_NONE: all interruptions
 * @events: how many
 * @level: what so many at random exceed anywhere once in a thousand pictures
 * @values: in each bin the greatest power; events at random have 1 in the mean, such as
 *	keep to a grid about two thirds of their number
 * @clear: which of these are above the level, and by as much above what is around them
 */
struct jitter_power {
	uint32_t source;
	size_t events;
	double level;
	double values[JITTER_POINTS_MAX];
	bool clear[JITTER_POINTS_MAX];
};

/*
 * struct jitter_peak - a frequency that a source keeps to
 * @regularity: power as a part of what it would be if all its events kept to it
 * @multiples: of it, where there are peaks, too
 */
struct jitter_peak {
	double hz;
	double power;
	double regularity;
	uint32_t source;
	unsigned int multiples;
};

/*
 * struct jitter_spectrum - of all interruptions, then of the sources that are chosen and
 * took the most
 * @edges: Hz
 * @resolution_hz: frequencies closer than this are one
 * @peaks: by frequency
 */
struct jitter_spectrum {
	unsigned int bins;
	double edges[JITTER_POINTS_MAX + 1];
	double resolution_hz;
	struct jitter_power curves[JITTER_SPECTRA_MAX];
	size_t count;
	struct jitter_peak peaks[JITTER_PEAKS_MAX];
	size_t peak_count;
};

/* 0 or -ENOMEM */
int jitter_spectrum(const struct jitter_data *data, const struct jitter_choice *choice,
		    struct jitter_spectrum *spectrum);

/* Whether an interruption is in the choice. */
bool jitter_chosen(const struct jitter_data *data, const struct jitter_choice *choice,
		   const struct evtlog_interruption *interruption);

#endif /* EVTLOG_JITTER_PLOT_CURVES_H */
