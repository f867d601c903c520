/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interruptions as curves: histograms, Parzen-window densities, a spectrum; and lists of the
 * interruptions of a bar.
 *
 * Stage: between evtlog_jitter_new() and its output. Pictures and the page use the same numbers.
 * It draws nothing and reads no log.
 */
#ifndef EVTLOG_JITTER_PLOT_CURVES_H
#define EVTLOG_JITTER_PLOT_CURVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/jitter.h>

/* Edges are multiples of the grain, so that their decimals are exact when shown. */
#define JITTER_GRAINS		1000.0	/* in 1 ns */
#define JITTER_GRAIN_NS		(1 / JITTER_GRAINS)
#define JITTER_POINTS_MAX	2000u
#define JITTER_CURVES_MAX	9

/* The lengths that a curve shows. */
enum jitter_series {
	JITTER_USER,		/* noise of samples, as the program measured it */
	JITTER_INTERRUPTION,	/* recorded: from leaving user mode to entering it again */
	JITTER_PART,		/* recorded: own time of each task and interrupt */
	JITTER_SERIES
};

extern const char *const jitter_series_names[JITTER_SERIES];

/* The arrays of an evtlog_jitter, which owns them. */
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
 * Selects data, and how to show them.
 * @sources: flags by number; NULL: all. Interruptions and samples are selected if they have a
 *		part of a selected source
 * @threads: flags by number; NULL: all
 * @from, @to: [from, to) in ns, for a spectrum in Hz; 0: the range of the data
 * @linear: the axis is linear, else logarithmic
 * @points: number of bins, or of points of a curve
 * @bandwidth: of densities: in ns, or in decades if the axis is logarithmic; 0: by Silverman's
 *		rule
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
 * jitter_values() - lengths in ns, ascending; the caller frees them
 * @source: only this source; EVTLOG_JITTER_NONE: all selected sources
 *
 * Excluded lengths are left out. Return: 0 or -ENOMEM.
 */
int jitter_values(const struct jitter_data *data, const struct jitter_choice *choice,
		  enum jitter_series series, uint32_t source, double **values, size_t *count);

/* The least value above 0 of an ascending array, where an axis can start; else INFINITY. */
double jitter_least(const double *values, size_t count);

/*
 * jitter_edges() - edges of @choice->points bins; fewer, if bins would be below the grain
 * @lowest, @highest: range of the data, used where @from or @to of the choice is 0
 * @edges: room for JITTER_POINTS_MAX + 1
 *
 * Returns the number of bins.
 */
unsigned int jitter_edges(const struct jitter_choice *choice, double lowest, double highest,
			  double *edges);

/*
 * struct jitter_histogram - samples and recorded interruptions, in the same bins
 * @edges: @bins + 1 values; bin i is [edges[i], edges[i + 1])
 * @below, @above: number of values outside of the bins
 */
struct jitter_histogram {
	unsigned int bins;
	double edges[JITTER_POINTS_MAX + 1];
	double counts[JITTER_SERIES][JITTER_POINTS_MAX];
	uint64_t below[JITTER_SERIES];
	uint64_t above[JITTER_SERIES];
};

void jitter_histogram(const struct jitter_data *data, const struct jitter_choice *choice,
		      struct jitter_histogram *histogram);

/*
 * struct jitter_density - a Parzen window estimate with Gaussian kernels
 * @source: its number; EVTLOG_JITTER_NONE: all
 * @bandwidth: in the unit of the choice
 * @values: the mean density in each bin, per ns, or per decade if the axis is logarithmic
 */
struct jitter_density {
	enum jitter_series series;
	uint32_t source;
	size_t count;
	double bandwidth;
	double values[JITTER_POINTS_MAX];
};

/*
 * jitter_density() - density of @count ascending @values over @bins bins
 *
 * The integral, including the part beyond the edges, is 1. Return: 0 or -ENOMEM.
 */
int jitter_density(const double *values, size_t count, const double *edges,
		   unsigned int bins, const struct jitter_choice *choice,
		   struct jitter_density *density);


/*
 * struct jitter_densities - of whole interruptions, then of the parts of the selected sources
 * with the largest totals
 */
struct jitter_densities {
	unsigned int bins;
	double edges[JITTER_POINTS_MAX + 1];
	struct jitter_density curves[JITTER_CURVES_MAX];
	size_t count;
};

/* Returns 0 or -ENOMEM. */
int jitter_densities(const struct jitter_data *data, const struct jitter_choice *choice,
		     struct jitter_densities *densities);

/* ---- The items of a bar ---- */

/*
 * @ns: length by which the item was selected
 * @interruption: EVTLOG_JITTER_NONE if the sample has no interruption
 * @sample: EVTLOG_JITTER_NONE if the interruption is in no sample
 * @part: EVTLOG_JITTER_NONE unless the series is JITTER_PART
 */
struct jitter_item {
	double ns;
	uint32_t interruption;
	uint32_t sample;
	uint32_t part;
};

/*
 * jitter_list() - items with a length in [choice->from, choice->to), the longest first
 * @items: room for @limit
 * @found: set to the number of all such items
 *
 * Returns the number of items in @items.
 */
size_t jitter_list(const struct jitter_data *data, const struct jitter_choice *choice,
		enum jitter_series series, size_t limit, struct jitter_item *items,
		size_t *found);

/* ---- Spectrum ---- */

#define JITTER_PEAKS_MAX	128

/*
 * struct jitter_power - the power of a source by frequency: how regular it is
 * @source: whose activations; EVTLOG_JITTER_NONE: all interruptions
 * @events: their number
 * @level: random events exceed it in one of a thousand pictures
 * @values: the greatest power in each bin; random events have the mean 1, events on a grid have
 *		about two thirds of their number
 * @clear: bins that are above @level, and above @level times the power around them
 */
struct jitter_power {
	uint32_t source;
	size_t events;
	double level;
	double values[JITTER_POINTS_MAX];
	bool clear[JITTER_POINTS_MAX];
};

/*
 * struct jitter_peak - a frequency of a source
 * @regularity: power, as a share of the power if all events were on the grid
 * @multiples: number of multiples of @hz that also have peaks
 */
struct jitter_peak {
	double hz;
	double power;
	double regularity;
	uint32_t source;
	unsigned int multiples;
};

/*
 * struct jitter_spectrum - of all interruptions, then of the selected sources with the largest
 * totals
 * @edges: Hz
 * @resolution_hz: frequencies closer than this are not separated
 * @peaks: ordered by frequency
 */
struct jitter_spectrum {
	unsigned int bins;
	double edges[JITTER_POINTS_MAX + 1];
	double resolution_hz;
	struct jitter_power curves[JITTER_CURVES_MAX];
	size_t count;
	struct jitter_peak peaks[JITTER_PEAKS_MAX];
	size_t peak_count;
};

/* Returns 0 or -ENOMEM. */
int jitter_spectrum(const struct jitter_data *data, const struct jitter_choice *choice,
		    struct jitter_spectrum *spectrum);

/* Returns true if an interruption is selected. */
bool jitter_chosen(const struct jitter_data *data, const struct jitter_choice *choice,
		   const struct evtlog_interruption *interruption);

#endif /* EVTLOG_JITTER_PLOT_CURVES_H */
