// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog merge: many hosts' events as one stream, on one timeline.
 *
 * The work is in merge/merge.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "common/error.h"
#include "common/options.h"
#include "input/paths.h"
#include "merge/merge.h"

static const char help_text[] =
	"Usage: evtlog merge [OPTION...] FILE|DIRECTORY...\n\n"
	"Prints the events of many hosts as one stream, in the order of time, a line\n"
	"each: time, host, CPU, place, task, event, fields. Clocks are related by the\n"
	"packets that hosts sent each other; how exactly is reported on stderr. A ~ marks\n"
	"events too close to one above of another host for their order to be known. A\n"
	"directory stands for all *.evl in it.\n\n"
	"  -o, --output FILE  write a merged file instead of lines: dump and info read it\n"
	"  -z, --compress N   compress it, 0 (not) to 9 (1)\n"
	"      --report FILE  the report on hosts and clocks, as JSON (-: stdout)\n"
	"      --assume-ntp   believe the real-time clocks of hosts that no packets\n"
	"                     relate to the others; without this they are refused\n"
	"      --rho PPM      how far a clock's rate may wander about its mean (1)\n"
	"      --reference H  the host whose clock is the axis\n"
	"      --netns LIST   relate clocks by packets of these network namespaces, as\n"
	"                     icmp_rx and icmp_tx number them: 0,4026 or all (0: the\n"
	"                     first one's)\n"
	"      --run NAME     only files of this run, by its name; without one, by its\n"
	"                     number\n"
	"      --any-run      take files of different names, or times by their clocks, as\n"
	"                     one\n"
	"      --host LIST    only events of these hosts: node[1-16],rack2-*\n"
	"  -c, --cpu LIST     only these CPUs: 0,2-3\n"
	"  -p, --pid LIST     only events while these tasks ran, or that name them\n"
	"      --comm NAMES   the same by their names: dd,kworker*\n"
	"  -t, --type NAMES   only these events: sched_switch,softirq (entry and exit)\n"
	"      --from TIME    from this time since the first host's start: 1.5, 10ms\n"
	"      --to TIME      up to this time\n"
	AROUND_HELP
	"  -n, --limit N      at most N lines; of -A, -B and -C, N matches\n"
	"      --time KIND    start (default), real (UTC), raw: the axis itself\n"
	"      --memory SIZE  for buffers; what does not fit waits in TMPDIR (96M)\n"
	"      --counters     all of the kernel's counters, not a line for each CPU\n"
	"  -j, --json         a JSON object per line\n"
	"  -h, --help         this text\n\n"
	"Examples:\n"
	"  evtlog merge node1-1.evl node2-1.evl | less\n"
	"  evtlog merge --run lunch --report clocks.json logs/ >lunch.txt\n"
	"  evtlog merge -o lunch.evm logs/ && evtlog dump --host node7 lunch.evm\n"
	"  evtlog merge --type icmp --from 1s --to 1.01s logs/\n";

/* Parts per million to parts per billion: at least 1, at most 1 %. */
static int parse_rho(uint64_t *ppb, const char *text)
{
	double ppm;
	char *end;

	errno = 0;
	ppm = strtod(text, &end);
	if (((*text < '0' || *text > '9') && *text != '.') || errno || *end ||
	    !(ppm >= 0.001) || ppm > 10000)
		return -EINVAL;
	*ppb = ppm * 1000 + 0.5;
	return 0;
}

/* "96M", "64K", "1G"; MiB without a letter. */
static int parse_memory(size_t *bytes, const char *text)
{
	unsigned int shift = 20;
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || errno || end == text)
		return -EINVAL;
	if (*end == 'K' || *end == 'M' || *end == 'G') {
		shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 30;
		end++;
	}
	if (*end || !number || number > (UINT64_C(1) << 40) >> shift)
		return -EINVAL;
	*bytes = (size_t)number << shift;
	return 0;
}

/* "all", or numbers divided by commas; replaces what was given before. */
static int parse_netns(struct evtlog_clocksync_options *options, const char *text)
{
	uint64_t *numbers;
	size_t count = 0;

	free((void *)options->netns);
	options->netns = NULL;
	options->netns_count = 0;
	options->any_netns = !strcmp(text, "all");
	if (options->any_netns)
		return 0;
	numbers = calloc(strlen(text) / 2 + 1, sizeof(*numbers));
	if (!numbers)
		return -ENOMEM;
	options->netns = numbers;
	for (;;) {
		char *end;

		errno = 0;
		numbers[count++] = strtoull(text, &end, 10);
		if (*text < '0' || *text > '9' || errno || (*end && *end != ','))
			return -EINVAL;
		if (!*end)
			break;
		text = end + 1;
	}
	options->netns_count = count;
	return 0;
}

static int parse_level(int *level, const char *text)
{
	if (*text < '0' || *text > '9' || text[1])
		return -EINVAL;
	*level = *text - '0';
	return 0;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* What is written takes the place of what was there: neither a log nor a device. */
static int check_output(const char *option, const char *output, char **paths, size_t count)
{
	struct stat there, input;

	if (!output || stat(output, &there))
		return EXIT_OK;
	if (!S_ISREG(there.st_mode))
		return misuse("merge", "%s: %s: is not a regular file", option, output);
	for (size_t i = 0; i < count; i++)
		if (!stat(paths[i], &input) && is_same(&there, &input))
			return misuse("merge", "%s: %s: is to be read", option, output);
	return EXIT_OK;
}

static int check_outputs(const struct merge_options *opts, char **paths, size_t count)
{
	/* "-" is stdout, and the report may go to a pipe or terminal. */
	bool has_report = opts->report && strcmp(opts->report, "-");
	struct stat output, report;
	int status = check_output("--output", opts->output, paths, count);

	if (status != EXIT_OK || !has_report)
		return status;
	if (opts->output && (!strcmp(opts->output, opts->report) ||
			     (!stat(opts->output, &output) && !stat(opts->report, &report) &&
			      is_same(&output, &report))))
		return misuse("merge", "--output and --report are both %s", opts->report);
	if (!stat(opts->report, &report) && !S_ISREG(report.st_mode))
		return EXIT_OK;
	return check_output("--report", opts->report, paths, count);
}

static int merge_args(struct merge_options *opts, char **args, int count)
{
	char **paths;
	size_t paths_count;
	int status;

	if (!count)
		return misuse("merge", "name files or directories");
	if (opts->show.time == SHOW_TICKS)
		return misuse("merge", "--time ticks: hosts' counters have nothing in common");
	if (opts->output && around_is_wanted(opts->around))
		return misuse("merge", "--output: --before, --after and --around are of lines: leave them out");
	status = paths_expand(args, count, &paths, &paths_count);
	if (status != EXIT_OK)
		return status;
	opts->show.hosts = true;
	opts->tell = true;
	status = check_outputs(opts, paths, paths_count);
	if (status == EXIT_OK)
		status = merge_files(opts, paths, paths_count);
	paths_free(paths, paths_count);
	return status;
}

enum {
	TIME = 256,
	REPORT,
	ASSUME_NTP,
	RHO,
	REFERENCE,
	NETNS,
	RUN,
	ANY_RUN,
	HOST,
	MEMORY,
	COUNTERS
};

static int take_option(void *context, int option, char *value)
{
	struct merge_options *opts = context;

	switch (option) {
	case 'o':
		opts->output = value;
		return 0;
	case 'z':
		return parse_level(&opts->level, value);
	case REPORT:
		opts->report = value;
		return 0;
	case ASSUME_NTP:
		opts->clocks.options.assume_ntp = true;
		return 0;
	case RHO:
		return parse_rho(&opts->clocks.options.rho_ppb, value);
	case REFERENCE:
		opts->clocks.options.reference = value;
		return 0;
	case NETNS:
		return parse_netns(&opts->clocks.options, value);
	case RUN:
		opts->clocks.run = value;
		return 0;
	case ANY_RUN:
		opts->clocks.any_run = true;
		return 0;
	case HOST:
		return host_filter_option(&opts->hosts, "merge", "host", value);
	case 't':
		opts->types = value;
		return 0;
	case 'n':
		return show_parse_limit(&opts->around->limit, value);
	case 'A':
	case 'B':
	case 'C':
		return around_option(opts->around, option, value);
	case COUNTERS:
		opts->show.counters = true;
		return 0;
	case TIME:
		return show_parse_time(&opts->show.time, value);
	case MEMORY:
		return parse_memory(&opts->memory_bytes, value);
	case 'j':
		opts->show.json = true;
		return 0;
	default:
		return filter_option(&opts->filter, option, value);
	}
}

static int run(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "compress", required_argument, NULL, 'z' },
		{ "report", required_argument, NULL, REPORT },
		{ "assume-ntp", no_argument, NULL, ASSUME_NTP },
		{ "rho", required_argument, NULL, RHO },
		{ "reference", required_argument, NULL, REFERENCE },
		{ "netns", required_argument, NULL, NETNS },
		{ "run", required_argument, NULL, RUN },
		{ "any-run", no_argument, NULL, ANY_RUN },
		{ "host", required_argument, NULL, HOST },
		FILTER_OPTIONS,
		{ "type", required_argument, NULL, 't' },
		AROUND_OPTIONS,
		{ "limit", required_argument, NULL, 'n' },
		{ "time", required_argument, NULL, TIME },
		{ "memory", required_argument, NULL, MEMORY },
		{ "counters", no_argument, NULL, COUNTERS },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	static const char *const times[] = { "start", "real", "raw", NULL };
	static const struct option_value values[] = {
		FILTER_VALUES,
		{ 'z', NULL, "a number from 0 to 9" },
		{ RHO, NULL, "parts per million from 0.001 to 10000" },
		{ NETNS, NULL, "all, or numbers such as 0,4026" },
		AROUND_VALUES,
		{ 'n', NULL, SHOW_LIMIT_LIKE },
		{ .option = TIME, .words = times },
		{ MEMORY, NULL, "a size such as 64M or 1G" },
		{ }
	};
	static const struct options options = {
		"merge", help_text, "o:z:" FILTER_LETTERS AROUND_LETTERS "t:n:jh", longs, take_option, values
	};
	struct around around;
	struct merge_options opts = {
		.command = "merge",
		.around = &around,
		.show.out = stdout,
		.level = 1,
		.clocks.chooses = true,
	};
	int result;

	around_init(&around);
	filter_all(&opts.filter);
	result = options_take(&options, argc, argv, &opts);
	if (result == OPTIONS_TAKEN)
		result = merge_args(&opts, argv + optind, argc - optind);
	free((void *)opts.clocks.options.netns);
	around_free(&around);
	host_filter_free(&opts.hosts);
	filter_free(&opts.filter);
	return result;
}

const struct evtlog_command command_merge = {
	.name = "merge",
	.summary = "many hosts' events as one stream, with how exact their clocks are",
	.run = run,
};
