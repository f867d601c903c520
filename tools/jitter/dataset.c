// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens the log and the samples of `evtlog jitter run`, and joins them.
 */
#include <errno.h>
#include <math.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "common/options.h"
#include "dataset.h"
#include "input/open-log.h"
#include "input/selection.h"

/* Returns the path of @name in the directory of @path; NULL if out of memory. */
static char *beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	char *result;

	if (asprintf(&result, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name) < 0)
		return NULL;
	return result;
}

/* The run during which the samples were taken; 0 if unknown. */
static uint64_t run_of_samples(const char *path)
{
	const struct evtlog_samples_thread *thread;
	struct evtlog_samples *samples;
	uint64_t run = 0;

	if (evtlog_samples_open(path, &samples, NULL))
		return 0;
	for (size_t i = 0; !run && (thread = evtlog_samples_thread(samples, i)); i++)
		run = thread->begin.run;
	evtlog_samples_close(samples);
	return run;
}

/*
 * The directory also gets logs of buffers that an earlier logger left in the kernel. Picks the
 * log of the samples' run; NULL if none or several match.
 */
static const char *log_of_samples(char **paths, size_t count,
				  const struct dataset_options *opts)
{
	char *path = opts->samples ? strdup(opts->samples) : beside(paths[0], DATASET_LOGGED);
	bool by_tasks = opts->tasks && filter_has_some_tasks(opts->tasks);
	uint64_t run = path && !by_tasks ? run_of_samples(path) : 0;
	const char *found = NULL;
	size_t fitting = 0;

	free(path);
	for (size_t i = 0; run && i < count; i++) {
		struct evtlog_file *file;

		if (evtlog_open(paths[i], &file, NULL))
			continue;
		if (evtlog_run(file) == run) {
			found = paths[i];
			fitting++;
		}
		evtlog_close(file);
	}
	return fitting == 1 ? found : NULL;
}

static int find_log(struct dataset *dataset, const char *path,
		    const struct dataset_options *opts)
{
	char *args[] = { (char *)path };
	int status = EXIT_FAILED;
	const char *found;
	size_t count;
	char **paths;

	if (paths_expand(args, 1, &paths, &count) != EXIT_OK)
		return EXIT_FAILED;
	found = count == 1 ? paths[0] : log_of_samples(paths, count, opts);
	if (!found) {
		pr_err("%s: contains %zu logs: name one", path, count);
		goto out;
	}
	dataset->log_path = strdup(found);
	if (!dataset->log_path) {
		pr_err("%s: %s", path, strerror(ENOMEM));
		goto out;
	}
	status = EXIT_OK;
out:
	paths_free(paths, count);
	return status;
}

static const char *reason(const struct evtlog_error *error, int result)
{
	return error->reason[0] ? error->reason : strerror(-result);
}

static int open_samples(struct dataset *dataset, const struct dataset_options *opts)
{
	struct evtlog_error error = { 0 };
	int result;

	dataset->samples_path = opts->samples ? strdup(opts->samples) :
				beside(dataset->log_path, DATASET_LOGGED);
	if (!dataset->samples_path) {
		pr_err("%s: %s", dataset->log_path, strerror(ENOMEM));
		return EXIT_FAILED;
	}
	if (!opts->samples && access(dataset->samples_path, F_OK) && errno == ENOENT) {
		pr_err("%s: no " DATASET_LOGGED " in the same directory: name the samples with --samples, or tasks with --task",
		       dataset->log_path);
		return EXIT_FAILED;
	}
	result = evtlog_samples_open(dataset->samples_path, &dataset->samples, &error);
	if (result) {
		pr_err("%s: %s", dataset->samples_path, reason(&error, result));
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

static bool same_meta(const struct evtlog_samples *a, const struct evtlog_samples *b,
		      const char *key)
{
	const char *of_a = evtlog_samples_meta(a, key);
	const char *of_b = evtlog_samples_meta(b, key);

	return of_a && of_b ? !strcmp(of_a, of_b) : of_a == of_b;
}

/* The cost of logging can be computed only for the same benchmark in the same boot. */
static const char *why_unfit(const struct evtlog_samples *unlogged,
			     const struct evtlog_samples *logged)
{
	const struct evtlog_samples_header *header = evtlog_samples_header(unlogged);

	if (header->flags & EVTLOG_SAMPLES_LOGGED)
		return "it was measured with logging";
	if (header->method != evtlog_samples_header(logged)->method ||
	    !same_meta(unlogged, logged, "threshold_ns"))
		return "it has another method or threshold";
	if (!same_meta(unlogged, logged, "boot_id"))
		return "it is of another boot";
	return NULL;
}

/* Noise in ns per second of CPU time. */
static double noise_per_s(const struct evtlog_samples *samples)
{
	const struct evtlog_samples_thread *thread;
	uint64_t noise = 0, window = 0;

	for (size_t i = 0; (thread = evtlog_samples_thread(samples, i)); i++) {
		const struct evtlog_sample *of = evtlog_samples_of(samples, i);

		for (uint64_t j = 0; j < thread->samples; j++)
			noise += evtlog_sample_noise(samples, thread, &of[j]);
		/* Memory was full: the window ends at the last sample; below_ticks covers more. */
		if (thread->dropped && thread->samples) {
			window += of[thread->samples - 1].end_ticks - thread->begin_ticks;
			continue;
		}
		noise += thread->below_ticks;
		window += thread->end_ticks - thread->begin_ticks;
	}
	return window ? 1e9 * ((double)noise / window) : NAN;
}

/* The unlogged samples are optional: unusable ones are only a warning. */
static int open_unlogged(struct dataset *dataset)
{
	struct evtlog_samples *unlogged = NULL;
	struct evtlog_error error = { 0 };
	char *path = beside(dataset->samples_path, DATASET_UNLOGGED);
	const char *why = NULL;
	int result;

	if (!path) {
		pr_err("%s: %s", dataset->samples_path, strerror(ENOMEM));
		return EXIT_FAILED;
	}
	result = evtlog_samples_open(path, &unlogged, &error);
	if (result) {
		unlogged = NULL;
		if (result != -ENOENT)
			why = reason(&error, result);
	} else {
		why = why_unfit(unlogged, dataset->samples);
	}
	if (why)
		pr_warn("%s: %s; the cost of logging is unknown", path, why);
	else if (unlogged)
		dataset->noise_unlogged = noise_per_s(unlogged);
	evtlog_samples_close(unlogged);
	free(path);
	return EXIT_OK;
}

/* The samples use most of the memory that the result does not need. */
static void drop_samples(void *arg)
{
	struct dataset *dataset = arg;

	if (dataset->samples)
		evtlog_samples_drop(dataset->samples);
}

static void show_progress(void *arg, uint64_t done, uint64_t all)
{
	struct progress *progress = arg;

	progress->total = all;
	progress_update(progress, done);
}

static int join(struct dataset *dataset, const struct dataset_options *opts)
{
	uint64_t begin_ns = evtlog_begin_ns(dataset->file);
	struct evtlog_jitter_options options = {
		.by_task = opts->by_task,
		.from_ns = opts->from_ns ? begin_ns + opts->from_ns : 0,
		.to_ns = opts->to_ns == UINT64_MAX ? 0 : begin_ns + opts->to_ns,
		.progress = show_progress,
		.joined = drop_samples,
		.joined_arg = dataset,
	};
	struct evtlog_error error = { 0 };
	struct progress progress;
	int result;

	progress_begin(&progress, dataset->log_path, 0);
	options.progress_arg = &progress;
	result = dataset->samples ?
		 evtlog_jitter_new(dataset->file, dataset->samples, &options, &dataset->jitter,
				   &error) :
		 evtlog_jitter_new_of(dataset->file, dataset->spans, dataset->span_count,
				      &options, &dataset->jitter, &error);
	progress_end(&progress);
	if (!result)
		return EXIT_OK;
	dataset->jitter = NULL;
	if (result == -EXDEV)
		pr_err("%s: %s: %s", dataset->log_path, dataset->samples_path,
		       reason(&error, result));
	else if (result == -ENODATA)
		pr_err("%s: %s, as 'evtlog jitter run' does",
		       dataset->log_path, reason(&error, result));
	else
		pr_err("%s: %s", dataset->log_path, reason(&error, result));
	return EXIT_FAILED;
}

const char *const dataset_methods[DATASET_METHODS + 1] = {
	[EVTLOG_SAMPLES_LOOP] = "detour", [EVTLOG_SAMPLES_WORK] = "fwq",
	[EVTLOG_SAMPLES_QUANTUM] = "ftq",
};

const char *const dataset_by_words[] = { "name", "task", NULL };

int dataset_parse_by(bool *by_task, const char *text)
{
	int word = options_word(dataset_by_words, text);

	if (word < 0)
		return word;
	*by_task = word;
	return 0;
}

/* Checks that the log has the selected time, and tasks of the selected names. */
static int choose(struct dataset *dataset, const struct dataset_options *opts)
{
	struct filter window = { .from_ns = opts->from_ns, .to_ns = opts->to_ns };
	const char *path = dataset->log_path;
	struct evtlog_tasks *names = NULL;
	char why[MATCHES_WHY_BYTES];
	struct matches matches;
	int status = EXIT_OK, error;

	error = matches_init(&matches, path, &window, 1);
	if (error)
		goto out;
	matches_add(&matches, 0, dataset->file, NULL, true);
	matches.length_ns = evtlog_end_ns(dataset->file) - evtlog_begin_ns(dataset->file);
	if (!matches_can(&matches, why)) {
		pr_err("%s", why);
		status = EXIT_MISUSE;
		goto out;
	}
	if (!opts->tasks || !filter_has_some_tasks(opts->tasks))
		goto out;
	error = wanted_spans(opts->tasks, dataset->file, &dataset->spans, &dataset->span_count);
	if (error || dataset->span_count)
		goto out;
	status = EXIT_FAILED;
	error = evtlog_tasks_new(dataset->file, &names);
	if (!error) {
		matches.filter = opts->tasks;
		matches_add(&matches, 0, dataset->file, names, true);
		matches_report_tasks(&matches);
	}
out:
	evtlog_tasks_free(names);
	matches_free(&matches);
	if (!error)
		return status;
	pr_err("%s: %s", path, error == -E2BIG ? "too many tasks have such a name" :
	       strerror(-error));
	return EXIT_FAILED;
}

int dataset_open(struct dataset *dataset, const char *path,
		 const struct dataset_options *opts)
{
	int status;

	memset(dataset, 0, sizeof(*dataset));
	dataset->noise_logged = NAN;
	dataset->noise_unlogged = NAN;
	status = find_log(dataset, path, opts);
	if (status == EXIT_OK) {
		dataset->file = log_open_events(dataset->log_path);
		status = dataset->file ? EXIT_OK : EXIT_FAILED;
	}
	if (status == EXIT_OK && log_is_global(dataset->file)) {
		pr_err("%s: is the log of a global named buffer, without data per CPU; use evtlog dump or evtlog stat",
		       dataset->log_path);
		status = EXIT_FAILED;
	}
	if (status == EXIT_OK)
		status = choose(dataset, opts);
	if (status == EXIT_OK && !(opts->tasks && filter_has_some_tasks(opts->tasks)))
		status = open_samples(dataset, opts);
	if (status == EXIT_OK && dataset->samples) {
		dataset->noise_logged = noise_per_s(dataset->samples);
		status = open_unlogged(dataset);
	}
	if (status == EXIT_OK)
		status = join(dataset, opts);
	return status;
}

void dataset_close(struct dataset *dataset)
{
	evtlog_jitter_free(dataset->jitter);
	free(dataset->spans);
	evtlog_samples_close(dataset->samples);
	evtlog_close(dataset->file);
	free(dataset->samples_path);
	free(dataset->log_path);
	memset(dataset, 0, sizeof(*dataset));
}

int dataset_verdict(const struct dataset *dataset)
{
	const struct evtlog_jitter_summary *summary = evtlog_jitter_summary(dataset->jitter);
	int status = log_verdict(dataset->file, dataset->log_path);

	if (summary->dropped) {
		pr_warn("%s: %" PRIu64 " samples dropped: use a larger threshold or a shorter duration",
		       dataset->samples_path, summary->dropped);
		status = EXIT_EVENTS_LOST;
	}
	if (summary->excluded) {
		pr_warn("%s: %" PRIu64 " samples excluded: events were lost near them",
		       dataset->log_path, summary->excluded);
		status = EXIT_EVENTS_LOST;
	}
	return status;
}
