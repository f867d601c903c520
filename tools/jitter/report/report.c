// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog jitter report: which task or interrupt took the time.
 *
 * The output is in tables.c, csv.c and json.c.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "input/event-filter.h"
#include "jitter/dataset.h"
#include "jitter/subcommands.h"
#include "summary.h"

/* Also the name for misuse(). */
#define COMMAND		"jitter report"

#define LARGEST		5
#define PATTERNS	10

enum form { FORM_TEXT, FORM_CSV, FORM_JSON };

struct request {
	struct summary_options opts;
	struct filter filter;
	enum form form;
	enum summary_csv csv;
};

static const char *const csv_names[] = {
	[SUMMARY_SOURCES] = "sources",
	[SUMMARY_SAMPLES] = "samples",
	[SUMMARY_INTERRUPTIONS] = "interruptions",
	[SUMMARY_PARTS] = "parts",
	NULL
};

static int parse_csv(struct request *request, const char *text)
{
	int word;

	request->form = FORM_CSV;
	if (!text)
		return 0;
	word = options_word(csv_names, text);
	if (word < 0)
		return word;
	request->csv = word;
	return 0;
}

static int show(struct summary *summary, const struct request *request)
{
	switch (request->form) {
	case FORM_TEXT:
		summary_show(summary, &request->opts);
		break;
	case FORM_CSV:
		summary_csv(summary, request->csv);
		break;
	case FORM_JSON:
		summary_json(summary, &request->opts);
		break;
	}
	return dataset_verdict(summary->dataset);
}

static int report_path(const char *path, const struct request *request)
{
	struct dataset dataset;
	struct summary summary;
	int status, error;

	status = dataset_open(&dataset, path, &request->opts.dataset);
	if (status == EXIT_OK) {
		error = summary_sum(&summary, &dataset, &request->opts);
		if (error) {
			pr_err("%s: %s", path, strerror(-error));
			status = EXIT_FAILED;
		} else {
			status = show(&summary, request);
		}
		summary_free(&summary);
	}
	dataset_close(&dataset);
	return status;
}

static int report_args(char **args, int count, struct request *request)
{
	struct dataset_options *opts = &request->opts.dataset;

	if (!count)
		return misuse(COMMAND, "name a directory of 'evtlog jitter run', or a log");
	if (count > 1)
		return misuse(COMMAND, "%s: one directory or log at a time", args[1]);
	opts->tasks = &request->filter;
	opts->from_ns = request->filter.from_ns;
	opts->to_ns = request->filter.to_ns;
	if (opts->samples && filter_has_some_tasks(opts->tasks))
		return misuse(COMMAND, "--samples and --pid or --comm exclude each other");
	if (opts->from_ns >= opts->to_ns)
		return misuse(COMMAND, "--from must be before --to");
	if (filter_has_some_tasks(opts->tasks) && request->form == FORM_CSV &&
	    request->csv == SUMMARY_SAMPLES)
		return misuse(COMMAND, "--csv=samples: with --pid or --comm there are no samples to list");
	return report_path(args[0], request);
}

enum { BY = 256, PER_CPU, SAMPLES, CSV };

static int take_option(void *context, int option, char *value)
{
	struct request *request = context;
	struct summary_options *opts = &request->opts;

	switch (option) {
	case BY:
		return dataset_parse_by(&opts->dataset.by_task, value);
	case PER_CPU:
		opts->per_cpu = true;
		return 0;
	case 'n':
		if (number_parse_u32(&opts->largest, value, 0, UINT32_MAX - 1))
			return -EINVAL;
		opts->patterns = opts->largest;
		return 0;
	case SAMPLES:
		opts->dataset.samples = value;
		return 0;
	case CSV:
		return parse_csv(request, value);
	case 'j':
		request->form = FORM_JSON;
		return 0;
	default:
		return filter_option(&request->filter, option, value);
	}
}

static const struct option_desc table[] = {
	{ BY, "by", "WHAT", "combine tasks with the same name (name, the default), or keep all "
	  "tasks apart (task)", .kind = VALUE_WORD, .words = dataset_by_words },
	{ PER_CPU, "per-cpu", .help = "also print the table of sources for each CPU" },
	{ 'n', "top", "N", "print the N largest interruptions (default 5), and at most N patterns "
	  "(default 10)", .kind = VALUE_TEXT, .valid = "a number of interruptions" },
	{ FILTER_PID, "pid", "LIST", "report the interruptions of these tasks, without samples",
	  .kind = VALUE_TEXT, .valid = FILTER_PIDS_LIKE },
	{ FILTER_COMM, "comm", "NAMES", "report the interruptions of tasks while they have these "
	  "names, without samples: solver,mpi*",
	  .kind = VALUE_COMMS, .valid = FILTER_COMM_LIKE },
	{ SAMPLES, "samples", "FILE", "read the samples from FILE (default logged.samples next "
	  "to the log)", .kind = VALUE_FILE },
	OPTION_GROUP(filter_time_options),
	{ CSV, "csv", "[TABLE]", "print comma-separated values: sources (default), samples, "
	  "interruptions or parts", .kind = VALUE_WORD, .words = csv_names },
	{ 'j', "json", .help = "print a JSON object" },
	{ }
};

static const struct options options = {
	.command = COMMAND,
	.usage = "[OPTION...] DIRECTORY|LOG",
	.about = "Report what interrupted a program, from the directory that evtlog jitter "
		 "run wrote. For each source: minimum, maximum, number, mean, total, "
		 "standard deviation and share. Then families, percentiles, the largest "
		 "interruptions with all their parts, and recurring patterns. The mark ~ "
		 "means that the kernel did not record the source: its time is inferred.",
	.table = table,
	.notes =
	"Examples:\n"
	"  evtlog jitter report quiet\n"
	"  evtlog jitter report --per-cpu --top 20 quiet/node1-7.evl\n"
	"  evtlog jitter report --csv=samples quiet >samples.csv\n"
	"  evtlog jitter report --json quiet | jq '.sources[] | {name, share}'\n"
	"  evtlog jitter report --pid 4711 node1-7.evl\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct request request = {
		.opts.largest = LARGEST,
		.opts.patterns = PATTERNS,
	};
	int result;

	filter_all(&request.filter);
	result = options_take(&options, argc, argv, &request);
	if (result == OPTIONS_TAKEN)
		result = finish(report_args(argv + optind, argc - optind, &request));
	filter_free(&request.filter);
	return result;
}

const struct evtlog_command jitter_report = {
	.name = "report",
	.summary = "print which tasks and interrupts took the time",
	.run = run,
};
