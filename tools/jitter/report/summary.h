/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums of `evtlog jitter report`, and its output formats.
 *
 * Samples and interruptions near lost events are excluded from all sums; only their number is
 * shown.
 */
#ifndef EVTLOG_JITTER_REPORT_SUMMARY_H
#define EVTLOG_JITTER_REPORT_SUMMARY_H

#include <evtlog/jitter.h>

#include "common/linebuf.h"
#include "jitter/dataset.h"

/* A percentile is known if at least one value can be above it. */
#define SUMMARY_PERCENTILES	7
extern const double summary_percents[SUMMARY_PERCENTILES];	/* the last is 100 */

enum summary_csv {
	SUMMARY_SOURCES,
	SUMMARY_SAMPLES,
	SUMMARY_INTERRUPTIONS,
	SUMMARY_PARTS,
};

/*
 * @largest:	number of largest interruptions to print
 * @patterns:	largest number of patterns to print
 */
struct summary_options {
	struct dataset_options dataset;
	bool per_cpu;
	uint32_t largest;
	uint32_t patterns;
};

/* A source's row, of all threads or of one. */
struct summary_row {
	const struct evtlog_jitter_source *source;
	uint64_t count;
	uint64_t min_ticks;
	uint64_t max_ticks;
	uint64_t total_ticks;
	double sum_squares;
};

struct summary_family {
	uint64_t count;
	uint64_t total_ticks;
};

/* @percentiles: in ticks; UINT64_MAX if there are too few values */
struct summary_distribution {
	size_t count;
	uint64_t percentiles[SUMMARY_PERCENTILES];
};

/*
 * Sums of all threads, or of one.
 * @thread:	NULL: all
 * @rows:	by total time, the greatest first
 * @rows_ticks:	their sum
 * @window_ticks: sum of the threads' windows
 * @known_ticks: @window_ticks without gaps
 * @is_cut:	the window is shorter than the measurement
 * @noise_ticks ...: sums over samples
 * @kernel_ticks: interruptions in samples
 * @away_ticks:	all interruptions, in samples or not
 * @stolen_ms:	time that the hypervisor took, from the log, else from /proc/stat; NAN if unknown
 * @below_ticks: noise below the threshold, of the whole measurement
 * @lengths:	of interruptions
 * @noises:	of samples
 */
struct summary_scope {
	const struct evtlog_jitter_thread *thread;
	struct summary_row *rows;
	size_t row_count;
	uint64_t rows_ticks;
	struct summary_family families[EVTLOG_FAMILIES];
	uint64_t window_ticks;
	uint64_t known_ticks;
	bool is_cut;
	uint64_t samples;
	uint64_t matched;
	uint64_t excluded;
	uint64_t noise_ticks;
	uint64_t kernel_ticks;
	uint64_t crossing_ticks;
	uint64_t inferred_ticks;
	double stolen_ms;
	uint64_t below_ticks;
	uint64_t max_residual_ticks;
	uint64_t interruptions;
	uint64_t unseen;
	uint64_t away_ticks;
	struct summary_distribution lengths;
	struct summary_distribution noises;
};

/*
 * The cost of logging, from the samples alone: noise in ns per second of CPU time, including
 * noise below the threshold. NAN if there is no baseline.
 */
struct summary_disturbance {
	double logged;
	double unlogged;
	double ratio;
};

/*
 * @all:	the sums of @scopes, which has one scope per thread
 * @largest:	numbers of interruptions, the longest first
 */
struct summary {
	const struct dataset *dataset;
	const struct evtlog_jitter *jitter;
	const struct evtlog_jitter_summary *summary;
	const struct evtlog_jitter_thread *threads;
	const struct evtlog_jitter_source *sources;
	const struct evtlog_interruption *interruptions;
	const struct evtlog_jitter_part *parts;
	const struct evtlog_jitter_sample *samples;
	const struct evtlog_jitter_pattern *patterns;
	const struct evtlog_jitter_pattern *chains;
	size_t thread_count;
	size_t source_count;
	size_t interruption_count;
	size_t part_count;
	size_t sample_count;
	size_t pattern_count;
	size_t chain_count;
	struct summary_scope all;
	struct summary_scope *scopes;
	struct summary_disturbance disturbance;
	uint32_t *largest;
	size_t largest_count;
};

/* Returns 0 or -ENOMEM; call summary_free() in any case. */
int summary_sum(struct summary *summary, const struct dataset *dataset,
	       const struct summary_options *opts);
void summary_free(struct summary *summary);

void summary_show(const struct summary *summary, const struct summary_options *opts);
void summary_csv(const struct summary *summary, enum summary_csv what);
void summary_json(const struct summary *summary, const struct summary_options *opts);

/*
 * Returns true if the thread is pinned to a CPU. A task without samples can run on any CPU, and
 * so can its interruptions.
 */
bool summary_has_cpu(const struct evtlog_jitter_thread *thread);

/* Converts an instant in a thread's ticks to ns since the start of the run. */
uint64_t summary_time_ns(const struct summary *summary, size_t thread, uint64_t ticks);

/* @part / @whole; NAN if @whole is 0. */
double summary_share(uint64_t part, uint64_t whole);

/* The share of the window that the program lost; from the log alone if there are no samples. */
double summary_lost_share(const struct summary *summary, const struct summary_scope *scope);

double summary_row_mean_ns(const struct summary *summary, const struct summary_row *row);
/* The standard deviation of all parts; 0 if there is one part. */
double summary_row_deviation_ns(const struct summary *summary, const struct summary_row *row);

/* "user", "kernel", ...: short, for tables and scripts. */
const char *summary_family_word(enum evtlog_jitter_family family);

/* The value of @key in the samples' text, else in the log; NULL if there is none. */
const char *summary_meta(const struct summary *summary, const char *key);

/* ---- Shared by the text output of `evtlog jitter report` ---- */

/* @text, escaped for a terminal, in @line: names in logs can contain any bytes. */
const char *summary_plain(struct line *line, const char *text);

double summary_us(const struct summary *summary, double ticks);

/* Prints the largest interruptions with their parts. */
void summary_show_largest(const struct summary *summary);

/* Prints at most @wanted recurring patterns. */
void summary_show_patterns(const struct summary *summary, uint32_t wanted);

/* Prints at most @wanted chains: tasks that follow each other. */
void summary_show_chains(const struct summary *summary, uint32_t wanted);

#endif /* EVTLOG_JITTER_REPORT_SUMMARY_H */
