// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog stat: where the time of CPUs went, and what tasks did and waited for.
 *
 * The work is in analysis/stat/count.c; that of --interval in analysis/interval/series.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/interval/interval.h"
#include "analysis/latency/requests.h"
#include "analysis/stat/partial.h"
#include "analysis/stat/stat.h"
#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "input/open-log.h"
#include "input/selection.h"

#define TOP_UNSET	UINT32_MAX

static const char *const sort_names[] = {
	[SORT_RUN] = "run",
	[SORT_SWITCHES] = "switches",
	[SORT_WAKEUPS] = "wakeups",
	[SORT_LATENCY] = "latency",
	[SORT_P99] = "p99",
	[SORT_MIGRATIONS] = "migrations",
	[SORT_PID] = "pid",
	[SORT_NAME] = "name",
	NULL
};

/* What is wanted of each file */
struct stat_options {
	struct filter filter;
	enum stat_sort sort;
	uint32_t top;
	bool json;
	bool requests;
	bool fits;	/* a file has something of the CPUs and the time that are wanted */
	struct stat_total total;
	struct choice hosts;
	struct interval_options interval;
	bool csv;
	bool lists;	/* an option selects the tasks to list */
	bool joins;	/* an option is of several hosts, or of intervals */
	bool writes_partial;
	bool joins_partials;
	struct stat_partial partial;
	char *sums;	/* the options that sums depend on, as they are in a partial */
};

static int requests_file(const char *path, const struct stat_options *opts)
{
	struct evtlog_file *file = log_open_events(path);
	struct requests requests;
	int error, result = EXIT_FAILED;

	if (!file)
		return EXIT_FAILED;
	error = requests_read(&requests, file, path);
	if (!error && (opts->json ? requests_json(&requests) :
		       requests_show(&requests, opts->top == TOP_UNSET ? 20 :
				     opts->top)))
		error = -ENOMEM;
	if (error)
		pr_err("%s: %s", path, strerror(-error));
	else
		result = log_verdict(file, path);
	requests_free(&requests);
	evtlog_close(file);
	return result;
}

/* 1; 0 after saying what the file has instead; -ENOMEM. */
static int has_wanted(const char *path, const struct stat_options *opts,
		      const struct evtlog_file *file)
{
	struct matches matches;
	int result = matches_init(&matches, path, &opts->filter, 1);

	if (!result) {
		matches.length_ns = evtlog_end_ns(file) - evtlog_begin_ns(file);
		matches_add(&matches, 0, file, NULL, true);
		result = matches_check(&matches, "stat") == EXIT_OK;
	}
	matches_free(&matches);
	return result;
}

/* There are tasks, but none that is wanted. */
static void report_tasks(const struct stat *stat)
{
	struct matches matches;

	if (!filter_has_some_tasks(&stat->filter) || stat->row_count)
		return;
	if (!matches_init(&matches, stat->path, &stat->filter, 1)) {
		matches_add(&matches, 0, stat->file, stat->names, true);
		matches_report_tasks(&matches);
	}
	matches_free(&matches);
}

/* Prints a log, or adds it to a partial result, in the same form. */
static int add_or_print(struct stat_options *opts, struct stat *stat,
			struct stat_partial_log *partial)
{
	unsigned int top_shown = opts->top == TOP_UNSET ? 20 : opts->top;
	unsigned int top_json = opts->top == TOP_UNSET ? 0 : opts->top;
	int error = 0;

	stat_total_add(&opts->total, stat);
	if (stat_tasks_sort(stat, opts->sort))
		return -ENOMEM;
	if (partial)
		error = stat_partial_take(partial, stat, top_shown, top_json);
	else if (opts->json)
		stat_json(stat, top_json, stdout);
	else
		stat_show(stat, top_shown);
	return error;
}

static int stat_file(const char *path, void *context)
{
	struct stat_options *opts = context;
	struct stat stat = { .path = path, .filter = opts->filter };
	struct stat_partial_log *partial = NULL;
	int error, fits, result = EXIT_FAILED;

	if (opts->requests)
		return requests_file(path, opts);
	stat.file = log_open_events(path);
	if (!stat.file)
		return EXIT_FAILED;
	if (opts->writes_partial) {
		partial = stat_partial_new_log(&opts->partial, path, stat.file);
		if (!partial) {
			pr_err("%s: %s", path, strerror(ENOMEM));
			goto out;
		}
	}
	fits = has_wanted(path, opts, stat.file);
	if (!fits) {
		result = EXIT_OK;
		goto out;
	}
	opts->fits = true;
	error = fits < 0 ? fits : stat_init(&stat);
	if (!error)
		error = stat_read(&stat);
	if (error) {
		pr_err("%s: %s", path, strerror(-error));
		goto out;
	}
	/* Tables of zeros are no answer. */
	if (!log_has_events(stat.file)) {
		result = log_refuse(stat.file, path);
		goto out;
	}
	error = add_or_print(opts, &stat, partial);
	if (error) {
		pr_err("%s: %s", path, strerror(-error));
		goto out;
	}
	report_tasks(&stat);
	if (partial)
		partial->lacks = log_lacks_of(stat.file);
	result = log_verdict(stat.file, path);
out:
	stat_free(&stat);
	evtlog_close(stat.file);
	return result;
}

static int parse_sort(enum stat_sort *sort, const char *text)
{
	int word = options_word(sort_names, text);

	if (word < 0)
		return word;
	*sort = word;
	return 0;
}

enum { REQUESTS = 256, INTERVAL, CSV, HOSTS, ASSUME_NTP, SOURCE, PARTIAL, JOIN, SORT };

/* Shorter ones would be mostly of no event. */
#define INTERVAL_MIN_NS	1000

static int parse_interval(struct stat_options *opts, const char *text)
{
	int error = filter_time(&opts->interval.interval_ns, text);

	return !error && opts->interval.interval_ns < INTERVAL_MIN_NS ? -EINVAL : error;
}

static int parse_source(enum samples_source *source, const char *text)
{
	int word = options_word(samples_source_names, text);

	if (word < 0)
		return word;
	*source = word;
	return 0;
}

static const struct option_desc table[] = {
	{ 'n', "top", "N", "list at most N tasks; 0 lists all (default 20, with --json all)",
	  .kind = VALUE_TEXT, .valid = "a number of tasks, 0 for all" },
	{ SORT, "sort", "KEY", "sort tasks by run (default), switches, wakeups, latency, p99, "
	  "migrations, pid or name", .kind = VALUE_WORD, .words = sort_names },
	{ FILTER_CPU, "cpu", "LIST", "count only what happened on these CPUs: 0,2-3",
	  .kind = VALUE_CPUS, .valid = FILTER_CPUS_LIKE },
	{ FILTER_PID, "pid", "LIST", "list only these tasks",
	  .kind = VALUE_TEXT, .valid = FILTER_PIDS_LIKE },
	{ FILTER_COMM, "comm", "NAMES", "list only tasks with these names: dd,kworker*",
	  .kind = VALUE_COMMS, .valid = FILTER_COMM_LIKE },
	OPTION_GROUP(filter_time_options),
	{ REQUESTS, "requests", .help = "print another table: for each remote request to schedule "
	  "a task group, the time from its receipt until each CPU ran one of the tasks" },
	{ INTERVAL, "interval", "TIME", "print another table: for each TIME and CPU, counters of "
	  "runnable tasks, switches, migrations, forks and exits; several logs are those of "
	  "hosts on one timeline", .kind = VALUE_TEXT, .valid = "a time such as 100ms, at least "
	  "1us" },
	{ HOSTS, "host", "LIST", "with --interval: show only these hosts: node[1-16],login*",
	  .kind = VALUE_HOSTS },
	{ ASSUME_NTP, "assume-ntp", .help = "with --interval and several hosts: as for "
	  "evtlog dump" },
	{ SOURCE, "source", "WHAT", "with --interval: count events, or the sampler's samples "
	  "(default auto: samples if the log has no scheduling events)",
	  .kind = VALUE_WORD, .words = samples_source_names },
	{ CSV, "csv", .help = "with --interval: print comma-separated values, a line per interval "
	  "and CPU" },
	{ PARTIAL, "partial", .help = "print a partial result; --join combines the partial results "
	  "of several hosts" },
	{ JOIN, "join", .help = "combine partial results: print what evtlog stat prints for all "
	  "their logs" },
	{ 'j', "json", .help = "print a JSON object per file; with --interval, per interval" },
	{ }
};

/* Takes note of an option that sums or tables depend on: partials that differ in them do not join. */
static int note_option(struct stat_options *opts, int option, const char *value)
{
	char *kept = opts->sums;

	if (asprintf(&opts->sums, "%s%s--%s %s", kept ? kept : "", kept ? " " : "",
		     options_name(table, option), value) < 0) {
		opts->sums = kept;
		return -ENOMEM;
	}
	free(kept);
	return 0;
}

static int take_option(void *context, int option, char *value)
{
	struct stat_options *opts = context;

	if (value && note_option(opts, option, value))
		return -ENOMEM;
	switch (option) {
	case 'n':
		opts->lists = true;
		return number_parse_u32(&opts->top, value, 0, TOP_UNSET - 1);
	case SORT:
		opts->lists = true;
		return parse_sort(&opts->sort, value);
	case INTERVAL:
		return parse_interval(opts, value);
	case CSV:
		opts->csv = true;
		return 0;
	case HOSTS:
		opts->joins = true;
		return host_filter_option(&opts->hosts, "stat", value);
	case ASSUME_NTP:
		opts->joins = true;
		opts->interval.assume_ntp = true;
		return 0;
	case SOURCE:
		opts->joins = true;
		return parse_source(&opts->interval.source, value);
	case REQUESTS:
		opts->requests = true;
		return 0;
	case PARTIAL:
		opts->writes_partial = true;
		return 0;
	case JOIN:
		opts->joins_partials = true;
		return 0;
	case 'j':
		opts->json = true;
		return 0;
	default:
		return filter_option(&opts->filter, option, value);
	}
}

static int interval_args(struct stat_options *opts, char **args, int count)
{
	const struct filter *filter = &opts->filter;
	size_t paths_count;
	char **paths;
	int status;

	if (opts->requests || opts->lists || filter_has_some_tasks(filter))
		return misuse("stat", "--interval takes no --requests, --top, --sort, --pid or --comm");
	if (opts->csv && opts->json)
		return misuse("stat", "--csv and --json exclude each other");
	if (filter->from_ns >= filter->to_ns)
		return misuse("stat", "--from is not before --to");
	if (!count)
		return misuse("stat", "name a file");
	opts->interval.filter = filter;
	opts->interval.hosts = &opts->hosts;
	opts->interval.form = opts->csv ? INTERVAL_CSV : opts->json ? INTERVAL_JSON : INTERVAL_TEXT;
	status = paths_expand(args, count, &paths, &paths_count);
	if (status != EXIT_OK)
		return status;
	status = interval_show(&opts->interval, paths, paths_count);
	paths_free(paths, paths_count);
	return finish(status);
}

static int write_partial(const struct stat_options *opts)
{
	if (!stat_partial_write(&opts->partial, stdout))
		return EXIT_OK;
	pr_err("%s", strerror(ENOMEM));
	return EXIT_FAILED;
}

static int join_args(struct stat_options *opts, char **args, int count)
{
	int status = EXIT_OK;

	if (opts->sums || opts->csv || opts->joins || opts->requests)
		return misuse("stat", "--join takes only --json and --partial: give other options to evtlog stat --partial");
	if (opts->writes_partial && opts->json)
		return misuse("stat", "--partial takes no --json, as its output is for --join: give --json to the last --join");
	if (!count)
		return misuse("stat", "name a partial, or - for standard input");
	for (int i = 0; status == EXIT_OK && i < count; i++)
		status = stat_partial_read(&opts->partial, args[i]);
	if (status == EXIT_OK)
		status = stat_partial_check(&opts->partial);
	if (status == EXIT_OK)
		status = opts->writes_partial ? write_partial(opts) :
			 stat_partial_show(&opts->partial, opts->json);
	return finish(status);
}

/* A partial is of all logs that are named, or not written at all. */
static int partial_args(struct stat_options *opts, char **args, int count)
{
	int result;

	if (opts->requests)
		return misuse("stat", "--partial takes no --requests");
	if (opts->json)
		return misuse("stat", "--partial takes no --json, as its output is for --join: give --json to --join");
	opts->partial.options = opts->sums ? opts->sums : strdup("");
	opts->sums = NULL;
	result = log_each(args, count, false, stat_file, opts);
	if (result == EXIT_FAILED || !opts->partial.options)
		return EXIT_FAILED;
	if (write_partial(opts) != EXIT_OK)
		return EXIT_FAILED;
	return finish(result == EXIT_OK && !opts->fits ? EXIT_MISUSE : result);
}

static int stat_args(struct stat_options *opts, char **args, int count)
{
	const struct filter *filter = &opts->filter;
	int result;

	if (opts->csv || opts->joins)
		return misuse("stat", "--csv, --host, --source and --assume-ntp are for --interval only");
	if (opts->requests && (filter->cpus || filter_has_some_tasks(filter) ||
			       filter->from_ns || filter->to_ns != UINT64_MAX))
		return misuse("stat", "--requests takes no --cpu, --pid, --comm, --from or --to");
	if (!count)
		return misuse("stat", "name a file");
	if (filter->from_ns >= filter->to_ns)
		return misuse("stat", "--from is not before --to");
	if (opts->writes_partial)
		return partial_args(opts, args, count);
	result = log_each(args, count, !opts->json, stat_file, opts);
	/* The cause was printed for each file. */
	if (result == EXIT_OK && !opts->fits && !opts->requests)
		result = EXIT_MISUSE;
	stat_total_print(&opts->total, opts->json);
	return finish(result);
}

static const struct options options = {
	.command = "stat",
	.usage = "[OPTION...] FILE|DIRECTORY...\n"
		 "--join [--json|--partial] PARTIAL...",
	.about = "Summarise a run. Per CPU: busy, idle, softirq, interrupt and logger time, "
		 "switches and migrations. Per task: run time, switches, and the time from "
		 "wake-up to running. Also softirqs, interrupts and ICMP messages. Nested "
		 "time counts once, for the innermost context. Time in which events were lost is "
		 "unknown.",
	.table = table,
	.notes =
	"Examples:\n"
	"  evtlog stat node1-1.evl\n"
	"  evtlog stat --sort p99 --top 5 --from 1s --to 2s node1-1.evl\n"
	"  evtlog stat --interval 100ms --cpu 0-3 node1-1.evl\n"
	"  evtlog stat --json node1-1.evl | jq '.cpus[].busy_ns'\n"
	"  srun -o %N.part evtlog stat --partial /var/log/evtlog\n"
	"  evtlog stat --join *.part\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct stat_options opts = { .sort = SORT_RUN, .top = TOP_UNSET };
	int result;

	filter_all(&opts.filter);
	result = options_take(&options, argc, argv, &opts);
	if (result == OPTIONS_TAKEN && opts.interval.interval_ns &&
	    (opts.writes_partial || opts.joins_partials))
		result = misuse("stat", "--interval has no partial results, because intervals depend on the clocks of all logs: name all logs");
	else if (result == OPTIONS_TAKEN && opts.joins_partials)
		result = join_args(&opts, argv + optind, argc - optind);
	else if (result == OPTIONS_TAKEN && opts.interval.interval_ns)
		result = interval_args(&opts, argv + optind, argc - optind);
	else if (result == OPTIONS_TAKEN)
		result = stat_args(&opts, argv + optind, argc - optind);
	stat_partial_free(&opts.partial);
	free(opts.sums);
	host_filter_free(&opts.hosts);
	filter_free(&opts.filter);
	return result;
}

const struct evtlog_command command_stat = {
	.name = "stat",
	.group = "Look at a log",
	.summary = "summarise CPUs, tasks, interrupts and ICMP messages",
	.run = run,
};
