// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog jitter diff: which sources of jitter are new, gone, larger or smaller.
 *
 * The comparison is in compare.h, the output in print.c.
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
#include "diff.h"
#include "jitter/dataset.h"
#include "jitter/subcommands.h"
#include "print/event.h"

/* ---- The settings of two recordings ---- */

/* Settings that are in the header of the samples' file, not in its text. */
#define METHOD	"="
#define CPUS	"#"

static const struct diff_setting settings[] = {
	{ METHOD, "method", true },
	{ "threshold_ns", "threshold in ns", true },
	{ CPUS, "measured CPUs", true },
	{ "host", "host", false },
	{ "kernel", "kernel", false },
	{ "cmdline", "kernel's command line", false },
	{ "cpu_model", "CPU model", false },
	{ "governor", "governor", false },
	{ "clocksource", "clock source", false },
	{ "isolated", "isolated CPUs", false },
};

static const char *value(const struct dataset *dataset, const struct diff_setting *setting,
			 char capacity[64])
{
	static const char *const methods[] = {
		[EVTLOG_SAMPLES_LOOP] = "detour",
		[EVTLOG_SAMPLES_WORK] = "fwq",
		[EVTLOG_SAMPLES_QUANTUM] = "ftq",
	};
	const struct evtlog_samples_header *header = evtlog_samples_header(dataset->samples);

	if (!strcmp(setting->key, METHOD))
		return header->method <= EVTLOG_SAMPLES_QUANTUM ? methods[header->method] : NULL;
	if (!strcmp(setting->key, CPUS)) {
		snprintf(capacity, 64, "%" PRIu32, header->threads);
		return capacity;
	}
	return evtlog_samples_meta(dataset->samples, setting->key);
}

bool diff_setting(const struct diff *diff, size_t i, const struct diff_setting **setting,
		  const char **a, const char **b, char capacity[2][64])
{
	if (i >= sizeof(settings) / sizeof(settings[0]))
		return false;
	*setting = &settings[i];
	*a = value(&diff->datasets[0], *setting, capacity[0]);
	*b = value(&diff->datasets[1], *setting, capacity[1]);
	return true;
}

bool diff_differs(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) != 0 : a != b;
}

/* ---- The command ---- */

#define BLOCKS_DEFAULT	32
#define BLOCKS_LEAST	8
#define BLOCKS_MOST	10000
/*
 * A block of a source costs 16 bytes, and 2,000 draws of the bootstrap. The limit is this number,
 * plus one block per BYTES_A_BLOCK bytes of the recordings.
 */
#define BLOCKS_ALL	(1u << 18)
#define BYTES_A_BLOCK	8
/* Tolerance: samples are within their log, so they should not last longer than it. */
#define LONGER_NS	1e9

enum { OPT_LEVEL = 256, OPT_BLOCKS, OPT_SEED, OPT_BY, OPT_MIN_CHANGE, OPT_FAIL_ON, OPT_FORCE };

struct request {
	struct diff_options opts;
	double level;
	double least_change;
	uint64_t seed;
};

/*
 * State while the intervals of recording @side are added.
 * @rows:	of the recording's sources, by number
 */
struct taken {
	unsigned int side;
	const struct evtlog_jitter_source *sources;
	struct compared_source **rows;
};

static void take(void *arg, const struct interval *interval)
{
	const struct taken *taken = arg;

	compared_add(taken->rows[interval->source - taken->sources], taken->side, interval->at_ns,
		     interval->length_ns);
}

/* All rows exist: none is added, and none moves. */
static int take_side(struct diff *diff, unsigned int side)
{
	const struct evtlog_jitter *jitter = diff->datasets[side].jitter;
	struct taken taken = { .side = side };
	size_t count;

	taken.sources = evtlog_jitter_sources(jitter, &count);
	taken.rows = calloc(count + 1, sizeof(*taken.rows));
	if (!taken.rows)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		taken.rows[i] = compared_source(&diff->compared, &taken.sources[i]);
	intervals_each(jitter, take, &taken);
	free(taken.rows);
	return 0;
}

static int take_sides(struct diff *diff)
{
	struct compared *compared = &diff->compared;
	int error;

	for (unsigned int side = 0; side < 2; side++) {
		const struct evtlog_jitter *jitter = diff->datasets[side].jitter;
		const struct evtlog_jitter_source *sources;
		size_t count;

		compared->window_ns[side] = intervals_window_ns(jitter);
		compared->cpu_s[side] = intervals_cpu_s(jitter);
		evtlog_jitter_threads(jitter, &count);
		compared->cpus[side] = count;
		sources = evtlog_jitter_sources(jitter, &count);
		for (size_t i = 0; i < count; i++) {
			struct compared_source *row = compared_source(compared, &sources[i]);

			if (!row)
				return -ENOMEM;
			row->side[side].period_ns =
				evtlog_jitter_ns(jitter, sources[i].period_ticks);
		}
	}
	compared->blocks_most = BLOCKS_ALL;
	for (unsigned int side = 0; side < 2; side++)
		compared->blocks_most += evtlog_size_bytes(diff->datasets[side].file) /
					 BYTES_A_BLOCK;
	compared_cut(compared, diff->opts->blocks);
	error = compared_open_blocks(compared);
	for (unsigned int side = 0; !error && side < 2; side++)
		error = take_side(diff, side);
	return error;
}

static double log_ns(const struct dataset *dataset)
{
	return (double)evtlog_end_ns(dataset->file) - (double)evtlog_begin_ns(dataset->file);
}

/* Prints an error if a recording's times contradict each other. */
static void warn_of_times(const struct diff *diff, char **args)
{
	for (unsigned int side = 0; side < 2; side++) {
		const struct dataset *dataset = &diff->datasets[side];
		double window_ns = intervals_window_ns(dataset->jitter);

		if (window_ns > log_ns(dataset) + LONGER_NS)
			pr_err("%s: its samples last %.6g s, its log %.6g s: one of them has invalid times, or the log is truncated",
			       args[side], window_ns / 1e9, log_ns(dataset) / 1e9);
	}
}

static int say_failure(const struct diff *diff, char **args, int error)
{
	const double *window_ns = diff->compared.window_ns;

	if (error == -E2BIG)
		pr_err("%s, %s: they last %.6g s and %.6g s, which gives too many blocks; record for similar times, or use fewer --blocks",
		       args[0], args[1], window_ns[0] / 1e9, window_ns[1] / 1e9);
	else
		pr_err("%s: %s: %s", args[0], args[1], strerror(-error));
	return EXIT_FAILED;
}

/* Checks that the recordings can be compared; prints why if not. Returns an exit status. */
static int check(const struct diff *diff, char **args)
{
	const struct diff_setting *setting;
	const char *a, *b;
	char capacity[2][64];
	size_t count;

	for (size_t i = 0; diff_setting(diff, i, &setting, &a, &b, capacity); i++)
		if (setting->needed && diff_differs(a, b) && !diff->opts->force) {
			pr_err("%s, %s: %s: %s and %s; record both the same way, or use --force",
			       args[0], args[1], setting->name, a ? a : "unknown",
			       b ? b : "unknown");
			return EXIT_FAILED;
		}
	for (unsigned int side = 0; side < 2; side++) {
		evtlog_jitter_threads(diff->datasets[side].jitter, &count);
		if (!count || !(intervals_cpu_s(diff->datasets[side].jitter) > 0) ||
		    !(intervals_window_ns(diff->datasets[side].jitter) > 0)) {
			pr_err("%s: no measurement to compare", args[side]);
			return EXIT_FAILED;
		}
	}
	return EXIT_OK;
}

static int verdict(const struct diff *diff)
{
	int status = EXIT_OK;

	for (unsigned int side = 0; side < 2; side++) {
		int lost = dataset_verdict(&diff->datasets[side]);

		if (lost)
			status = lost;
	}
	return compared_fails(&diff->compared, diff->opts->fails) ? EXIT_DIFFERENT : status;
}

static int compare(struct diff *diff, char **args)
{
	int status, error;

	for (unsigned int side = 0; side < 2; side++) {
		struct dataset_options opts = {
			.by_task = diff->opts->by_task,
			.to_ns = UINT64_MAX,
		};

		status = dataset_open(&diff->datasets[side], args[side], &opts);
		if (status != EXIT_OK)
			return status;
	}
	status = check(diff, args);
	if (status != EXIT_OK)
		return status;
	warn_of_times(diff, args);
	error = take_sides(diff);
	if (!error)
		error = compared_judge(&diff->compared);
	if (error)
		return say_failure(diff, args, error);
	if (diff->opts->json)
		diff_json(diff);
	else
		diff_show(diff);
	return verdict(diff);
}

int diff_parse_fail_on(bool fails[COMPARED_VERDICTS], char *list)
{
	char *rest, *word = strtok_r(list, ",", &rest);

	memset(fails, 0, COMPARED_VERDICTS * sizeof(*fails));
	for (bool first = true; word || first; word = strtok_r(NULL, ",", &rest), first = false) {
		bool known = word && (!strcmp(word, "any") || !strcmp(word, "none"));

		if (!word)
			return -EINVAL;
		for (unsigned int i = COMPARED_NEW; i < COMPARED_UNJUDGED; i++) {
			bool this = !strcmp(word, compared_verdict_name(i));

			fails[i] |= this || !strcmp(word, "any");
			known |= this;
		}
		if (!known)
			return -EINVAL;
	}
	return 0;
}

static int take_option(void *context, int option, char *text)
{
	struct request *request = context;

	switch (option) {
	case OPT_LEVEL:
		if (number_parse_decimal(&request->level, text, 50, 99.99))
			return -EINVAL;
		request->level /= 100;
		return 0;
	case OPT_MIN_CHANGE:
		if (number_parse_decimal(&request->least_change, text, 0, 100))
			return -EINVAL;
		request->least_change /= 100;
		return request->least_change < 1 ? 0 : -EINVAL;
	case OPT_BY:
		return dataset_parse_by(&request->opts.by_task, text);
	case OPT_BLOCKS:
		return number_parse_u32(&request->opts.blocks, text, BLOCKS_LEAST, BLOCKS_MOST);
	case OPT_SEED:
		return show_parse_limit(&request->seed, text);
	case OPT_FAIL_ON:
		return diff_parse_fail_on(request->opts.fails, text);
	case OPT_FORCE:
		request->opts.force = true;
		return 0;
	case 'j':
		request->opts.json = true;
		return 0;
	}
	return -EINVAL;
}

const char *const diff_fail_on_words[] = {
	"new", "larger", "gone", "smaller", "changed", "any", "none", NULL
};

static const struct option_desc table[] = {
	{ OPT_LEVEL, "level", "PERCENT", "use this confidence level for the intervals, and for all "
	  "verdicts together (default 95)", .kind = VALUE_TEXT, .valid = "a percentage from 50 to "
	  "99.99" },
	{ OPT_MIN_CHANGE, "min-change", "PERCENT", "ignore smaller changes of a rate or a mean "
	  "(default 10)", .kind = VALUE_TEXT, .valid = "a percentage from 0 to below 100" },
	{ OPT_BY, "by", "WHAT", "combine tasks with the same name (name, the default), or keep all "
	  "tasks apart (task)", .kind = VALUE_WORD, .words = dataset_by_words },
	{ OPT_BLOCKS, "blocks", "N", "cut the shorter recording into N independent blocks of equal "
	  "time (default 32)",
	  .kind = VALUE_TEXT, .valid = "a number from 8 to 10000" },
	{ OPT_SEED, "seed", "N", "use N as the seed of the random numbers (default 1)",
	  .kind = VALUE_TEXT, .valid = "a whole number" },
	{ OPT_FAIL_ON, "fail-on", "LIST", "exit with status 5 if there are sources of this kind: "
	  "new, larger, gone, smaller, changed, any or none (default new,larger)",
	  .kind = VALUE_WORDS, .words = diff_fail_on_words,
	  .valid = "some of new,larger,gone,smaller,changed, or any or none" },
	{ OPT_FORCE, "force", .help = "compare recordings even if their settings differ" },
	{ 'j', "json", .help = "print a JSON object" },
	{ }
};

static const struct options options = {
	.command = DIFF_COMMAND,
	.usage = "[OPTION...] A B",
	.about = "Compare two recordings of evtlog jitter run, for example of two kernels, "
		 "settings or days. Print which sources of jitter are new in B, gone, larger or "
		 "smaller, and by how much, with confidence intervals. Differences that chance "
		 "explains are not reported: of twenty comparisons of a system with itself, at "
		 "most one reports a difference.",
	.table = table,
	.notes =
	"Exit status: 0 nothing new or larger; 1 failed; 2 misuse; 4 nothing new or\n"
	"larger, but events were lost; 5 there are new or larger sources (see --fail-on).\n"
	"\n"
	"Examples:\n"
	"  evtlog jitter diff before after\n"
	"  evtlog jitter diff --fail-on new --json before after >changes.json\n",
	.operands = VALUE_DIRECTORY,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct request request = {
		.opts = {
			.blocks = BLOCKS_DEFAULT,
			.fails = { [COMPARED_NEW] = true, [COMPARED_LARGER] = true },
		},
		.level = 0.95, .least_change = 0.1, .seed = 1,
	};
	struct diff diff = { .opts = &request.opts };
	int status = options_take(&options, argc, argv, &request);

	if (status != OPTIONS_TAKEN)
		return status;
	if (argc - optind != 2)
		return misuse(DIFF_COMMAND, "name two directories of 'evtlog jitter run'");
	diff.compared.level = request.level;
	diff.compared.least_change = request.least_change;
	diff.compared.seed = request.seed;
	status = compare(&diff, argv + optind);
	compared_free(&diff.compared);
	dataset_close(&diff.datasets[0]);
	dataset_close(&diff.datasets[1]);
	return finish(status);
}

const struct evtlog_command jitter_diff = {
	.name = "diff",
	.summary = "compare two recordings: what is new, gone, larger or smaller",
	.run = run,
};
