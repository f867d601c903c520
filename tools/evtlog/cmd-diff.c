// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog diff: compares two logs, or two sets of logs, or each of many hosts with the others.
 *
 * The work is in analysis/diff; the intervals of two sides are judged as those of jitter diff.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/diff/outliers.h"
#include "analysis/diff/sides.h"
#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/options.h"
#include "input/open-log.h"
#include "jitter/diff/diff.h"

#define BLOCKS	32

/*
 * @fails:	by verdict: true if the verdict makes the command exit with 5
 * @has_fails:	--fail-on was given
 */
struct request {
	bool fails[COMPARED_VERDICTS];
	bool has_fails;
	bool outliers;
	bool json;
};

static void show(const struct compared *compared, const struct side sides[2], size_t left_out)
{
	for (unsigned int i = 0; i < 2; i++)
		printf("%c  %zu log%s from %s: %u CPU%s for %.3f s\n", "AB"[i], sides[i].count,
		       sides[i].count == 1 ? "" : "s", sides[i].paths[0], sides[i].cpus,
		       sides[i].cpus == 1 ? "" : "s", compared->window_ns[i] / 1e9);
	compared_show(compared);
	if (left_out)
		printf("%zu sources with less time are not compared.\n", left_out);
}

static void show_json(const struct compared *compared, const struct side sides[2], size_t left_out,
		      bool failed)
{
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	for (unsigned int i = 0; i < 2; i++) {
		json_object(&json, i ? "b" : "a");
		json_array(&json, "logs");
		for (size_t k = 0; k < sides[i].count; k++)
			json_string(&json, NULL, sides[i].paths[k]);
		json_end(&json);
		json_u64(&json, "cpus", sides[i].cpus);
		json_double(&json, "window_ns", compared->window_ns[i], 1);
		json_end(&json);
	}
	compared_json(&json, compared);
	json_u64(&json, "left_out", left_out);
	json_bool(&json, "failed", failed);
	json_end(&json);
}

static int compare(const struct request *request, struct side sides[2])
{
	struct compared compared = { .level = 0.95, .least_change = 0.1, .seed = 1 };
	size_t left_out = 0;
	int status = sides_read(&compared, sides, BLOCKS, &left_out);
	bool failed = false;

	if (status == EXIT_OK || status == EXIT_EVENTS_LOST) {
		if (compared_judge(&compared)) {
			pr_err("diff: %s", strerror(ENOMEM));
			status = EXIT_FAILED;
		}
	}
	if (status == EXIT_OK || status == EXIT_EVENTS_LOST) {
		failed = compared_fails(&compared, request->fails);
		if (request->json)
			show_json(&compared, sides, left_out, failed);
		else
			show(&compared, sides, left_out);
	}
	compared_free(&compared);
	return failed ? EXIT_DIFFERENT : status;
}

static int expand(const struct request *request, char **args)
{
	struct side sides[2] = { 0 };
	int status = EXIT_OK;

	for (unsigned int i = 0; i < 2 && status == EXIT_OK; i++)
		status = paths_expand(args + i, 1, &sides[i].paths, &sides[i].count);
	if (status == EXIT_OK)
		status = compare(request, sides);
	for (unsigned int i = 0; i < 2; i++)
		paths_free(sides[i].paths, sides[i].count);
	return finish(status);
}

static int find_outliers(const struct request *request, char **args, int count)
{
	struct outliers outliers = { 0 };
	size_t paths_count;
	char **paths;
	int status = paths_expand(args, count, &paths, &paths_count);

	if (status != EXIT_OK)
		return status;
	status = outliers_read(&outliers, paths, paths_count);
	if (status == EXIT_OK || status == EXIT_EVENTS_LOST) {
		if (outliers.count < OUTLIERS_HOSTS_MIN) {
			pr_err("diff: --outliers: only %zu hosts: at least %d are needed to know what most have; to compare two, name them without --outliers",
			       outliers.count, OUTLIERS_HOSTS_MIN);
			status = EXIT_FAILED;
		} else if (outliers_judge(&outliers)) {
			pr_err("diff: %s", strerror(ENOMEM));
			status = EXIT_FAILED;
		} else if (request->json) {
			outliers_json(&outliers);
		} else {
			outliers_show(&outliers);
		}
	}
	if (outliers.found)
		status = EXIT_DIFFERENT;
	outliers_free(&outliers);
	paths_free(paths, paths_count);
	return finish(status);
}

enum { FAIL_ON = 256, OUTLIERS };

static int take_option(void *context, int option, char *value)
{
	struct request *request = context;

	switch (option) {
	case OUTLIERS:
		request->outliers = true;
		return 0;
	case FAIL_ON:
		request->has_fails = true;
		return diff_parse_fail_on(request->fails, value);
	case 'j':
		request->json = true;
		return 0;
	}
	return -EINVAL;
}

static const struct option_desc table[] = {
	{ FAIL_ON, "fail-on", "LIST", "exit with status 5 if there are sources of this kind: "
	  "new, larger, gone, smaller, changed, any or none (default new,larger)",
	  .kind = VALUE_WORDS, .words = diff_fail_on_words,
	  .valid = "some of new,larger,gone,smaller,changed, or any or none" },
	{ OUTLIERS, "outliers", .help = "compare each of many hosts with all others: print which "
	  "hosts differ, and in what; the files are logs, or results of evtlog stat --partial" },
	{ 'j', "json", .help = "print JSON" },
	{ }
};

static const struct options options = {
	.command = "diff",
	.usage = "[OPTION...] A B\n"
		 "--outliers [-j] FILE|DIRECTORY...",
	.about = "Compare two logs, or two directories of logs, for example of two kernels, days or "
		 "sets of hosts. Print which tasks, waits, interrupts, softirqs and switches are new "
		 "in B, gone, larger or smaller, and by how much, with confidence intervals. "
		 "Differences that chance explains are not reported.",
	.table = table,
	.notes =
	"Exit status: 0 nothing new or larger; 1 failed; 2 misuse; 4 nothing new or\n"
	"larger, but events were lost; 5 there are new or larger sources (see --fail-on),\n"
	"or outliers.\n"
	"\n"
	"Examples:\n"
	"  evtlog diff before/ after/\n"
	"  evtlog diff --fail-on any --json node1-1.evl node2-1.evl\n"
	"  evtlog diff --outliers /var/log/evtlog/*.partial\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct request request = {
		.fails = { [COMPARED_NEW] = true, [COMPARED_LARGER] = true },
	};
	int status = options_take(&options, argc, argv, &request);

	if (status != OPTIONS_TAKEN)
		return status;
	if (request.outliers && request.has_fails)
		return misuse("diff", "--fail-on is for two sides, not for --outliers");
	if (request.outliers && argc > optind)
		return find_outliers(&request, argv + optind, argc - optind);
	if (argc - optind != 2)
		return misuse("diff", "%s", request.outliers ? "name files" :
			      "name two logs, or two directories of logs");
	return expand(&request, argv + optind);
}

const struct evtlog_command command_diff = {
	.name = "diff",
	.summary = "compare logs: what is new, gone, larger or smaller",
	.run = run,
};
