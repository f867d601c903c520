/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens what `evtlog jitter run` left, and joins log and samples.
 *
 * It sums nothing up.
 */
#ifndef EVTLOG_JITTER_DATASET_H
#define EVTLOG_JITTER_DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/jitter.h>

#include "input/event-filter.h"

/* The names in the directory, beside the log. */
#define DATASET_LOGGED		"logged.samples"
#define DATASET_UNLOGGED	"unlogged.samples"

/*
 * @samples:	path; NULL: logged.samples beside the log
 * @tasks:	chosen by pid or name; if there are any, no samples are read; NULL: none
 * @from_ns, @to_ns: since the run's begin; @to_ns UINT64_MAX: to its end
 */
struct dataset_options {
	const char *samples;
	const struct filter *tasks;
	bool by_task;
	uint64_t from_ns;
	uint64_t to_ns;
};

/*
 * @spans:	of tasks, if joined by the log alone
 * @samples:	NULL: joined by the log alone
 * 		the samples themselves are dropped when they are joined
 * @noise_logged, @noise_unlogged: ns in a second on a CPU, by samples alone; the latter by the
 *		same benchmark with logging off.  Not a number: there is none (that fits)
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

/* --by: one of these.  Returns 0 or -EINVAL. */
extern const char *const dataset_by_words[];
int dataset_parse_by(bool *by_task, const char *text);

/*
 * @path: a directory with one log in it, or one of the samples' run; or a log.  Returns an exit status, after saying
 * what is wrong; dataset_close() it in any case.
 */
int dataset_open(struct dataset *dataset, const char *path,
		 const struct dataset_options *opts);
void dataset_close(struct dataset *dataset);

/*
 * After all was shown: says on stderr what was lost of log and samples, and that it is
 * left out.  Returns EXIT_OK or EXIT_EVENTS_LOST.
 */
int dataset_verdict(const struct dataset *dataset);

/* ---- The tasks, and the parts of their time, that --task and --comm select ---- */

/**
 * wanted_spans() - find the spans of tasks that a selection wants
 * @filter: has pids, which select all time of a task, and names, which select the time under that name
 * @file: the log, which is read once if there are names
 * @spans: where the array is stored; free() it in any case
 * @count: where its length is stored
 *
 * Return: 0; -E2BIG too many; -ENOMEM; -errno of read().
 */
int wanted_spans(const struct filter *filter, struct evtlog_file *file,
		 struct evtlog_jitter_span **spans, size_t *count);

#endif /* EVTLOG_JITTER_DATASET_H */
