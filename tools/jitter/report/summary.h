/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `evtlog jitter report` sums up, and the forms in which it shows it.
 *
 * What is excluded since events were lost is in no sum here, but for the counts that say how
 * much it is.
 */
#ifndef EVTLOG_JITTER_REPORT_SUMMARY_H
#define EVTLOG_JITTER_REPORT_SUMMARY_H

#include <evtlog/jitter.h>

#include "common/linebuf.h"
#include "jitter/dataset.h"

/* In percent; a value is shown where at least one of all lies beyond it. */
#define SUMMARY_PERCENTILES	7
extern const double summary_percents[SUMMARY_PERCENTILES];	/* the last is 100 */

enum summary_csv {
	SUMMARY_SOURCES,
	SUMMARY_SAMPLES,
	SUMMARY_INTERRUPTIONS,
	SUMMARY_PARTS,
};

/*
 * @largest:	so many of the largest interruptions
 * @patterns:	so many of the patterns that recur
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

/* @percentiles: in ticks; UINT64_MAX: too few to tell */
struct summary_distribution {
	size_t count;
	uint64_t percentiles[SUMMARY_PERCENTILES];
};

/*
 * Of all threads, or of one.
 * @thread:	NULL: all
 * @rows:	by total time, the greatest first
 * @rows_ticks:	their sum
 * @window_ticks: of the threads, added up
 * @known_ticks: without what was lost
 * @is_cut:	some of what was measured is not in it
 * @noise_ticks ...: sums over samples
 * @kernel_ticks: of interruptions in samples
 * @away_ticks:	of all interruptions, seen or not
 * @stolen_ms:	time that the hypervisor took, from the log, else from /proc/stat; NAN if unknown
 * @below_ticks: of what was not kept as a sample; of all that was measured
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
 * What it costs to log, by the program alone: noise in ns for each second on a CPU, of
 * samples and of what is below the threshold.  Not a number: there is no baseline.
 */
struct summary_disturbance {
	double logged;
	double unlogged;
	double ratio;
};

/*
 * @all:	the sums of @scopes, one for each thread
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

/* Returns 0 or -ENOMEM; account_free() it in any case. */
int summary_sum(struct summary *summary, const struct dataset *dataset,
	       const struct summary_options *opts);
void summary_free(struct summary *summary);

void summary_show(const struct summary *summary, const struct summary_options *opts);
void summary_csv(const struct summary *summary, enum summary_csv what);
void summary_json(const struct summary *summary, const struct summary_options *opts);

/*
 * Whether a thread stayed on the CPU it is known by; a task that no samples are of may be
 * anywhere, and so may its interruptions.
 */
bool summary_has_cpu(const struct evtlog_jitter_thread *thread);

/* Since the run's begin, of an instant in a thread's ticks. */
uint64_t summary_time_ns(const struct summary *summary, size_t thread, uint64_t ticks);

/* Of all, not a number if there is nothing. */
double summary_share(uint64_t part, uint64_t whole);

/* The share of the window that the program did not have; by the log alone, if need be. */
double summary_lost_share(const struct summary *summary, const struct summary_scope *scope);

double summary_row_mean_ns(const struct summary *summary, const struct summary_row *row);
/* Of all its parts, as these are all there are: 0 for a single one. */
double summary_row_deviation_ns(const struct summary *summary, const struct summary_row *row);

/* "user", "kernel", ...: short, for tables and scripts. */
const char *summary_family_word(enum evtlog_jitter_family family);

/* Which line of the samples' text, else of the log's, is @key; NULL: none. */
const char *summary_meta(const struct summary *summary, const char *key);

/* ---- What the texts of `evtlog jitter report` share ---- */

/* @text as a terminal may have it, in @line: names in logs may be anything. */
const char *summary_plain(struct line *line, const char *text);

double summary_us(const struct summary *summary, double ticks);

/* The largest interruptions with what they are made of. */
void summary_show_largest(const struct summary *summary);

/* What recurs: so many patterns at most. */
void summary_show_patterns(const struct summary *summary, uint32_t wanted);

/* Tasks that follow each other: likewise. */
void summary_show_chains(const struct summary *summary, uint32_t wanted);

#endif /* EVTLOG_JITTER_REPORT_SUMMARY_H */
