// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog jitter scale: the cost of recorded noise for a program on many nodes.
 *
 * The simulation is in simulate.c, the output in print.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "common/spelling.h"
#include "input/event-filter.h"
#include "jitter/dataset.h"
#include "jitter/subcommands.h"
#include "lib/base/array.h"
#include "print/event.h"
#include "scale.h"

#define NODES_MOST	10000000
#define NODES_DEFAULT	"1,10,100,1000,10000,100000"
#define WORK_DEFAULT_NS	1000000
/* 11 days: no sum of phases overflows. */
#define WORK_MOST_NS	1000000000000000ULL
#define PHASES_MOST	10000000
#define RANKS_MOST	4096

enum { OPT_NODES = 256, OPT_RANKS, OPT_PHASE, OPT_PHASES, OPT_SEED, OPT_LEVEL, OPT_WITHOUT,
       OPT_BY };

static int open_all(struct scale *scale, char **args, size_t count)
{
	scale->datasets = calloc(count, sizeof(*scale->datasets));
	scale->traced = calloc(count, sizeof(*scale->traced));
	scale->kinds = calloc(count, sizeof(*scale->kinds));
	if (!scale->datasets || !scale->traced || !scale->kinds) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < count; i++) {
		struct dataset_options opts = {
			.by_task = scale->opts->by_task,
			.to_ns = UINT64_MAX,
		};
		int status;

		scale->count++;
		status = dataset_open(&scale->datasets[i], args[i], &opts);
		if (status != EXIT_OK)
			return status;
		if (traced_sources_add(&scale->sources, scale->datasets[i].jitter)) {
			pr_err("%s: %s", args[i], strerror(ENOMEM));
			return EXIT_FAILED;
		}
	}
	return EXIT_OK;
}

static int refuse_source(const struct scale *scale, const char *name)
{
	struct offer sources;

	offer_start(&sources, name);
	for (size_t i = 0; i < scale->sources.count; i++)
		if (offer_add(&sources, scale->sources.at[i].name))
			break;
	return offer_misuse(&sources, SCALE_COMMAND, "--without", "no such source");
}

static int leave_out(struct scale *scale)
{
	for (size_t i = 0; i < scale->opts->without_count; i++) {
		bool known = false;

		for (size_t j = 0; j < scale->sources.count; j++)
			if (!strcmp(scale->sources.at[j].name, scale->opts->without[i]))
				known = scale->sources.at[j].without = true;
		if (!known)
			return refuse_source(scale, scale->opts->without[i]);
	}
	return EXIT_OK;
}

static void add_up(struct scale *scale, const struct traced *traced)
{
	for (size_t i = 0; i < traced->count; i++) {
		const struct noise_trace *noise = &traced->noises[i];

		scale->interruptions += noise->count;
		scale->cpu_ns += noise->window_ns;
		scale->noise_share += noise->points[noise->count].before_ns;
		for (size_t j = 0; j < noise->count; j++)
			if (noise_length(noise, j) > scale->longest_ns)
				scale->longest_ns = noise_length(noise, j);
	}
}

static int trace_all(struct scale *scale, char **args)
{
	size_t wanted = scale->opts->ranks;

	for (size_t i = 0; i < scale->count; i++) {
		struct traced *traced = &scale->traced[i];
		size_t cpus;
		int error;

		evtlog_jitter_threads(scale->datasets[i].jitter, &cpus);
		if (cpus < wanted) {
			pr_err("%s: --ranks: %zu: only %zu CPU%s measured", args[i], wanted, cpus,
			       cpus == 1 ? " was" : "s were");
			return EXIT_FAILED;
		}
		error = traced_new(traced, scale->datasets[i].jitter, wanted, &scale->sources);
		if (error) {
			pr_err("%s: %s", args[i], error == -ENODATA ?
			       "no measured time is left for the work of a program" :
			       strerror(-error));
			return EXIT_FAILED;
		}
		scale->kinds[i] = (struct program_node){ traced->noises, traced->count };
		add_up(scale, traced);
	}
	scale->noise_share /= scale->cpu_ns;
	if (!scale->interruptions && !scale->opts->without_count) {
		pr_err("%s: has no interruption", args[0]);
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

double scale_lost_share(const struct scale *scale, size_t number)
{
	const struct evtlog_jitter_thread *threads;
	double lost = 0, window = 0;
	size_t count;

	threads = evtlog_jitter_threads(scale->datasets[number].jitter, &count);
	for (size_t i = 0; i < count; i++) {
		lost += threads[i].lost_ticks;
		window += threads[i].end_ticks - threads[i].begin_ticks;
	}
	return window ? lost / window : 0;
}

static int verdict(const struct scale *scale)
{
	int status = EXIT_OK;

	for (size_t i = 0; i < scale->count; i++) {
		int lost = dataset_verdict(&scale->datasets[i]);
		double share = scale_lost_share(scale, i);

		if (lost)
			status = lost;
		/* Gaps count as time without interruptions. */
		if (share)
			pr_warn("%s: %.3g %% of its time has no data and counts as quiet: the real slowdown is larger",
			       scale->datasets[i].log_path, 100 * share);
	}
	return status;
}

static int scale_all(struct scale *scale, char **args, size_t count)
{
	int status, error;

	status = open_all(scale, args, count);
	if (status == EXIT_OK)
		status = leave_out(scale);
	if (status == EXIT_OK)
		status = trace_all(scale, args);
	if (status != EXIT_OK)
		return status;
	error = scale_run(scale);
	if (error) {
		pr_err("%" PRIu64 " nodes: %s; use fewer nodes, or fewer --ranks",
		       scale->points ? scale->points[scale->point_count - 1].nodes : 0,
		       strerror(-error));
		return EXIT_FAILED;
	}
	if (scale->opts->json)
		scale_json(scale);
	else
		scale_show(scale);
	return verdict(scale);
}

static void free_all(struct scale *scale)
{
	for (size_t i = 0; i < scale->point_count; i++)
		free(scale->points[i].blames);
	free(scale->points);
	for (size_t i = 0; i < scale->count; i++) {
		traced_free(&scale->traced[i]);
		dataset_close(&scale->datasets[i]);
	}
	free(scale->kinds);
	free(scale->traced);
	free(scale->datasets);
	traced_sources_free(&scale->sources);
}

/* Parses "1,10,100"; the result is ascending, without duplicates. */
static int parse_nodes(struct scale_options *opts, const char *text)
{
	size_t capacity = 1, kept = 0;
	char *list, *word, *rest;
	int error = 0;

	for (const char *at = text; *at; at++)
		capacity += *at == ',';
	free(opts->nodes);
	opts->node_count = 0;
	opts->nodes = calloc(capacity, sizeof(*opts->nodes));
	list = strdup(text);
	if (!opts->nodes || !list) {
		free(list);
		return -ENOMEM;
	}
	rest = list;
	while (!error && (word = strsep(&rest, ",")))
		error = number_parse(&opts->nodes[opts->node_count++], word, 1, NODES_MOST);
	free(list);
	if (error)
		return error;
	qsort(opts->nodes, opts->node_count, sizeof(*opts->nodes), array_by_u64);
	for (size_t i = 0; i < opts->node_count; i++)
		if (!i || opts->nodes[i] != opts->nodes[kept - 1])
			opts->nodes[kept++] = opts->nodes[i];
	opts->node_count = kept;
	return 0;
}

static int add_without(struct scale_options *opts, const char *name)
{
	const char **grown = reallocarray(opts->without, opts->without_count + 1,
					  sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	opts->without = grown;
	opts->without[opts->without_count++] = name;
	return 0;
}

static int take_option(void *context, int option, char *text)
{
	struct scale_options *opts = context;

	switch (option) {
	case OPT_NODES:
		return parse_nodes(opts, text);
	case OPT_RANKS:
		return number_parse(&opts->ranks, text, 1, RANKS_MOST);
	case OPT_PHASE:
		return filter_time(&opts->work_ns, text) || !opts->work_ns ||
		       opts->work_ns > WORK_MOST_NS ? -EINVAL : 0;
	case OPT_PHASES:
		return number_parse(&opts->phases, text, 1, PHASES_MOST);
	case OPT_SEED:
		return show_parse_limit(&opts->seed, text);
	case OPT_LEVEL:
		if (number_parse_decimal(&opts->level, text, 50, 99.99))
			return -EINVAL;
		opts->level /= 100;
		return 0;
	case OPT_WITHOUT:
		return add_without(opts, text);
	case OPT_BY:
		return dataset_parse_by(&opts->by_task, text);
	case 'j':
		opts->json = true;
		return 0;
	}
	return -EINVAL;
}

static int scale_args(struct scale *scale, struct scale_options *opts, char **args, int count)
{
	int result;

	if (!count)
		return misuse(SCALE_COMMAND, "name directories of 'evtlog jitter run'");
	if (!opts->nodes && parse_nodes(opts, NODES_DEFAULT)) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	result = finish(scale_all(scale, args, count));
	free_all(scale);
	return result;
}

static const struct option_desc table[] = {
	{ OPT_NODES, "nodes", "LIST", "predict for these numbers of nodes "
	  "(default " NODES_DEFAULT ")",
	  .kind = VALUE_TEXT, .valid = "numbers from 1 to 10000000, such as 1,100,1000" },
	{ OPT_RANKS, "ranks", "N", "put one rank on each of the first N measured CPUs of a node "
	  "(default all)", .kind = VALUE_TEXT, .valid = "a number from 1 to 4096" },
	{ OPT_PHASE, "phase", "TIME", "let each rank work for TIME in each phase (default 1ms)",
	  .kind = VALUE_TEXT, .valid = "a time such as 1ms, at most 1000000s" },
	{ OPT_PHASES, "phases", "N", "simulate N phases (default 500 to 50000, fewer for more "
	  "ranks)", .kind = VALUE_TEXT, .valid = "a number from 1 to 10000000" },
	{ OPT_WITHOUT, "without", "SOURCE", "leave out the interruptions of SOURCE; can be "
	  "repeated", .kind = VALUE_TEXT },
	{ OPT_BY, "by", "WHAT", "combine tasks with the same name (name, the default), or keep all "
	  "tasks apart (task)", .kind = VALUE_WORD, .words = dataset_by_words },
	{ OPT_LEVEL, "level", "PERCENT", "use this confidence level for the intervals (default 95)",
	  .kind = VALUE_TEXT, .valid = "a percentage from 50 to 99.99" },
	{ OPT_SEED, "seed", "N", "use N as the seed of the random numbers (default 1)",
	  .kind = VALUE_TEXT, .valid = "a whole number" },
	{ 'j', "json", .help = "print a JSON object" },
	{ }
};

static const struct options options = {
	.command = SCALE_COMMAND,
	.usage = "[OPTION...] DIRECTORY...",
	.about = "Predict how much the noise in recordings of evtlog jitter run slows down a "
		 "bulk-synchronous program on many nodes. In each phase of such a program, all "
		 "ranks work for the same time, then wait for the last one. Print how much longer "
		 "the phases take, and which source delayed the last rank. Each node replays one "
		 "of the recordings from a random time on.",
	.table = table,
	.notes =
	"Examples:\n"
	"  evtlog jitter scale --nodes 1000,100000 quiet\n"
	"  evtlog jitter scale --phase 100us --without kworker quiet\n"
	"  evtlog jitter scale --nodes 64 --json node[1-4].jitter\n",
	.operands = VALUE_DIRECTORY,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct scale_options opts = { .work_ns = WORK_DEFAULT_NS, .seed = 1, .level = 0.95 };
	struct scale scale = { .opts = &opts };
	int result = options_take(&options, argc, argv, &opts);

	if (result == OPTIONS_TAKEN)
		result = scale_args(&scale, &opts, argv + optind, argc - optind);
	free(opts.nodes);
	free(opts.without);
	return result;
}

const struct evtlog_command jitter_scale = {
	.name = "scale",
	.summary = "predict how noise slows down a program on many nodes",
	.run = run,
};
