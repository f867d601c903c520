// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog why: explains why a task waited.
 *
 * The work is in analysis/why.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/why/critical.h"
#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "input/event-filter.h"
#include "input/open-log.h"
#include "input/types.h"

/* A limit of memory: a thread may have as many waits */
#define WORST_MAX	100000

/*
 * @worst:	number of waits in the table; 0: explain one
 * @sort:	index of why_sort_names; -1: depends on whether a task is named
 */
struct why_options {
	struct query_manner manner;
	struct filter filter;
	uint64_t worst;
	int sort;
	bool path;
	bool json;
};

/* Without switches nothing is known about waits.  Returns an exit status. */
static int check_switches(const struct query_logs *logs)
{
	for (size_t i = 0; i < logs->set.count; i++) {
		if (evtlog_recorded(logs->set.files[i].file, EVTLOG_SCHED_SWITCH) !=
		    EVTLOG_RECORDED_OFF)
			continue;
		pr_err("%s: not recorded: sched_switch, without which no wait is known; record it with --events=+sched%s",
		       logs->set.files[i].path,
		       types_filtered(logs->set.files[i].file, types_bit(EVTLOG_SCHED_SWITCH)) ?
		       TYPES_FILTERED_HINT : "");
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

/* Prints losses of all that was read.  Returns EXIT_OK, EXIT_EVENTS_LOST or EXIT_FAILED. */
static int verdict(const struct query_logs *logs)
{
	return logs->set.count > 1 ? log_set_verdict(&logs->set) :
	       log_verdict(logs->set.files[0].file, logs->set.files[0].path);
}

/* Explains the only wait that was found. */
static int explain(const struct why_search *search, const struct why_found *found, bool json)
{
	const struct why_wait *wait = &found->waits.at[0];
	int error, status = EXIT_OK;
	struct why why;

	error = why_explain(&why, search->logs, wait);
	if (error) {
		pr_err("%s: %s", search->logs->set.files[wait->log].path, strerror(-error));
		status = EXIT_FAILED;
	} else if (json) {
		why_json(&why);
	} else {
		why_print(&why);
	}
	if (status == EXIT_OK && why_is_lossy(&why))
		status = EXIT_EVENTS_LOST;
	why_free(&why);
	return status;
}

/* Follows the path to the end of the only wait that was found, or to the time in its run. */
static int follow(const struct why_search *search, const struct why_found *found, bool json)
{
	const struct why_wait *wait = &found->waits.at[0];
	int64_t moment = why_wait_end(wait);
	struct critical critical;
	int error, status = EXIT_OK;

	if (!wait->runs) {
		pr_err("why: %s: the log does not show that the task ran after the wait, where the path would end; name another time",
		       search->task->text);
		return EXIT_FAILED;
	}
	if (search->task->has_time && search->task->time > moment)
		moment = search->task->time;
	if (search->from >= moment)
		return misuse("why", "--from is after the end of the path, at %.9f s",
			      (moment - why_begin(search->logs)) / 1e9);
	error = critical_follow(&critical, search->logs, wait, search->from, moment);
	if (error) {
		pr_err("why: %s: %s", search->task->text, strerror(-error));
		status = EXIT_FAILED;
	} else if (json) {
		critical_json(&critical);
	} else {
		critical_print(&critical);
	}
	if (status == EXIT_OK && critical_is_lossy(&critical))
		status = EXIT_EVENTS_LOST;
	critical_free(&critical);
	return status;
}

static int no_wait(const struct why_search *search)
{
	pr_err("why: %s: no wait%s ends in the selected time, on the selected CPUs",
	       search->task ? search->task->text : "all tasks", search->task ? " of it" : "");
	return EXIT_FAILED;
}

static int answer(const struct why_options *opts, const struct why_search *search)
{
	bool at_time = search->task && search->task->has_time, is_table = opts->worst;
	struct why_found found = { 0 };
	int status, lossy = EXIT_OK;

	status = at_time ? why_find_at(search, &found) : why_find(search, &found);
	/* With a time, only losses within the wait matter; in a path, those that it meets. */
	if (status == EXIT_OK && !at_time && !opts->path)
		lossy = verdict(search->logs);
	if (status == EXIT_OK && !found.waits.count)
		status = no_wait(search);
	else if (status == EXIT_OK && is_table && opts->json)
		why_json_table(search, &found);
	else if (status == EXIT_OK && is_table)
		why_print_table(search, &found);
	else if (status == EXIT_OK && opts->path)
		status = follow(search, &found, opts->json);
	else if (status == EXIT_OK)
		status = explain(search, &found, opts->json);
	why_found_free(&found);
	return status == EXIT_OK ? lossy : status;
}

/* The path has its own begin: --from. */
static bool selects(const struct why_options *opts)
{
	const struct filter *filter = &opts->filter;

	return filter->cpus || (filter->from_ns && !opts->path) || filter->to_ns != UINT64_MAX;
}

/* @text: NULL: all tasks */
static int search_logs(const struct why_options *opts, struct query_logs *logs, const char *text)
{
	struct why_task task = { 0 };
	struct why_search search = {
		.logs = logs,
		.task = text ? &task : NULL,
		.cpus = opts->filter.cpus,
		.from = opts->filter.from_ns ? why_time(logs, opts->filter.from_ns) : INT64_MIN,
		.to = opts->filter.to_ns == UINT64_MAX ? INT64_MAX :
		      why_time(logs, opts->filter.to_ns),
		.limit = opts->worst ? opts->worst : 1,
		.sort = opts->sort >= 0 ? opts->sort : text ? WHY_SORT_WAIT : WHY_SORT_READY,
		.several = opts->worst,
		.with_run = opts->path,
	};
	int status = EXIT_OK;

	if (text && why_task_parse(&task, text, logs)) {
		pr_err("%s", strerror(ENOMEM));
		status = EXIT_FAILED;
	} else if (task.has_time && (opts->worst || selects(opts))) {
		status = misuse("why", "%s: a time selects one wait: leave out the time, or --worst, --from, --to and --cpu",
				text);
	} else {
		status = answer(opts, &search);
	}
	why_task_free(&task);
	return status;
}

/* With --worst, is the first of @count arguments a log?  Directories can have the name of a task. */
static bool is_log(const char *arg, int count)
{
	struct stat status;

	if (count == 1)
		return true;
	return !stat(arg, &status) && (!S_ISDIR(status.st_mode) || strchr(arg, '/'));
}

static int why_args(struct why_options *opts, char **args, int count)
{
	const char *text = NULL;
	struct query_logs *logs;
	size_t paths_count;
	char **paths;
	int status;

	if (count && (!opts->worst || !is_log(args[0], count))) {
		text = *args++;
		count--;
	}
	if (!text && !opts->worst)
		return misuse("why", "name a task, or give --worst");
	if (opts->path && opts->worst)
		return misuse("why", "--path follows one wait: name a task, without --worst");
	if (!count)
		return misuse("why", "name a log%s%s", text ? " after the task " : "",
			      text ? text : "");
	status = paths_expand(args, count, &paths, &paths_count);
	if (status != EXIT_OK)
		return status;
	opts->manner.hints = isatty(STDERR_FILENO);
	status = query_logs_open(&logs, paths, paths_count, &opts->manner);
	if (status == EXIT_OK)
		status = check_switches(logs);
	if (status == EXIT_OK)
		status = search_logs(opts, logs, text);
	query_logs_close(logs);
	paths_free(paths, paths_count);
	return finish(status);
}

enum { PATH = 256, SORT, ASSUME_NTP, INDEX_DIR };

static int take_option(void *context, int option, char *value)
{
	struct why_options *opts = context;

	switch (option) {
	case 'n':
		return number_parse(&opts->worst, value, 1, WORST_MAX);
	case PATH:
		opts->path = true;
		return 0;
	case SORT:
		opts->sort = options_word(why_sort_names, value);
		return opts->sort < 0 ? -EINVAL : 0;
	case ASSUME_NTP:
		opts->manner.assume_ntp = true;
		return 0;
	case INDEX_DIR:
		opts->manner.index_directory = value;
		return *value ? 0 : -EINVAL;
	case 'j':
		opts->json = true;
		return 0;
	default:
		return filter_option(&opts->filter, option, value);
	}
}

static const struct option_desc table[] = {
	{ 'n', "worst", "N", "print a table of the N worst waits: of TASK, or without TASK of all "
	  "tasks", .kind = VALUE_TEXT, .valid = "a number of waits" },
	{ PATH, "path", .help = "print the critical path of the wait: what the task depended on, "
	  "piece by piece, over other tasks, interrupts, packets and hosts; with --from from this "
	  "time on" },
	{ SORT, "sort", "KEY", "what makes a wait worse: wait, its length (default with TASK), or "
	  "ready, the time in which the task was ready to run (default without TASK)",
	  .kind = VALUE_WORD, .words = why_sort_names },
	{ FILTER_CPU, "cpu", "LIST", "only waits after which the task ran on these CPUs: 0,2-3",
	  .kind = VALUE_CPUS, .valid = FILTER_CPUS_LIKE },
	OPTION_GROUP(filter_time_options),
	{ ASSUME_NTP, "assume-ntp", .help = "with several hosts: as for evtlog dump" },
	{ INDEX_DIR, "index-dir", "DIR", "first search DIR for indexes that evtlog index wrote "
	  "there", .kind = VALUE_DIRECTORY, .valid = "a directory" },
	{ 'j', "json", .help = "print JSON" },
	{ }
};

static const struct options options = {
	.command = "why",
	.usage = "[OPTION...] TASK[@HOST][@TIME] FILE|DIRECTORY...\n"
		 "--path [OPTION...] TASK[@HOST][@TIME] FILE|DIRECTORY...\n"
		 "--worst N [OPTION...] [TASK[@HOST]] FILE|DIRECTORY...",
	.about = "Explain why a task waited: how it left the CPU and for how long it was blocked, "
		 "what woke it, what used its CPU while it was ready to run, and where it then "
		 "ran. TASK is a pid, a name, or both (md5sum-145). With TIME, in seconds since the "
		 "start of the run, the wait at this time is explained; without it, the longest "
		 "wait of the task.",
	.table = table,
	.notes =
	"Examples:\n"
	"  evtlog why md5sum-145@2.5s node1-1.evl\n"
	"  evtlog why --sort ready 4711 node1-1.evl\n"
	"  evtlog why --path ping-142@1.15 node1-1.evl node2-1.evl\n"
	"  evtlog why --worst 10 --cpu 2 /var/log/evtlog\n"
	"evtlog-why(1) explains the lines.\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct why_options opts = { .sort = -1 };
	int result;

	filter_all(&opts.filter);
	result = options_take(&options, argc, argv, &opts);
	if (result == OPTIONS_TAKEN)
		result = why_args(&opts, argv + optind, argc - optind);
	filter_free(&opts.filter);
	return result;
}

const struct evtlog_command command_why = {
	.name = "why",
	.group = "Explain",
	.summary = "explain why a task waited",
	.run = run,
};
