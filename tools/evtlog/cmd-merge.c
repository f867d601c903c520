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

#include "common/atomic-file.h"
#include "common/command.h"
#include "common/error.h"
#include "common/options.h"
#include "input/open-log.h"
#include "merge/merge.h"

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

static int check_outputs(const struct merge_options *opts, char **paths, size_t count)
{
	/* "-" is stdout, and the report may go to a pipe or terminal. */
	bool has_report = opts->report && strcmp(opts->report, "-");
	struct stat output, report;
	int status = !opts->output ? EXIT_OK :
		     output_check("merge", "--output", opts->output, paths, count);

	if (status != EXIT_OK || !has_report)
		return status;
	if (opts->output && (!strcmp(opts->output, opts->report) ||
			     (!stat(opts->output, &output) && !stat(opts->report, &report) &&
			      is_same(&output, &report))))
		return misuse("merge", "--output and --report are both %s", opts->report);
	return output_check_inputs("merge", "--report", opts->report, paths, count);
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
		return host_filter_option(&opts->hosts, "merge", value);
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

static const char *const times[] = { "start", "real", "raw", NULL };

static const struct option_desc table[] = {
	{ 'o', "output", "FILE", "write a merged file and print no lines; evtlog dump and evtlog "
	  "info read the file", .kind = VALUE_FILE },
	{ 'z', "compress", "N", "compress the merged file: 0 (not at all) to 9 (default 1)",
	  .kind = VALUE_TEXT, .valid = "a number from 0 to 9" },
	{ REPORT, "report", "FILE", "write the report on hosts and clocks to FILE as JSON; - is "
	  "stdout", .kind = VALUE_FILE },
	{ ASSUME_NTP, "assume-ntp", .help = "trust the real-time clocks of hosts that no packets "
	  "relate to the others; without this option such hosts are refused" },
	{ RHO, "rho", "PPM", "limit of how far a clock's rate wanders about its mean (default 1)",
	  .kind = VALUE_TEXT, .valid = "parts per million from 0.001 to 10000" },
	{ REFERENCE, "reference", "HOST", "use the clock of HOST as the timeline",
	  .kind = VALUE_HOSTS },
	{ NETNS, "netns", "LIST", "relate clocks by packets of these network namespaces, "
	  "numbered as in icmp_rx and icmp_tx: 0,4026 or all (default 0, the first one)",
	  .kind = VALUE_TEXT, .valid = "all, or numbers such as 0,4026" },
	{ RUN, "run", "NAME", "read only files of this run: its name, or its number if it has "
	  "no name", .kind = VALUE_TEXT },
	{ ANY_RUN, "any-run", .help = "accept files with different run names or times as one run" },
	{ HOST, "host", "LIST", "print only events of these hosts: node[1-16],rack2-*",
	  .kind = VALUE_HOSTS },
	OPTION_GROUP(filter_options),
	{ 't', "type", "NAMES", "print only these types of events: sched_switch,softirq "
	  "(softirq means softirq_entry and softirq_exit)", .kind = VALUE_TYPES },
	OPTION_GROUP(around_options),
	{ 'n', "limit", "N", "print at most N lines; with -A, -B or -C, N matches",
	  .kind = VALUE_TEXT, .valid = SHOW_LIMIT_LIKE },
	{ TIME, "time", "KIND", "print times as start (default): seconds since the first host's "
	  "start; real: date and time, UTC; raw: the timeline",
	  .kind = VALUE_WORD, .words = times },
	{ MEMORY, "memory", "SIZE", "memory for buffers; the rest waits in TMPDIR (default 96M)",
	  .kind = VALUE_TEXT, .valid = "a size such as 64M or 1G" },
	{ COUNTERS, "counters", .help = "print each counter of the kernel, not one line per CPU" },
	{ 'j', "json", .help = "print a JSON object per line" },
	{ }
};

static const struct options options = {
	.command = "merge",
	.usage = "[OPTION...] FILE|DIRECTORY...",
	.about = "Print the events of many hosts on one timeline, one line per event, sorted "
		 "by time. Packets between the hosts relate their clocks; a report on stderr "
		 "shows the error of each clock. The mark ~ means: the order of this event "
		 "and an event of another host above it is unknown. A directory means all "
		 "*.evl files in it.",
	.table = table,
	.notes =
	"Examples:\n"
	"  evtlog merge node1-1.evl node2-1.evl | less\n"
	"  evtlog merge --run lunch --report clocks.json logs/ >lunch.txt\n"
	"  evtlog merge -o lunch.evm logs/ && evtlog dump --host node7 lunch.evm\n"
	"  evtlog merge --type icmp --from 1s --to 1.01s logs/\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
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
	.summary = "print the events of many hosts on one timeline",
	.run = run,
};
