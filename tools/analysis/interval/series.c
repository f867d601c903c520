// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Goes through the intervals of one or several logs.
 *
 * Called by cmd-stat.c. Hosts do not depend on each other. So each log is read alone, up to the end
 * of an interval on the common timeline. Memory does not grow with the length of logs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/cpu-clocks-print.h"
#include "common/command.h"
#include "common/error.h"
#include "input/open-log.h"
#include "interval.h"

/* More intervals are hardly useful; a damaged log may seem to last for years. */
#define INTERVALS_MAX	4000000

/*
 * @hosts:	the wanted hosts of @logs, with @numbers there
 * @part:	for each host: its log contains a part of the interval
 * @begin_ns, @end_ns: first and last instant of all logs that are read, on the timeline
 */
struct series {
	const struct interval_options *options;
	struct logs logs;
	struct interval_host *hosts;
	size_t *numbers;
	bool *part;
	size_t count;
	int64_t begin_ns;
	int64_t end_ns;
	struct progress progress;
};

/* ---- Logs ---- */

static bool is_wanted(const struct series *series, const struct log_set_file *log)
{
	const char *host = evtlog_meta(log->file, "host");

	return host_filter_fits(series->options->hosts, log->name) ||
	       (host && host_filter_fits(series->options->hosts, host));
}

static int open_host(struct series *series, size_t number)
{
	const struct log_set_file *log = &series->logs.files[number];
	struct interval_host *host = &series->hosts[series->count];
	char *disordered;
	int error;

	if (log_is_global(log->file)) {
		pr_err("%s: is the log of a global named buffer, without data per CPU; use evtlog stat without --interval",
		       log->path);
		return EXIT_FAILED;
	}
	series->numbers[series->count++] = number;
	error = interval_host_init(host, log->file, log->name, series->options->filter,
				   series->options->source);
	disordered = cpu_clocks_warning(log->file, CPU_CLOCKS_EVENTS);
	if (disordered)
		pr_warn("%s: warning: %s", log->path, disordered);
	host->disordered = disordered;
	free(disordered);
	if (!error)
		return EXIT_OK;
	if (error == -ENODATA) {
		pr_err("%s: --source samples: it has no complete pass of the sampler; record with --sample, or use --source events",
		       log->path);
		return EXIT_FAILED;
	}
	pr_err("%s: %s", log->path, strerror(-error));
	return EXIT_FAILED;
}

static int open_hosts(struct series *series)
{
	size_t count = series->logs.count;
	int status = EXIT_OK;

	series->hosts = calloc(count, sizeof(*series->hosts));
	series->numbers = calloc(count, sizeof(*series->numbers));
	series->part = calloc(count, sizeof(*series->part));
	if (!series->hosts || !series->numbers || !series->part) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t i = 0; status == EXIT_OK && i < count; i++)
		if (is_wanted(series, &series->logs.files[i]))
			status = open_host(series, i);
	if (status != EXIT_OK || series->count)
		return status;
	return log_set_refuse_hosts(&series->logs, "stat", series->options->hosts->text);
}

/* ---- The timeline ---- */

static int check_span(const struct series *series)
{
	const struct filter *filter = series->options->filter;
	uint64_t length_ns = series->end_ns - series->begin_ns;

	if (filter->from_ns && filter->from_ns >= length_ns) {
		pr_err("--from: %.6f s is after the end, which is %.6f s after the start",
		       filter->from_ns / 1e9, length_ns / 1e9);
		return EXIT_MISUSE;
	}
	length_ns = (filter->to_ns < length_ns ? filter->to_ns : length_ns) - filter->from_ns;
	if (length_ns / series->options->interval_ns < INTERVALS_MAX)
		return EXIT_OK;
	pr_err("--interval: %.6f s have more than %u intervals: use longer intervals, or select a part with --from and --to",
	       length_ns / 1e9, INTERVALS_MAX);
	return EXIT_MISUSE;
}

static bool has_cpus(const struct series *series)
{
	for (size_t i = 0; i < series->count; i++)
		for (unsigned int k = 0; k < series->hosts[i].replay.cpu_count; k++)
			if (series->hosts[i].cpus[k].wanted)
				return true;
	return false;
}

/* Converts a time since the begin of the timeline to the clock of a host. */
static uint64_t host_ns(const struct series *series, size_t host, uint64_t since_ns)
{
	if (series->logs.count == 1)
		return series->begin_ns + since_ns;
	return evtlog_clocksync_raw(series->logs.hosts, series->numbers[host],
				    series->begin_ns + (int64_t)since_ns);
}

/* ---- Intervals ---- */

/* Reads all hosts up to @to_ns since the begin. @last: reads them to their ends. */
static int read_until(struct series *series, uint64_t to_ns, bool last)
{
	for (size_t i = 0; i < series->count; i++) {
		struct interval_host *host = &series->hosts[i];
		uint64_t until_ns = last ? host->end_ns : host_ns(series, i, to_ns);
		uint64_t from_ns = host->from_ns;
		int error = 0;

		series->part[i] = false;
		if (until_ns <= host->begin_ns && !last)
			continue;
		error = interval_host_read(host, until_ns, last || until_ns >= host->end_ns);
		if (error) {
			pr_err("%s: %s", series->logs.files[series->numbers[i]].path,
			       strerror(-error));
			return EXIT_FAILED;
		}
		series->part[i] = host->from_ns > from_ns;
	}
	return EXIT_OK;
}

static void next_interval(struct series *series)
{
	for (size_t i = 0; i < series->count; i++)
		interval_host_next(&series->hosts[i]);
}

static int read_intervals(struct series *series, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t length_ns = series->end_ns - series->begin_ns;
	uint64_t interval_ns = series->options->interval_ns;
	struct interval_row row = {
		.hosts = series->hosts,
		.part = series->part,
		.host_count = series->count,
		.from_ns = from_ns,
	};
	int status = EXIT_OK;

	next_interval(series);
	/* Earlier events show which tasks are runnable. */
	if (from_ns)
		status = read_until(series, from_ns, false);
	while (status == EXIT_OK && row.from_ns < to_ns) {
		row.to_ns = (row.from_ns / interval_ns + 1) * interval_ns;
		if (row.to_ns > to_ns)
			row.to_ns = to_ns;
		next_interval(series);
		status = read_until(series, row.to_ns, row.to_ns == length_ns);
		if (status == EXIT_OK)
			interval_report_row(series->options, &row);
		row.from_ns = row.to_ns;
		progress_update(&series->progress, row.to_ns);
		if (ferror(stdout))
			break;
	}
	return status;
}

static int show(struct series *series)
{
	const struct filter *filter = series->options->filter;
	uint64_t length_ns = series->end_ns - series->begin_ns;
	uint64_t to_ns = filter->to_ns < length_ns ? filter->to_ns : length_ns;
	int status;

	interval_report_begin(series->options, series->hosts, series->count);
	progress_begin(&series->progress, "stat", length_ns);
	status = read_intervals(series, filter->from_ns, to_ns);
	progress_end(&series->progress);
	return status;
}

/* ---- The command ---- */

static int relate(struct series *series, const struct log_set_options *clocks)
{
	return series->logs.count > 1 ? log_set_relate(&series->logs, clocks, true) : EXIT_OK;
}

static int prepare(struct series *series, const struct log_set_options *clocks)
{
	int status = relate(series, clocks);

	if (status == EXIT_OK)
		status = open_hosts(series);
	if (status != EXIT_OK)
		return status;
	series->begin_ns = log_set_begin_ns(&series->logs);
	series->end_ns = log_set_end_ns(&series->logs);
	if (!has_cpus(series))
		return misuse("stat", "--cpu: no log has such a CPU");
	return check_span(series);
}

static int verdict(const struct logs *logs)
{
	return logs->count > 1 ? log_set_verdict(logs) :
				 log_verdict(logs->files[0].file, logs->files[0].path);
}

int interval_show(const struct interval_options *options, char **paths, size_t count)
{
	struct log_set_options clocks = { .options.assume_ntp = options->assume_ntp };
	struct series series = { .options = options };
	int status = log_set_open(&series.logs, paths, count, &clocks);

	if (status != EXIT_OK)
		return status;
	status = prepare(&series, &clocks);
	if (status == EXIT_OK)
		status = show(&series);
	for (size_t i = 0; status == EXIT_OK && i < series.count; i++) {
		const struct log_set_file *log = &series.logs.files[series.numbers[i]];

		if (!series.hosts[i].source->has_passes)
			types_warn(log->file, log->path, SCHED_TYPES, "tables");
	}
	if (status == EXIT_OK)
		status = verdict(&series.logs);
	for (size_t i = 0; i < series.count; i++)
		interval_host_free(&series.hosts[i]);
	free(series.hosts);
	free(series.numbers);
	free(series.part);
	log_set_close(&series.logs);
	return status;
}
