// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses the options of `evtlog dump` for logs of several hosts.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/atomic-file.h"
#include "common/command.h"
#include "common/error.h"
#include "merge.h"

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

int merge_check_outputs(const struct merge_options *opts, char **paths, size_t count)
{
	/* "-" is stdout, and the report may go to a pipe or terminal. */
	bool has_report = opts->report && strcmp(opts->report, "-");
	struct stat output, report;
	int status = !opts->output ? EXIT_OK :
		     output_check(opts->command, "--output", opts->output, paths, count);

	if (status != EXIT_OK || !has_report)
		return status;
	if (opts->output && (!strcmp(opts->output, opts->report) ||
			     (!stat(opts->output, &output) && !stat(opts->report, &report) &&
			      is_same(&output, &report))))
		return misuse(opts->command, "--output and --report are both %s", opts->report);
	return output_check_inputs(opts->command, "--report", opts->report, paths, count);
}

enum {
	REPORT = 512,
	ASSUME_NTP,
	RHO,
	REFERENCE,
	NETNS,
	RUN,
	MEMORY,
	COMPRESS,
};

int merge_option(struct merge_options *opts, int option, char *value)
{
	switch (option) {
	case 'o':
		opts->output = value;
		return 0;
	case COMPRESS:
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
		log_set_choose(&opts->clocks, value);
		return 0;
	case MEMORY:
		return parse_memory(&opts->memory_bytes, value);
	default:
		return -EINVAL;
	}
}

const struct option_desc merge_option_table[] = {
	{ 'o', "output", "FILE", "write a merged file instead of lines; evtlog dump and evtlog "
	  "info can read this file", .kind = VALUE_FILE },
	{ COMPRESS, "compress", "N", "compress the merged file at level N: 0 (none) to 9 "
	  "(default 1)", .kind = VALUE_TEXT, .valid = "a number from 0 to 9" },
	{ REPORT, "report", "FILE", "write the report on hosts and clocks to FILE as JSON; - is "
	  "stdout", .kind = VALUE_FILE },
	{ RUN, "run", "NAME", "read only files of this run: its name, or its number if it has "
	  "no name; '*': accept files with different run names or times as one run",
	  .kind = VALUE_TEXT },
	{ ASSUME_NTP, "assume-ntp", .help = "accept hosts without packets to the others, and trust "
	  "their real-time clocks" },
	{ REFERENCE, "reference", "HOST", "use the clock of HOST as the timeline",
	  .kind = VALUE_HOSTS },
	{ NETNS, "netns", "LIST", "relate clocks by packets of these network namespaces, "
	  "numbered as in icmp_rx and icmp_tx: 0,4026 or all (default 0, the first namespace)",
	  .kind = VALUE_TEXT, .valid = "all, or numbers such as 0,4026" },
	{ RHO, "rho", "PPM", "assume that a clock's rate varies by at most PPM about its mean "
	  "(default 1)",
	  .kind = VALUE_TEXT, .valid = "parts per million from 0.001 to 10000" },
	{ MEMORY, "memory", "SIZE", "use SIZE of memory for buffers; store the rest in TMPDIR "
	  "(default 96M)",
	  .kind = VALUE_TEXT, .valid = "a size such as 64M or 1G" },
	{ }
};

bool merge_is_asked_for(const struct merge_options *opts)
{
	return opts->output || opts->report || opts->clocks.run || opts->clocks.options.reference;
}

void merge_options_free(struct merge_options *opts)
{
	free((void *)opts->clocks.options.netns);
}
