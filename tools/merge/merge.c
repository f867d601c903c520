// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints many hosts' events as one stream of lines.
 *
 * Stage: between the merge in libevtlog and stdout.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/check/cpu-clocks-print.h"
#include "common/command.h"
#include "common/error.h"
#include "input/open-log.h"
#include "input/selection.h"
#include "lib/stream/task-names.h"
#include "merge.h"
#include "print/around.h"
#include "report.h"
#include "timeline.h"

/*
 * @types:	for each file, by its own numbers
 * @wanted:	True: the file's host is selected
 */
struct merging {
	struct merge_options *opts;
	struct logs logs;
	struct show_host *hosts;
	struct evtlog_tasks **tasks;
	bool (*types)[EVTLOG_TYPE_MAX + 1];
	bool *wanted;
	struct matches matches;
	int64_t begin_ns;
	struct iterator iterator;
	struct real_points real;
	struct order order;
	struct report report;
	struct merged_writer *writer;
};

/* ---- Selection ---- */

static int choose_hosts(struct merging *merging)
{
	const struct choice *choice = &merging->opts->hosts;
	bool any = false;

	for (size_t i = 0; i < merging->logs.count; i++) {
		const struct log_set_file *file = &merging->logs.files[i];
		const char *host = evtlog_meta(file->file, "host");

		merging->wanted[i] = host_filter_fits(choice, file->name) ||
				     (host && host_filter_fits(choice, host));
		any |= merging->wanted[i];
	}
	return any ? EXIT_OK : log_set_refuse_hosts(&merging->logs, merging->opts->command, choice->text);
}

/* It is an error if no file has the name; but not all hosts need to have all types. */
static int choose_types(struct merging *merging)
{
	struct merge_options *opts = merging->opts;
	char unknown[EVTLOG_NAME_MAX + 1] = "";
	size_t lacking = 0;

	for (size_t i = 0; i < merging->logs.count; i++) {
		int lacks = filter_types_of(&opts->filter, opts->types,
					    merging->logs.files[i].file,
					    merging->types[i], unknown);

		if (lacks < 0) {
			pr_err("%s", strerror(-lacks));
			return EXIT_FAILED;
		}
		lacking += lacks;
		opts->show.counters |= filter_has_type(&opts->filter,
						       merging->logs.files[i].file,
						       EVTLOG_COUNTER);
	}
	if (lacking == merging->logs.count)
		return matches_refuse_type(opts->command, unknown, NULL,
					   merging->logs.files[0].file);
	return EXIT_OK;
}

static int prepare_host(struct merging *merging, size_t number)
{
	struct log_set_file *file = &merging->logs.files[number];
	struct show_host *host = &merging->hosts[number];
	int error;

	show_host_init(&merging->opts->show, host, file->name,
		       evtlog_clocksync_clock(merging->logs.hosts, number)->method);
	host->file = file->file;
	error = evtlog_tasks_new(file->file, &merging->tasks[number]);
	if (!error)
		error = fields_init(&host->fields, file->file,
				    merging->tasks[number]);
	host->tasks = merging->tasks[number];
	return error;
}

/* Returns EXIT_OK, or an error after printing why the selection cannot match. */
static int check_options(struct merging *merging)
{
	const struct logs *logs = &merging->logs;

	if (matches_init(&merging->matches,
			 logs->count == 1 ? logs->files[0].path : "this run",
			 &merging->opts->filter, logs->count)) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	merging->matches.length_ns = log_set_end_ns(logs) - log_set_begin_ns(logs);
	for (size_t i = 0; i < logs->count; i++)
		if (merging->wanted[i])
			matches_add(&merging->matches, i, logs->files[i].file,
				    merging->tasks[i], true);
	return matches_check(&merging->matches, merging->opts->command);
}

static int prepare(struct merging *merging)
{
	size_t count = merging->logs.count;
	struct progress progress;
	int status = EXIT_OK, error = 0;

	merging->hosts = calloc(count, sizeof(*merging->hosts));
	merging->tasks = calloc(count, sizeof(*merging->tasks));
	merging->types = calloc(count, sizeof(*merging->types));
	merging->wanted = calloc(count, sizeof(*merging->wanted));
	if (!merging->hosts || !merging->tasks || !merging->types ||
	    !merging->wanted) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	status = choose_hosts(merging);
	if (status == EXIT_OK && merging->opts->types)
		status = choose_types(merging);
	progress_begin(&progress, "names", count);
	for (size_t i = 0; i < count && status == EXIT_OK; i++) {
		if (!merging->wanted[i])
			continue;
		error = prepare_host(merging, i);
		if (error) {
			pr_err("%s: %s", merging->logs.files[i].path,
			       strerror(-error));
			status = EXIT_FAILED;
		}
		progress_update(&progress, i);
	}
	progress_end(&progress);
	merging->begin_ns = log_set_begin_ns(&merging->logs);
	real_points_make(&merging->real, &merging->logs);
	return status == EXIT_OK ? check_options(merging) : status;
}

static void release(struct merging *merging)
{
	for (size_t i = 0; merging->tasks && i < merging->logs.count; i++) {
		fields_free(&merging->hosts[i].fields);
		evtlog_tasks_free(merging->tasks[i]);
	}
	matches_free(&merging->matches);
	free(merging->hosts);
	free(merging->tasks);
	free(merging->types);
	free(merging->wanted);
}

/* ---- Events ---- */

static int show(struct merging *merging, const struct iterator_event *at,
		bool doubtful, bool matches)
{
	struct show_moment moment = {
		.start_ns = at->time_ns - merging->begin_ns,
		.kind_ns = at->time_ns,
		.doubtful = doubtful,
	};

	if (merging->opts->show.time == SHOW_REAL)
		moment.kind_ns = real_at(&merging->real, at->time_ns);
	if (at->event->kind == EVTLOG_EVENT_GAP)
		moment.from_ns = at->from_ns - merging->begin_ns;
	return around_show(merging->opts->around, &merging->opts->show,
			   &merging->hosts[at->log], at->event, &moment,
			   matches);
}

/* Outputs an event that matches, or may be near a match.  Returns 0 or -errno. */
static int give(struct merging *merging, const struct iterator_event *at,
		bool matches)
{
	bool doubtful = false;
	size_t clock;

	if (at->event->kind == EVTLOG_EVENT_RECORD) {
		clock = merging->logs.files[at->log].clock_number;
		doubtful = order_take(&merging->order, clock, at->time_ns,
				      at->bound_ns);
		merging->report.events += matches;
		merging->report.doubtful += matches && doubtful;
	}
	/* Events without a line of their own are counted, too. */
	if (!merging->writer)
		return show_hides(&merging->opts->show, at->event) ? 0 :
		       show(merging, at, doubtful, matches);
	merging->opts->around->limit -= merging->opts->around->limit != UINT64_MAX;
	return merged_write_event(merging->writer, at, doubtful);
}

/* Updates tasks' names from an event, and writes new names.  Returns 0 or -errno. */
static int learn(struct merging *merging, size_t number,
		 const struct evtlog_event *event)
{
	struct evtlog_tasks *tasks = merging->tasks[number];
	char before[EVTLOG_COMM_LEN] = "";
	const struct evtlog_task *task;
	struct task_naming naming;
	int error;

	if (!task_naming(event, &naming))
		return 0;
	task = evtlog_tasks_find(tasks, naming.pid);
	if (task)
		memcpy(before, task->comm, sizeof(before));
	error = evtlog_tasks_update(tasks, event);
	if (error || !merging->writer)
		return error;
	task = evtlog_tasks_find(tasks, naming.pid);
	if (!task || !memcmp(before, task->comm, sizeof(before)))
		return 0;
	return merged_write_name(merging->writer, number, task);
}

/* Outputs events of the selected hosts, CPUs and times, if they match or may be near a match. */
static int choose(struct merging *merging, const struct iterator_event *at)
{
	const struct merge_options *opts = merging->opts;
	bool matches = show_selects(&opts->filter, merging->types[at->log],
				    &merging->hosts[at->log], at->event);

	merging->matches.count += matches && at->event->kind == EVTLOG_EVENT_RECORD;
	if (!matches && !around_is_wanted(opts->around))
		return 0;
	return give(merging, at, matches);
}

static int take(void *context, const struct iterator_event *at)
{
	const struct evtlog_event *event = at->event;
	bool fork = event->known == EVTLOG_SCHED_PROCESS_FORK;
	struct merging *merging = context;
	int error = 0;

	if (event->kind == EVTLOG_EVENT_GAP ||
	    (event->kind == EVTLOG_EVENT_END && event->rest_missing))
		merging->logs.files[at->log].gaps++;
	matches_see(&merging->matches, at->log, event, false);
	/* A child has its name from its fork event on. */
	if (fork)
		error = learn(merging, at->log, event);
	if (!error && iterator_wants(&merging->iterator, at))
		error = choose(merging, at);
	/* Other names are valid after the event. */
	if (!error && !fork)
		error = learn(merging, at->log, event);
	return error;
}

static int read_events(struct merging *merging)
{
	const struct merge_options *opts = merging->opts;
	const struct iterator_window window = {
		.begin_ns = merging->begin_ns,
		.from_ns = opts->filter.from_ns,
		.to_ns = opts->filter.to_ns,
		.cpus = opts->filter.cpus,
		.logs = merging->wanted,
	};
	struct iterator *iterator = &merging->iterator;
	int error = iterator_of_hosts(iterator, merging->logs.hosts, merging->logs.handles,
				      merging->logs.count, opts->memory_bytes, &window);

	if (!error)
		error = events_show_all(iterator, opts->around, opts->command, take, merging);
	if (iterator->ended)
		merging->report.whole = !opts->hosts.text;
	iterator_end(iterator);
	return error;
}

/* Up to three hosts check CPU_CLOCKS_EVENTS events each; more hosts share four times as many. */
static void warn_of_cpus(const struct logs *logs)
{
	uint64_t events = 4 * CPU_CLOCKS_EVENTS / (logs->count + 1) + 20000;

	if (events > CPU_CLOCKS_EVENTS)
		events = CPU_CLOCKS_EVENTS;
	for (size_t i = 0; i < logs->count; i++)
		cpu_clocks_warn(logs->files[i].file, logs->files[i].path, events);
}

/* ---- The report ---- */

int merge_report(const struct merge_options *opts, const struct report *report)
{
	const char *path = opts->report;
	FILE *out = stdout;
	int failed;

	if (!path) {
		if (opts->prints_report) {
			fflush(stdout);
			report_show(report, stderr);
		}
		return EXIT_OK;
	}
	if (strcmp(path, "-")) {
		/* Opened in place, as it may be /dev/stderr. */
		int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

		out = fd < 0 ? NULL : fdopen(fd, "w");
		if (!out) {
			pr_err("%s: %s", path, strerror(errno));
			if (fd >= 0)
				close(fd);
			return EXIT_FAILED;
		}
	}
	report_json(report, out);
	failed = ferror(out);
	if (out != stdout)
		failed |= fclose(out);
	if (!failed)
		return EXIT_OK;
	pr_err("%s: %s", path, strerror(errno));
	return EXIT_FAILED;
}

/* Adds the counts to the data of the files, which are now read. */
static int make_report(struct merging *merging)
{
	struct report counted = merging->report;
	int error;

	report_free(&merging->report);
	error = report_of_log_set(&merging->report, &merging->logs,
				  &merging->opts->clocks);
	merging->report.counted = true;
	merging->report.whole = counted.whole;
	merging->report.events = counted.events;
	merging->report.doubtful = counted.doubtful;
	return error;
}

static int start_output(struct merging *merging)
{
	const struct merge_options *opts = merging->opts;
	int error;

	error = report_of_log_set(&merging->report, &merging->logs, &opts->clocks);
	if (!error)
		error = merged_write_new(opts->output, opts->level, &merging->report,
					 &merging->real, merging->logs.handles,
					 &merging->writer);
	for (size_t i = 0; !error && i < merging->logs.count; i++) {
		const struct evtlog_task *task;

		for (size_t k = 0; !error && merging->tasks[i] &&
				   evtlog_tasks_at(merging->tasks[i], k, &task); k++)
			if (task)
				error = merged_write_name(merging->writer, i, task);
	}
	return error;
}

static int say_error(const struct merging *merging, int error)
{
	const char *directory = getenv("TMPDIR");

	if (error == -ENOSPC && !merging->writer)
		pr_err("dump: %s is full: set TMPDIR to a larger directory, or use a larger --memory",
		       directory && *directory ? directory : "/var/tmp");
	else if (merging->opts->output)
		pr_err("%s: %s%s", merging->opts->output, strerror(-error),
		       error == -ENOSPC ? " (or in TMPDIR)" : "");
	else
		pr_err("dump: %s", strerror(-error));
	return EXIT_FAILED;
}

static int read_and_write(struct merging *merging)
{
	int error = 0;

	if (merging->opts->output)
		error = start_output(merging);
	if (!error)
		error = read_events(merging);
	if (!error && merging->opts->around->limit)
		matches_report(&merging->matches);
	if (!error)
		error = make_report(merging);
	if (!error && merging->writer)
		error = merged_write_finish(merging->writer, &merging->report);
	return error ? say_error(merging, error) :
	       merge_report(merging->opts, &merging->report);
}

static int merge_log_set(struct merge_options *opts, char **paths, size_t count)
{
	struct merging merging = { .opts = opts };
	int status, verdict;

	status = log_set_open(&merging.logs, paths, count, &opts->clocks);
	if (status != EXIT_OK)
		return status;
	status = log_set_relate(&merging.logs, &opts->clocks, true);
	if (status == EXIT_OK)
		status = prepare(&merging);
	if (status == EXIT_OK)
		status = read_and_write(&merging);
	if (status == EXIT_OK) {
		warn_of_cpus(&merging.logs);
		verdict = log_set_verdict(&merging.logs);
		status = finish(verdict);
	}
	merged_write_free(merging.writer);
	report_free(&merging.report);
	release(&merging);
	log_set_close(&merging.logs);
	return status;
}

int merge_files(struct merge_options *opts, char **paths, size_t count)
{
	if (count == 1 && evtlog_is_merged(paths[0])) {
		if (!opts->output)
			return merged_show(opts, paths[0]);
		pr_err("%s: is a merged file: copy it, or name the hosts' files",
		       paths[0]);
		return EXIT_FAILED;
	}
	return merge_log_set(opts, paths, count);
}
