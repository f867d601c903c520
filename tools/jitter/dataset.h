/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the log and the samples of `evtlog jitter run`, and joins them.
 *
 * It computes no sums.
 */
#ifndef EVTLOG_JITTER_DATASET_H
#define EVTLOG_JITTER_DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/jitter.h>

#include "input/event-filter.h"

/* Names of the samples' files, which are in the directory of the log. */
#define DATASET_LOGGED		"logged.samples"
#define DATASET_UNLOGGED	"unlogged.samples"

/*
 * @samples:	path; NULL: logged.samples in the directory of the log
 * @tasks:	selected by pid or name; if it selects tasks, no samples are read; may be NULL
 * @from_ns, @to_ns: since the start of the run; @to_ns UINT64_MAX: to its end
 */
struct dataset_options {
	const char *samples;
	const struct filter *tasks;
	bool by_task;
	uint64_t from_ns;
	uint64_t to_ns;
};

/*
 * @spans:	of the selected tasks, if the log is used without samples
 * @samples:	NULL if the log is used alone; their data is dropped after the join
 * @noise_logged, @noise_unlogged: noise per second of CPU time in ns, from the samples alone,
 *		with and without logging; NAN if no usable samples exist
 */
struct dataset {
	char *log_path;
	char *samples_path;
	struct evtlog_file *file;
	struct evtlog_jitter_span *spans;
	size_t span_count;
	struct evtlog_samples *samples;
	double noise_logged;
	double noise_unlogged;
	struct evtlog_jitter *jitter;
};

/* Words by enum evtlog_samples_method, and NULL */
#define DATASET_METHODS	3
extern const char *const dataset_methods[DATASET_METHODS + 1];

/* --by: one of these words. Returns 0 or -EINVAL. */
extern const char *const dataset_by_words[];
int dataset_parse_by(bool *by_task, const char *text);

/*
 * Opens @path: a log, or a directory. From several logs in a directory, the log of the samples'
 * run is used. Prints errors. Returns an exit status. Call dataset_close() in any case.
 */
int dataset_open(struct dataset *dataset, const char *path,
		 const struct dataset_options *opts);
void dataset_close(struct dataset *dataset);

/*
 * Prints warnings about dropped and excluded samples and lost events; called after all output.
 * Returns EXIT_OK or EXIT_EVENTS_LOST.
 */
int dataset_verdict(const struct dataset *dataset);

/* ---- The times of tasks that --task and --comm select ---- */

/**
 * wanted_spans() - find the times of the tasks that a filter selects
 * @filter: a pid selects all time of a task, a name selects the time under that name
 * @file: the log; it is read once if the filter has names
 * @spans: where the array is stored; the caller frees it in any case
 * @count: where its length is stored
 *
 * Return: 0; -E2BIG too many; -ENOMEM; -errno of read().
 */
int wanted_spans(const struct filter *filter, struct evtlog_file *file,
		 struct evtlog_jitter_span **spans, size_t *count);

#endif /* EVTLOG_JITTER_DATASET_H */
